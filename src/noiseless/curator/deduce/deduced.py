"""The smallest intervals that can be proved to contain the numbers of a question, from what is known already.

Nothing private is read: the result is a function of what was released, of the counts of released copies and of public
facts. So it costs nothing.

Source: theory §13: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.deduce.interval import Deduced, exactly
from noiseless.curator.deduce.numbers import MOST_WORK, Numbers
from noiseless.curator.plan.group import Shown
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.line import Known, Line
from noiseless.curator.question.question import Question

Keys = Mapping[str, Shown]
DeducedLine = tuple[Keys, Mapping[Aggregate, Deduced]]


def deduced(
    question: Question, dataset: Dataset, facts: Facts, work: int = MOST_WORK, exact: bool = False
) -> list[DeducedLine]:
    """For every line of a question its keys, and what follows about each number. Widths and prices are not needed.

    `work` is the most variables and entries of linear inequalities that are solved, for all numbers together. With
    `exact`, several facts bound a count only if it is a sum of exact ones.
    """
    return deduced_lines(question.whole().lines, dataset, facts, work, exact)


def deduced_lines(
    lines: Iterable[Line], dataset: Dataset, facts: Facts, work: int = MOST_WORK, exact: bool = False
) -> list[DeducedLine]:
    """For some lines their keys, and what follows about each number."""
    numbers, found = Numbers(dataset, facts, work, exact), list[DeducedLine]()
    for line in lines:
        each: dict[Aggregate, Any] = {}
        for aggregate, number in line.numbers.items():
            each[aggregate] = exactly(number.value) if isinstance(number, Known) else numbers.of(number)
        found.append((line.keys, each))
    return found
