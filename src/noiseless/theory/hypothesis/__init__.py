"""Testing a hypothesis by what is reported."""
