"""A snapshot of a table as codes, its identity, and the check of what its schema promises."""
