"""Exact counting: integers, exact ratios, decimals in, directed rounding out.

This floor imports only the errors.
"""
