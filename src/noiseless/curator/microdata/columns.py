"""What becomes of each column in a released copy: cells of codes, groups of named values, public keys.

Every expression is over the table of codes. It uses integers and one division, so that all engines write the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.errors import SchemaError
from noiseless.exact.rounding import float_down, float_up
from noiseless.privacy.composition.questions import ExactHistogram, OtherQuestion, PlainSum, Single

EXACT = 1 << 53
"""Whole numbers up to this are doubles, so a quotient of two of them is rounded once."""
OUTWARD = Fraction(1, 1 << 50)
"""A share that is larger than the rounding of an end to a double."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A number or date, released as its cell of `width` consecutive codes. The last cell may be shorter.

    Guarantee: ⌊M/w⌋ + 1 cells, and one more if missing values are kept separate.
    """

    rule: ClassVar[str] = "cells"
    name: str
    column: Scale
    width: int
    rounding: Fraction

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.column.top // self.width + 1

    @property
    def answers(self) -> int:
        """How many different results one row can have."""
        return self.cells + self.column.apart

    @property
    def smallest(self) -> int:
        """The fewest codes in a cell. The last cell may be short."""
        return 1 if self.column.apart else min(self.width, self.column.top + 1 - self.width * (self.cells - 1))

    @property
    def error(self) -> Fraction:
        """The largest distance of a report from the clamped value. A date that falls between two days adds one day."""
        half = Fraction(min(self.width, self.column.top + 1) - 1, 2) * self.column.step
        if isinstance(self.column, Date):
            half = Fraction(-(-half.numerator // half.denominator))
        return half + self.rounding

    @property
    def becomes(self) -> str:
        """What becomes of a value, in words."""
        return f"the middle of its cell, of {self.cells}"

    def fields(self) -> dict[str, Any]:
        """The fields for the ledger and certificates."""
        return {"column": self.name, "cells of": str(self.width), "answers": str(self.answers)}

    @property
    def question(self) -> Single:
        """How the ledger books it: a sum over one row. It confines everybody with a value to a cell."""
        if self.column.apart:
            return OtherQuestion((self.name,), self.answers)
        return PlainSum(self.name, self.width, rows=1, top=self.column.top)

    def outputs(self, code: Any, intervals: bool) -> dict[str, Any]:
        """The middle of the cell, and its ends widened by the rounding of codes. The outermost ends are the bounds."""
        column, start = self.column, self.width * (self.cells - 1)
        place = (code.cast("float64") / double(Fraction(self.width))).floor()
        middle, whole = column.step * (self.width - 1) / 2, column.step * (self.width - 1)
        short = (column.top + 1) % self.width != 0
        made = {
            self.name: self._line(place, middle, (code >= start, self.middle_of(self.cells - 1)) if short else None)
        }
        if intervals:
            least, most = Fraction(float_down(column.low)), Fraction(float_up(column.high))
            made[f"{self.name}_lower"] = self._line(place, -self.margin, (code < self.width, least))
            made[f"{self.name}_upper"] = self._line(place, whole + self.margin, (code >= start, most))
        return made

    def middles(self) -> list[Fraction]:
        """What is reported for each cell, in order. Between two days, the earlier one."""
        return [self.middle_of(place) for place in range(self.cells)]

    def middle_of(self, place: int) -> Fraction:
        """What is reported for a cell. Between two days, the earlier one."""
        last = min((place + 1) * self.width - 1, self.column.top)
        found = self.column.number(Fraction(place * self.width + last, 2))
        return Fraction(found // 1) if isinstance(self.column, Date) else found

    def end_of(self, place: int) -> int:
        """The first code after a cell."""
        return min((place + 1) * self.width, self.column.top + 1)

    def place_of(self, code: int) -> int:
        """The cell that a code lies in."""
        return code // self.width

    @property
    def places(self) -> list[int]:
        """The cell of every code."""
        return [self.place_of(code) for code in range(self.column.top + 1)]

    def first_sql(self, code: str) -> str:
        """The first code of the cell."""
        return f"({code} - {code} % {self.width})"

    def middle_sql(self, code: str) -> str:
        """Twice the middle code of the cell."""
        start = self.width * (self.cells - 1)
        inside = f"2 * {self.first_sql(code)} + {self.width - 1}"
        return f"(CASE WHEN {code} >= {start} THEN {start + self.column.top} ELSE {inside} END)"

    @property
    def margin(self) -> Fraction:
        """The rounding of codes, rounded up to few digits: whole days, or thousandths of a step."""
        column = self.column
        if not self.rounding:
            return Fraction(0)
        if isinstance(column, Date):
            return Fraction(ceil(self.rounding))
        wanted = self.rounding + OUTWARD * (abs(column.low) + abs(column.high) + column.step)
        return ceil(1000 * wanted / column.step) * column.step / 1000

    def _line(self, place: Any, beyond: Fraction, instead: tuple[Any, Fraction] | None) -> Any:
        """low + step·width·place + beyond, or another number in the cell that a condition selects."""
        import ibis

        column, constant, each = self.column, self.column.low + beyond, self.column.step * self.width
        if isinstance(column, Date):
            made, literal = place * int(each) + int(constant // 1), days_of
        else:
            made, literal = quotient(place, each, constant, column.high), double
        if instead is not None:
            made = ibis.ifelse(instead[0], literal(instead[1]), made)
        return as_date(made) if isinstance(column, Date) else made


@dataclass(frozen=True, slots=True)
class Groups:
    """A named value, released as the group it belongs to. The value is kept if every group has one value."""

    rule: ClassVar[str] = "groups"
    error: ClassVar[None] = None
    name: str
    column: Category | Boolean
    labels: tuple[Key, ...]
    """The group of each code."""

    @property
    def becomes(self) -> str:
        """What becomes of a value, in words."""
        return "kept as it is" if self.kept else "the group it belongs to"

    def fields(self) -> dict[str, Any]:
        """The fields for the ledger and certificates."""
        labels = [str(label) for label in self.labels]
        return {"column": self.name, "groups": labels, "answers": str(self.answers)}

    @property
    def kept(self) -> bool:
        """Whether nothing was generalised."""
        return self.labels == self.column.keys

    @property
    def answers(self) -> int:
        """How many different results one row can have."""
        return len(set(self.labels)) + self.column.apart

    @property
    def smallest(self) -> int:
        """The fewest values in a group."""
        return 1 if self.column.apart else min(self.labels.count(label) for label in set(self.labels))

    @property
    def question(self) -> Single:
        """How the ledger books it. A kept value is known exactly. A group is not a run of codes, so it only counts."""
        if self.kept and not self.column.apart:
            return ExactHistogram(self.name, self.column.values)
        return OtherQuestion((self.name,), self.answers)

    @property
    def places(self) -> list[int]:
        """The group of every code, numbered in the order in which groups are first met."""
        order = {label: place for place, label in enumerate(dict.fromkeys(self.labels))}
        return [order[label] for label in self.labels]

    def first_sql(self, code: str) -> str:
        """A code of the group: the code itself."""
        return code

    def outputs(self, code: Any, intervals: bool) -> dict[str, Any]:
        """The label of the code's group."""
        return {self.name: _label(code, self.labels)}


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """A public column: its declared keys or, if it has none, the values unchanged."""

    becomes: ClassVar[str] = "public"
    answers: ClassVar[None] = None
    error: ClassVar[None] = None
    name: str
    column: Public

    def fields(self) -> dict[str, Any]:
        """The fields for certificates."""
        return {"column": self.name, "public": True}

    def outputs(self, code: Any, intervals: bool) -> dict[str, Any]:
        """The key, which everybody may know."""
        return {self.name: _label(code, self.column.keys) if self.column.keys else code}


