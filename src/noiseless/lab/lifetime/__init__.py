"""How many questions a budget answers: the same people and the same questions for every way of answering."""
