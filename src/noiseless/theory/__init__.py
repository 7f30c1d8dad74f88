"""What can be known: uncertain variables, their ranges, the information they carry, zero-error capacity.

An uncertain variable is a function on a sample space; nothing is random. Everything here depends only on ranges.
"""
