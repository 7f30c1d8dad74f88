"""A text or truth value that the reported numbers do not decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noiseless.exact.readable import number_shown


@dataclass(frozen=True, slots=True, repr=False)
class OneOf:
    """What follows from the reported numbers, and all that is possible. `empty` says that nothing may be true, too.

    >>> OneOf("little", ("little", "much"))
    'little' or 'much'
    """

    value: Any
    options: tuple[Any, ...]
    empty: bool = False

    def __repr__(self) -> str:
        return " or ".join(self._named(repr))

    def __str__(self) -> str:
        return " or ".join(self._named(number_shown))

    def _named(self, written: Any) -> list[str]:
        """All possible values, the reported one first."""
        others = [each for each in (*self.options, *([None] if self.empty else [])) if each is not self.value]
        return [written(each) for each in (self.value, *(each for each in others if each != self.value))]
