"""The papers' data sets as their publishers wrote them, and synthetic twins for those who do not have them."""
