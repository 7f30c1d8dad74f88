"""What follows from the rows of a result, with certain intervals."""
