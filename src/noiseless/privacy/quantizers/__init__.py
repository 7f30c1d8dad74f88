"""Bins, their edges, and how values get into them."""
