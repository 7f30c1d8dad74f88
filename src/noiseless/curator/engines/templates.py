"""Statements for tables of many columns: Ibis translates each kind of column only once.

Ibis takes milliseconds per column, so seconds for hundreds of columns. So one column of each kind is translated with
placeholders for its name and constants, and these are filled in for all columns of that kind. The statement is the same
as if Ibis had translated every column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Real, Scale
from noiseless.curator.schema.schema import Column
from noiseless.curator.sources.codes import lowest_inside

VALUE, PLACE, MADE = "noiseless_value", "noiseless_place", "noiseless_made"
TOP, MISSING = 1234567890123456781, 1234567890123987654
"""Codes that no column has. They stay different when they are doubles."""
MOST = 1000
"""Kinds of columns to remember."""
Expressions = Callable[[Any, Any, Any], Mapping[str, Any]]
"""Makes expressions from a column's declaration, its value and, if it was looked up, the place of its key, by name."""


@lru_cache
def translated(engine: type, what: str) -> dict[Any, Mapping[str, str]]:
    """The translations made in this process for some purpose and a class of engines. They serve every table."""
    return {}


@dataclass(frozen=True, slots=True)
class Templates:
    """Expressions over single columns in the SQL of an engine."""

    sql: Callable[[Any], str]
    """How the engine writes a statement."""
    quote: Callable[[str], str]
    """How it writes the name of a column."""
    known: dict[Any, Mapping[str, str]]
    """What was translated; `translated` remembers it for all engines of a class."""

    def filled(
        self, name: str, column: Column, given: Any, made: Expressions, kind: Any, place: str | None = None
    ) -> Mapping[str, str]:
        """The expressions of a column of type `given`; columns of equal `kind` differ only in names and constants.

        `place` is the name of another column, which holds the places of its keys.
        """
        plain = isinstance(column, Scale) and not isinstance(column, Date)
        standing: Any = _stand_in(column_is_apart(column)) if plain else column
        shape = (None if plain else column, column_is_apart(column), given, kind, place is None)
        if shape not in self.known:
            if len(self.known) == MOST:
                self.known.clear()
            self.known[shape] = self._translated(standing, given, made, place is not None)
        places = {_named(VALUE): self.quote(name)}
        if place is not None:
            places[_named(PLACE)] = self.quote(place)
        if plain:
            places |= dict(zip(_constants(standing), _constants(column), strict=True))
        pattern = re.compile("|".join(map(re.escape, places)))
        return {what: pattern.sub(lambda found: places[found[0]], text) for what, text in self.known[shape].items()}

    def _translated(self, column: Any, given: Any, made: Expressions, placed: bool) -> Mapping[str, str]:
        import ibis
        from ibis.expr.datashape import Columnar

        stub, found = ibis.table({VALUE: given, PLACE: "int64"}, name="noiseless_stub"), {}
        for what, expression in made(column, stub[VALUE], stub[PLACE] if placed else None).items():
            named = expression.name(MADE)
            whole = self.sql(stub.select(named) if isinstance(named.op().shape, Columnar) else stub.aggregate(named))
            [text] = re.findall(rf"^SELECT\s+(.*)\s+AS\s+\S{MADE}\S\s+FROM\s", whole, re.DOTALL)
            found[what] = re.sub(rf"\S?t0\S?\.\S({VALUE}|{PLACE})\S", r"<\1>", text)
        return found


def column_is_apart(column: Any) -> bool:
    """Whether missing values have no code; public columns have no missing values."""
    return bool(getattr(column, "apart", False))


def _named(name: str) -> str:
    return f"<{name}>"


@lru_cache
def _stand_in(apart: bool) -> Scale:
    """A column of the same kind with constants that serve as placeholders."""
    low, step = Fraction("1.5e101"), Fraction("4e90")
    made = Real(low, low + 10**6 * step, step)
    object.__setattr__(made, "top", TOP)
    object.__setattr__(made, "missing", "apart" if apart else low + MISSING * step)
    return made


def _constants(column: Any) -> list[str]:
    """All constants that an expression of a column of numbers contains."""
    ends = [f"'{float(end)!r}'" for end in (lowest_inside(column), column.low, column.high, column.step)]
    codes = [column.top] if column.apart else [column.top, column.missing_code]
    return [*ends, *map(str, codes), *(f"'{float(code)!r}'" for code in codes)]
