"""Microdata: a released copy of the table, in which every person's row became a cell.

The guarantee is local: whatever the others' data are, one row can become so many different rows and no more.
"""
