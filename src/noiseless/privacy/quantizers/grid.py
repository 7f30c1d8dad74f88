"""Several quantizers side by side: a record becomes a box."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import narwhals as nw
from narwhals.exceptions import DuplicateError

from noiseless.errors import DomainError
from noiseless.exact.number import Number
from noiseless.privacy.quantizers.quantizer import Output, Outside, Quantizer


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """One quantizer for each named coordinate, as for the boxes of a map.

    >>> boxes = Grid({"north": Quantizer(0, 10, levels=2), "east": Quantizer(0, 9, levels=3)})
    >>> boxes.cells
    6
    >>> boxes.apply({"north": 6.0, "east": 4.0}, output="index")
    {'north': 1, 'east': 1}
    """

    axes: Mapping[str, Quantizer]

    def __post_init__(self) -> None:
        named = isinstance(self.axes, Mapping)
        if not named or not self.axes or not all(isinstance(axis, Quantizer) for axis in self.axes.values()):
            raise DomainError("a grid needs at least one named quantizer; write Grid({'north': Quantizer(…), …})")
        object.__setattr__(self, "axes", dict(self.axes))

    @property
    def cells(self) -> int:
        """The number of boxes."""
        return prod(axis.levels for axis in self.axes.values())

    def apply(
        self,
        data: Any,
        output: Output = "midpoint",
        outside: Outside = "raise",
        missing: Number | Literal["raise"] = "raise",
    ) -> Any:
        """The box of every record of a mapping of columns or a table. Only the grid's own coordinates are returned.

        With ``output="interval"`` every coordinate gives two columns, its name with _lower and _upper.
        """
        table = None if isinstance(data, Mapping) else _table(data)
        columns = columns_of(data if table is None else table, self.axes)
        results: dict[str, Any] = {}
        for name, axis in self.axes.items():
            result = axis.apply(columns[name], output, outside, missing)
            if output == "interval":
                results[f"{name}_lower"], results[f"{name}_upper"] = result
            else:
                results[name] = result
        if table is not None:
            return _table_of(table, results)
        if len({len(column) for column in results.values() if hasattr(column, "__len__")}) > 1:
            raise DomainError("the columns differ in length; give one value per column for every record")
        return results

    def __repr__(self) -> str:
        return "Grid(" + ", ".join(f"{name}: {axis!r}" for name, axis in self.axes.items()) + ")"


def columns_of(data: Any, names: Iterable[str]) -> dict[str, Any]:
    """The named columns of a mapping of columns or a table."""
    table = data if isinstance(data, (Mapping, nw.DataFrame)) else _table(data)
    present = table if isinstance(table, Mapping) else table.columns
    if absent := [name for name in names if name not in present]:
        raise DomainError(f"the data have no column {absent[0]!r}; give columns {', '.join(names)}")
    if isinstance(table, Mapping):
        return {name: table[name] for name in names}
    return {name: nw.to_native(table[name]) for name in names}


def _table(data: Any) -> nw.DataFrame[Any]:
    try:
        table: nw.DataFrame[Any] = nw.from_native(data, eager_only=True)
        if all(isinstance(name, str) for name in table.columns):
            return table
        raise DomainError("the names of the columns must be text; rename them")
    except DuplicateError:
        raise DomainError("the table has two columns of one name; rename one of them") from None
    except TypeError:
        raise DomainError(
            f"cannot read records from a {type(data).__name__}; give a mapping of columns, "
            f"or a pandas, polars or pyarrow table"
        ) from None


def _table_of(table: nw.DataFrame[Any], results: Mapping[str, Any]) -> Any:
    columns = [nw.from_native(column, series_only=True).alias(name) for name, column in results.items()]
    return nw.to_native(table.select(*columns))
