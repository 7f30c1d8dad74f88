"""Functions of one row: a closed tree over columns and rationals, exact, with known bounds."""
