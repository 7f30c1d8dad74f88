"""What a row adds to a sum, for counting the joint answers of sums under conditions.

Source: theory §6, rule H: docs/composition.md
"""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.exact.touched import touched


@dataclass(frozen=True, slots=True)
class Addend:
    """What a row adds to a sum: `unit` times a code of 0..`top`. The sum is in at most `most` bins of `width`.

    The code is that of a column (`own`), or of a function of the columns that it `reads`.
    """

    name: str
    reads: tuple[str, ...]
    own: bool
    top: int
    unit: int
    width: int
    most: int
    more: int = 0
    """How often other released functions of the same code change, such as its square."""

    def jumps(self, span: int, codes: int) -> int:
        """How often the bin changes while the code rises through `codes` values. The last is `span` above the first."""
        return min(min(touched(self.unit * span, self.width), self.most) - 1 + self.more, codes - 1)
