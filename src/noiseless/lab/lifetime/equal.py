"""The price of the cheapest equal bins that keep the error. It is the same for every answer and every public group.

A count and a plain mean have 2 answers, a mean under a private condition 3 (with its count), and a median one answer
for each year, and one more under a private condition. `tests/lab/test_lifetime.py` asks curators for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from noiseless.lab.lifetime.asked import Kind, Question
from noiseless.lab.lifetime.people import People


def equal_answers(kind: Kind, people: People) -> int:
    """How many answers one person's data can cause to a question in equal bins."""
    if kind.name == "median":
        return people.scales[2].top + 1 + kind.private
    return 3 if kind.name == "mean" and kind.private else 2


def in_equal_bins(people: People, questions: Iterable[Question], bits: int) -> int:
    """How many questions are answered before one is refused: a public group answers m of them if K^m ≤ 2^bits."""
    groups, answered = Counter[int](), 0
    for question in questions:
        asked = question.about.regions or range(len(people.sizes))
        groups.update(asked)
        if equal_answers(question.kind, people) ** max(groups[group] for group in asked) > 1 << bits:
            break
        answered += 1
    return answered
