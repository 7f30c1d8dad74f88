"""What a row adds to a sum, for counting the joint answers of sums under conditions.

Source: theory §6, rule H: docs/composition.md
"""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.exact.touched import touched


@dataclass(frozen=True, slots=True)
class Addend:
    """`unit` for every code 0..`top` of something that a row has; the sum is in bins of `width`, with at most `most`.

    It is a column, its `own` code, or a function of the columns that it `reads`.
    """

    name: str
    reads: tuple[str, ...]
    own: bool
    top: int
    unit: int
    width: int
    most: int
    more: int = 0
    """How often something else changes that is released of the same code, such as its square."""

    def jumps(self, span: int, codes: int) -> int:
        """How often the bin changes as the code rises through `codes` values, the last `span` above the first."""
        return min(min(touched(self.unit * span, self.width), self.most) - 1 + self.more, codes - 1)
