"""Bins, their edges, and how values are assigned to them."""