PrivateColumn = Cells | Groups
CopiedColumn = PrivateColumn | PublicKeys


def width_for(column: Scale, answers: int) -> int:
    """The narrowest cells that give at most `answers` different results."""
    cells = max(1, answers - column.apart)
    return -(-(column.top + 1) // cells)


def hierarchy_of(name: str, column: Category | Boolean, given: Mapping[Any, Any], level: int) -> tuple[Key, ...]:
    """The label of each value at a level of a declared hierarchy. Level 0 is the value itself."""
    labels: list[Key] = []
    by_text = {_text(key): above for key, above in given.items()}  # the keys of a TOML file are texts
    for key in column.keys:
        if _text(key) not in by_text:
            raise SchemaError(
                f"the hierarchy of {name!r} names no group for the value {key!r}; name one for every value"
            )
        steps = [key, *_above(name, by_text[_text(key)])]
        if level >= len(steps):
            raise SchemaError(
                f"the hierarchy of {name!r} has no level {level} for the value {key!r}; choose a lower level"
            )
        labels.append(str(steps[level]) if level else key)
    if extra := set(by_text) - set(map(_text, column.keys)):
        raise SchemaError(
            f"the hierarchy of {name!r} names {min(extra)!r}, which is not a declared value; correct the hierarchy "
            f"or the schema"
        )
    return tuple(labels)


def _text(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def _above(name: str, given: Any) -> list[Key]:
    above = [given] if isinstance(given, (str, int)) else given
    if not isinstance(above, (list, tuple)) or not all(isinstance(each, (str, int)) for each in above):
        raise SchemaError(f"the hierarchy of {name!r} must list the groups of a value as texts, from the narrowest up")
    return list(above)


def levels_of(name: str, given: Mapping[Any, Any]) -> int:
    """How many levels there are above the values."""
    return min((len(_above(name, above)) for above in given.values()), default=0)


def _label(code: Any, labels: tuple[Key, ...]) -> Any:
    import ibis

    kind = "string" if isinstance(labels[0], str) else "boolean" if isinstance(labels[0], bool) else "int64"
    return code.cases(
        *((place, ibis.literal(label, kind)) for place, label in enumerate(labels)), else_=ibis.null(kind)
    )


def quotient(place: Any, each: Fraction, constant: Fraction, high: Fraction) -> Any:
    """each·place + constant as the nearest double, by one division while whole numbers this large are doubles."""
    bottom, number = lcm(each.denominator, constant.denominator), place.cast("float64")
    if (abs(constant) + abs(high) + 1) * bottom >= EXACT:
        return number * double(each) + double(constant)
    made = number * double(each * bottom) + double(constant * bottom)
    return made if bottom == 1 else made / double(Fraction(bottom))


def numbers(column: Scale) -> NDArray[np.float64]:
    """The doubles that `quotient` gives for all codes, by the same steps."""
    bottom, codes = lcm(column.step.denominator, column.low.denominator), np.arange(column.top + 1, dtype=np.float64)
    if (abs(column.low) + abs(column.high) + 1) * bottom >= EXACT:
        return codes * float(column.step) + float(column.low)
    return (codes * float(column.step * bottom) + float(column.low * bottom)) / bottom


def double(number: Fraction) -> Any:
    """The nearest double, written so that every engine parses it the same way."""
    import ibis

    return ibis.literal(repr(float(number))).cast("float64")


def days_of(number: Fraction) -> Any:
    """A number of days."""
    import ibis

    return ibis.literal(int(number), "int64")


def as_date(days: Any) -> Any:
    """The day. The cast to a timestamp is needed because some engines return one here and Ibis does not know it."""
    import ibis

    return (ibis.date(EPOCH.isoformat()) + days.as_interval("D")).cast("timestamp").cast("date")
