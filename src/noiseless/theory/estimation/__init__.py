"""What an adversary can still estimate: the smallest ball around what remains possible."""
