"""The best cells for an error that can be lived with: fewest, or with the largest smallest one."""
