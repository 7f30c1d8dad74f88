"""What was asked and what it cost, for ever: a chain of entries, and the budget that follows from them."""
