"""Privacy against one hypothesis: reports of almost the truth that do not tell the side of a boundary."""
