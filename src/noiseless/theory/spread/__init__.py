"""How a function spreads what is possible over the line: the push-forward of the uniform measure."""
