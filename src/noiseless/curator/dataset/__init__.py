"""A frozen table of codes, what it is known by, and whether it keeps what its schema promises."""
