"""Two hundred questions about four tables: which are accepted, at what price, and how certain their answers are."""
