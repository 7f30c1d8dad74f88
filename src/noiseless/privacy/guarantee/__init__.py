"""What is promised, and that promise in words."""
