"""A point in time after which work should stop."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Real
from time import monotonic

from noiseless.errors import InputError


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of the time, on the monotonic clock."""

    at: float

    @classmethod
    def after(cls, time_limit: float) -> Deadline:
        """This number of seconds from now."""
        if not isinstance(time_limit, Real) or not isfinite(time_limit) or time_limit < 0:
            raise InputError(f"time_limit={time_limit!r} is not valid; give a number of seconds, 0 or more")
        return cls(monotonic() + float(time_limit))

    @property
    def left(self) -> float:
        """Seconds left; negative if the time is over."""
        return self.at - monotonic()

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.left <= 0

    def share(self, part: float) -> Deadline:
        """An earlier deadline, after part of the time left."""
        return Deadline(monotonic() + part * max(self.left, 0))
