"""How a function spreads the possible data over the line: the push-forward of the uniform measure."""
