"""The schema: what every column holds, and who a person is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.derived import Derived
from noiseless.curator.schema.plain import why_not
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.errors import SchemaError, UnknownVariableError
from noiseless.exact.number import as_integer, shown
from noiseless.exact.readable import printable

Private = Scale | Category | Boolean
Column = Private | Public
MOST_ROWS = 10_000


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Schema:
    """The declared columns of a table. One row is one person, unless `unit` says otherwise.

    With `unit`, all rows that share a value of that column are one person. The first `rows` of them are kept, in the
    order of the public column `order_by`. Questions cannot use a column that is not declared.

    >>> from noiseless.curator.schema.scale import Real
    >>> schema = Schema(height=Real(100, 250, step="0.1"), region=Public("north", "south"))
    >>> list(schema.private), list(schema.public)
    (['height'], ['region'])
    """

    columns: Mapping[str, Column]
    unit: str | None
    rows: int
    order_by: str | None
    private: dict[str, Private] = field(compare=False)
    """The private columns."""
    public: dict[str, Public] = field(compare=False)
    """The public columns that have keys."""
    values: dict[str, int] = field(compare=False)
    """How many values each private column has."""

    def __init__(
        self,
        columns: Mapping[str, Column | Derived] | None = None,
        /,
        *,
        unit: str | None = None,
        rows: int = 1,
        order_by: str | None = None,
        **more: Column | Derived,
    ) -> None:
        declared = {**(columns or {}), **more}
        own = {name: column for name, column in declared.items() if not isinstance(column, Derived)}
        self._keep(own)
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "order_by", order_by)
        self._check_columns()
        self._check_unit()
        if len(own) < len(declared):
            made = {name: each.column(name, self) for name, each in declared.items() if isinstance(each, Derived)}
            self._keep({name: made[name] if name in made else own[name] for name in declared})
            self._check_columns()
        object.__setattr__(self, "values", {name: column.values for name, column in self.private.items()})

    def _keep(self, columns: Mapping[str, Column]) -> None:
        private = {name: column for name, column in columns.items() if not isinstance(column, Public)}
        public = {name: column for name, column in columns.items() if isinstance(column, Public) and column.keys}
        for name, value in (("columns", columns), ("private", private), ("public", public)):
            object.__setattr__(self, name, value)

    def _check_columns(self) -> None:
        if not self.private:
            raise SchemaError("the schema has no private column; add one, such as height=nl.Real(100, 250, step='0.1')")
        for name, column in self.columns.items():
            if not name or (wrong := why_not(name)):
                raise SchemaError(f"the name of a column {wrong if name else 'must not be empty'}; use a plain text")
            if not isinstance(column, Column):
                raise SchemaError(
                    f"column {name!r} has an unknown type; use Real, Integer, Date, Category, Boolean or Public"
                )
        lowered = [name.lower() for name in self.columns]
        if len(set(lowered)) < len(lowered):
            raise SchemaError("two columns differ only in upper and lower case, which SQL ignores; rename one")

    def _check_unit(self) -> None:
        if any(name is not None and why_not(name) for name in (self.unit, self.order_by)):
            raise SchemaError("unit= and order_by= must be names of columns; write them as texts")
        rows = as_integer(self.rows)
        if rows is None or not 1 <= rows <= MOST_ROWS:
            raise SchemaError(f"rows={shown(self.rows)} is not valid; use an integer from 1 to {MOST_ROWS}")
        if (self.unit is None) != (self.order_by is None) or (self.unit is None and rows > 1):
            raise SchemaError("unit=, rows= and order_by= belong together; give all three, or none")
        if self.unit is not None and self.unit in self.columns:
            raise SchemaError(
                f"unit={self.unit!r} identifies people, so it cannot be a column; remove it from the columns"
            )
        if self.order_by is not None and not isinstance(self.columns.get(self.order_by), Public):
            raise SchemaError(f"order_by={self.order_by!r} is not a public column; declare it as nl.Public()")

    def find(self, name: str) -> tuple[str, Column]:
        """A column by its name, in upper or lower case."""
        for known, column in self.columns.items():
            if known.lower() == name.lower():
                return known, column
        if self.unit is not None and self.unit.lower() == name.lower():
            raise UnknownVariableError(
                f"column {name!r} says whose row it is, so no question is about it; ask the custodian for a view with "
                f"one row for each {name}, and ask about that"
            )
        near = get_close_matches(name, self.columns, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {', '.join(self.columns)}"
        raise UnknownVariableError(f"column {name!r} does not exist; {hint}")

    def __repr__(self) -> str:
        words = [f"{name}={column!r}" for name, column in self.columns.items()]
        if self.unit is not None:
            words += [f"unit={self.unit!r}", f"rows={self.rows}", f"order_by={self.order_by!r}"]
        return printable(f"Schema({', '.join(words)})")

    def __hash__(self) -> int:
        return hash((tuple(self.columns.items()), self.unit, self.rows, self.order_by))
