"""Uncertain time series: one variable for each step, and what its reports reveal as time goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.errors import SpaceError, TooLargeError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import as_integer, shown
from noiseless.exact.plural import plural
from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.information.maximin_information import maximin_information
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.space import Space
from noiseless.theory.unrelated import unrelated
from noiseless.theory.variable import Variable, as_variable, same_samples

if TYPE_CHECKING:
    from noiseless.theory.capacity.channel import Channel
    from noiseless.theory.capacity.channel_sequence import ChannelSequence

MOST_SAMPLES = 1_000_000
RECEIVED = "_received"
"""The ending of the names of reports."""


@dataclass(frozen=True, slots=True, repr=False)
class Known:
    """What is known about X after some reports."""

    reports: int
    most: int
    """The most values that can still be possible."""
    least: int
    """The fewest values that can still be possible."""
    leakage: LogRatio
    """L0(X; Y[1], …, Y[k])."""
    common: LogRatio
    """I⋆(X; Y[1], …, Y[k])."""

    def __repr__(self) -> str:
        return (
            f"after {plural(self.reports, 'report')}: {self.least} to {self.most} values remain possible; "
            f"leakage {self.leakage!r}; maximin information {self.common!r}"
        )


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class TimeSeries:
    """X[1], …, X[k]: variables of one space, in the order of time. Steps count from 1.

    >>> space = Space({"monday": [0, 0, 1], "tuesday": [0, 1, 1]})
    >>> days = TimeSeries(space["monday"], space["tuesday"])
    >>> days.range, days.unrelated, days[2].given(monday=1)
    ({(0, 0), (0, 1), (1, 1)}, False, {1})
    """

    steps: tuple[Variable, ...]

    def __init__(self, *steps: Variable) -> None:
        if not steps or not all(isinstance(step, Variable) for step in steps):
            raise SpaceError("a time series needs a variable for each step; take them from one space, as space['X']")
        same_samples(*steps)
        names = [name for step in steps for name in step.names]
        if len(set(names)) < len(names):
            raise SpaceError("the series uses a variable at two steps; derive a copy with another name")
        object.__setattr__(self, "steps", steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.steps)

    def __getitem__(self, step: int) -> Variable:
        """X[step]."""
        return self.steps[self._checked(step) - 1]

    def until(self, step: int) -> Variable:
        """X[1], …, X[step] as one variable."""
        return as_variable(self.steps[: self._checked(step)])

    @property
    def range(self) -> FiniteRange:
        """⟦X[1], …, X[k]⟧: the courses that are possible."""
        return self.until(len(self)).range

    @property
    def unrelated(self) -> bool:
        """Whether the steps are unrelated: every course of possible values is possible."""
        return len(self) == 1 or unrelated(*self.steps)

    def is_memoryless(self, reports: TimeSeries) -> bool:
        """Whether ⟦Y[1], …, Y[k]|x[1], …, x[k]⟧ = ⟦Y[1]|x[1]⟧ × … × ⟦Y[k]|x[k]⟧ for every course x.

        The left is always inside the right, so their sizes decide. Source: NP §II-B: docs/channels.md
        """
        self._fits(reports)
        course = self.until(len(self))
        together = joint_range(course, reports.until(len(self))).sizes_given_x().astype(object)
        separately = np.ones(course.size, dtype=object)
        for sent, received in zip(self.steps, reports.steps, strict=True):
            sizes = joint_range(sent, received).sizes_given_x().astype(object)
            at_step = np.empty(course.size, dtype=object)
            at_step[course.codes] = sizes[sent.codes]
            separately *= at_step
        return bool(np.all(together == separately))

    def through(self, channel: Channel | ChannelSequence) -> tuple[TimeSeries, TimeSeries]:
        """The series and its reports, on samples that say what was sent and what came out.

        Every course is sent through the channel, or each step through its own channel of a sequence. The report of a
        variable X is called X_received.

        >>> from noiseless.theory.capacity.channel import Channel
        >>> days = TimeSeries(*map(Space({"a": [0, 1], "b": [1, 1]}).__getitem__, "ab"))
        >>> sent, received = days.through(Channel({0: {0}, 1: {0, 1}}))
        >>> received.range, sent[1].given(a_received=0)
        ({(0, 0), (0, 1), (1, 0), (1, 1)}, {0, 1})
        """
        from noiseless.theory.capacity.channel_sequence import ChannelSequence

        if any(len(step.names) > 1 for step in self.steps):
            raise SpaceError(
                "a step of the series is several variables; derive one, as in derive(X=lambda a, b: (a, b))"
            )
        used = channel if isinstance(channel, ChannelSequence) else ChannelSequence(channel)
        outputs = [
            {x: tuple(each.outputs_of(x)) for x in step.range}
            for step, each in zip(self.steps, used.first(len(self)), strict=True)
        ]
        courses: list[Any] = [(x,) for x in self.range] if len(self) == 1 else list(self.range)
        if sum(prod(len(of[x]) for of, x in zip(outputs, each, strict=True)) for each in courses) > MOST_SAMPLES:
            raise TooLargeError(f"what can come out has more than {MOST_SAMPLES} samples; use fewer steps")
        names = [step.name for step in self.steps]
        rows = [
            (*each, *out) for each in courses for out in product(*(of[x] for of, x in zip(outputs, each, strict=True)))
        ]
        titles = [*names, *(name + RECEIVED for name in names)]
        space = Space(dict(zip(titles, map(list, zip(*rows, strict=True)), strict=True)))
        found = [space[title] for title in titles]
        return TimeSeries(*found[: len(self)]), TimeSeries(*found[len(self) :])

    def reveals(self, x: Variables) -> list[Known]:
        """What is known about X after none, one, two, … of these reports.

        Guarantee: the most and the fewest possible values never grow, leakage and common information never fall:
        fewer reports are a function of more.

        >>> space = Space({"X": [1, 2, 3, 4], "low": [1, 1, 0, 0], "odd": [1, 0, 1, 0]})
        >>> [known.most for known in TimeSeries(space["low"], space["odd"]).reveals(space["X"])]
        [4, 2, 1]
        """
        about = as_variable(x)
        nothing = Known(0, about.size, about.size, LogRatio(1), LogRatio(1))
        return [nothing, *(self._known(about, step) for step in range(1, len(self) + 1))]

    def _known(self, about: Variable, step: int) -> Known:
        reports = self.until(step)
        sizes = joint_range(about, reports).sizes_given_y()
        most, least = int(sizes.max()), int(sizes.min())
        return Known(step, most, least, LogRatio.of(about.size, least), maximin_information(about, reports))

    def _checked(self, step: object) -> int:
        found = as_integer(step)
        if found is None or not 1 <= found <= len(self):
            raise SpaceError(f"step={shown(step)} is not a step of the series; use an integer from 1 to {len(self)}")
        return found

    def _fits(self, reports: object) -> None:
        if not isinstance(reports, TimeSeries) or len(reports) != len(self):
            raise SpaceError(f"the reports are not a time series of {len(self)} steps; give one report for each step")

    def __repr__(self) -> str:
        return "TimeSeries(" + ", ".join(step.name for step in self.steps) + ")"
