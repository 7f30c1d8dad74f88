"""Privacy against one hypothesis: nearly true reports that do not reveal the side of a boundary."""
