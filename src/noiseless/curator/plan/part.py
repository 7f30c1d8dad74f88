"""The rows that a number is about."""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.curator.plan.condition import TRUE, Condition


@dataclass(frozen=True, slots=True)
class Part:
    """Some public cells with `size` rows together, and a condition on private `columns` of these rows.

    Of a condition on one column `changes` says how often its truth changes at the most as the code runs up, missing
    values last. `whole` says that the cells hold every row there is; at most `rows` of them are one person's.
    """

    cells: tuple[int, ...]
    size: int
    condition: Condition = TRUE
    columns: tuple[str, ...] = ()
    changes: int = 0
    whole: bool = True
    rows: int = 1

    @property
    def plain(self) -> bool:
        """Whether every row counts, whatever is in it."""
        return self.condition == TRUE

    def reads(self, *names: str) -> tuple[str, ...]:
        """The private columns that decide, together with the named ones."""
        return tuple(sorted({*names, *self.columns}))
