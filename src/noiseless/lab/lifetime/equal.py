"""What the cheapest equal bins that keep the error cost: the same for every answer, so a lifetime is a quotient.

A count and a plain mean have 2 answers, a mean under a private condition 3 (with its count), and a median one answer
for each year, and one more under a private condition. `tests/lab/test_lifetime.py` asks curators for them.
"""

from __future__ import annotations

from noiseless.lab.lifetime.asked import Kind
from noiseless.lab.lifetime.people import People


def equal_answers(kind: Kind, people: People) -> int:
    """How many answers one person's data can cause to a question in equal bins."""
    if kind.name == "median":
        return people.scales[2].top + 1 + kind.private
    return 3 if kind.name == "mean" and kind.private else 2


def in_equal_bins(kind: Kind, people: People, bits: int) -> int:
    """How many questions a budget answers: the largest m with K^m at most 2^bits."""
    answered, product = 0, equal_answers(kind, people)
    while product <= 1 << bits:
        answered, product = answered + 1, product * equal_answers(kind, people)
    return answered
