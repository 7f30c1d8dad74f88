"""The papers' data sets as published, and synthetic twins for users without them."""
