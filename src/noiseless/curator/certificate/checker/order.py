"""Whether the rows of a file are sorted by their columns, with missing values last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noiseless.curator.certificate.checker.wrong import require


class Order:
    """Looks at one batch after another, and keeps the last row of the one before."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.last = names, None

    def check(self, batch: Any) -> None:
        """Compare each row with the one before it."""
        import pyarrow
        from pyarrow import compute

        if not self.names or not batch.num_rows:
            return
        rows = pyarrow.Table.from_batches([batch] if self.last is None else [self.last, batch])
        self.last = batch.slice(batch.num_rows - 1)
        tied = pyarrow.array([True] * (rows.num_rows - 1), pyarrow.bool_())
        for name in self.names:
            column = rows.column(name).combine_chunks()
            column = column.cast("int8") if pyarrow.types.is_boolean(column.type) else column
            one, two = column.slice(0, rows.num_rows - 1), column.slice(1)
            none, other = compute.is_null(one), compute.is_null(two)
            falls = compute.or_(
                compute.fill_null(compute.greater(one, two), False), compute.and_(none, compute.invert(other))
            )
            require(not compute.any(compute.and_(tied, falls)).as_py(), "the rows of the file are not ordered")
            same = compute.or_(compute.fill_null(compute.equal(one, two), False), compute.and_(none, other))
            tied = compute.and_(tied, same)
