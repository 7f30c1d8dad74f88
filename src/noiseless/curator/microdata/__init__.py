"""Microdata: a released copy of the table, in which every row is replaced by a cell.

The guarantee is local: whatever the others' data are, the number of different rows that one row can become is bounded.
"""
