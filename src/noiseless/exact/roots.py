"""Integer roots."""

from __future__ import annotations


def integer_root(number: int, degree: int) -> int:
    """The largest integer whose power is at most the number.

    >>> integer_root(80, 4), integer_root(81, 4)
    (2, 3)
    """
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low
