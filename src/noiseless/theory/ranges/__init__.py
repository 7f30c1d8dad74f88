"""The sets in which uncertain variables take their values."""
