"""How much one uncertain variable reveals about another: one measure, one file.

Every measure returns a `LogRatio`: the exact ratio of two sizes. X and Y may each be a variable or a tuple of
variables of the same space.
"""
