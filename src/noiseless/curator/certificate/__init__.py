"""What anybody can check without trusting the curator: a signed text, and a checker that shares no code with it."""
