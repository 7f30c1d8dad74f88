"""The best cells for a given error: the fewest, or with the largest smallest cell."""
