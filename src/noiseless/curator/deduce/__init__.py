"""What follows from everything that was released: the smallest intervals that can be proved, for free."""
