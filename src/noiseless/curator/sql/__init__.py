"""From text to a plan: a small closed grammar, everything else is refused by name."""
