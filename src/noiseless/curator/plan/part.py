"""The rows that a number covers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from noiseless.curator.plan.condition import TRUE, Condition


@dataclass(frozen=True, slots=True)
class Part:
    """Some public cells with `size` rows in total, and a condition on private `columns` of these rows.

    For a condition on one column, `changes` is the most times its truth changes as the code increases, with missing
    values last. `whole` says that the cells hold all rows. At most `rows` of them belong to one person.
    """

    cells: tuple[int, ...]
    size: int
    condition: Condition = TRUE
    columns: tuple[str, ...] = ()
    changes: int = 0
    whole: bool = True
    rows: int = 1
    said: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    """The texts in which releases describe these rows. Parts that differ only in cells share them."""
    _hash: int = field(init=False, repr=False, compare=False)
    """The hash, computed once, because releases of many groups are looked up often."""

    def __post_init__(self) -> None:
        facts = self.cells, self.size, self.condition, self.columns, self.changes, self.whole, self.rows
        object.__setattr__(self, "_hash", hash(facts))
        said = self.condition, self.columns, self.changes
        if not self.said or self.said[0] != said:
            object.__setattr__(self, "said", (said, {}))

    def __hash__(self) -> int:
        return self._hash

    @property
    def plain(self) -> bool:
        """Whether every row counts, whatever its values."""
        return self.condition is TRUE or self.condition == TRUE

    def reads(self, *names: str) -> tuple[str, ...]:
        """The named columns, together with the private columns of the condition."""
        return tuple(sorted({*names, *self.columns}))
