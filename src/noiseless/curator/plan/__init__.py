"""The plan of a question, its conditions, and the rows that each number covers."""
