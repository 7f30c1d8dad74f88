"""From text to a plan: a small closed grammar, everything else refused by name."""
