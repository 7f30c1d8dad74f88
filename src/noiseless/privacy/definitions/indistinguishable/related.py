"""Indistinguishability of people whose data are related: the possible data are not a product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noiseless.errors import SpaceError
from noiseless.exact.number import written
from noiseless.theory.hypothesis.telling_answers import telling_answers
from noiseless.theory.information.joint_range import Variables
from noiseless.theory.variable import Variable


@dataclass(frozen=True, slots=True)
class IndistinguishedRelated:
    """How many answers distinguish two values of each person, over all data that are possible together."""

    telling_of: tuple[tuple[str, int], ...]
    """For each person, the most answers that are possible with one value and not with another: exact."""
    allowed: int

    @property
    def telling(self) -> int:
        """The most, over all people."""
        return max(number for _, number in self.telling_of)

    @property
    def holds(self) -> bool:
        """Whether the number of telling answers is allowed."""
        return self.telling <= self.allowed

    def explain(self) -> str:
        """What it means, in words."""
        return (
            f"Over all data that are possible together, at most {written(self.telling)} answers are possible with one "
            f"value of a person and not with another. {written(self.allowed)} were allowed: the promise "
            f"{'holds' if self.holds else 'does not hold'}."
        )


def telling_related(people: Sequence[Variable], answer: Variables) -> tuple[tuple[str, int], ...]:
    """For each person, max over two values of |⟦Y|x_i⟧ Δ ⟦Y|x_i'⟧|, over the joint range.

    >>> from noiseless.theory.space import Space
    >>> twins = Space({"one": [0, 1], "two": [0, 1]}).derive(total=lambda one, two: one + two)
    >>> telling_related([twins["one"], twins["two"]], twins["total"])
    (('one', 2), ('two', 2))
    """
    if not people or not all(isinstance(each, Variable) for each in people):
        raise SpaceError("people must be variables of one space; give at least one, such as [space['anna']]")
    return tuple((each.name, telling_answers(each, answer)) for each in people)
