"""The plan of a question, the conditions in it, and the rows that each number is about."""
