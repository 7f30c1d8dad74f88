"""How it is counted: integers, exact ratios, decimals in, directed rounding out.

This floor imports nothing but the errors.
"""
