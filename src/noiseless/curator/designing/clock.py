"""How long a search may take, with a bar on a terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic

from noiseless.errors import BudgetError
from noiseless.exact.number import Number, exact_number, shown
from noiseless.privacy.pictures.progress import PATIENCE, draw

FOR_EVER = Fraction(10**9)
"""More seconds than anyone would wait."""


@dataclass(slots=True)
class Clock:
    """Says whether there is time left. It draws a bar once the search takes longer than a moment."""

    seconds: float
    began: float = field(default_factory=monotonic)
    stopped: bool = False
    """Whether the search was ended by the clock."""
    _drawn: bool = False

    @classmethod
    def of(cls, seconds: Number) -> Clock:
        """A clock for some seconds. Refused unless they are a positive number."""
        given = exact_number(seconds, "seconds")
        if given <= 0:
            raise BudgetError(f"seconds={shown(seconds)} must be above 0; a design takes a few seconds")
        return cls(float(min(given, FOR_EVER)))

    def go_on(self) -> bool:
        """Whether there is time left."""
        used = monotonic() - self.began
        if used > PATIENCE and sys.stderr.isatty():
            draw("designing", min(1.0, used / self.seconds))
            self._drawn = True
        self.stopped |= used >= self.seconds
        return not self.stopped

    def end(self) -> None:
        """End the line of the bar."""
        if self._drawn:
            print(file=sys.stderr)
