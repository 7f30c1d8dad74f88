"""Pages for people who were not there."""
