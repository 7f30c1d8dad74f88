"""What a field of a row may be in truth, beside what is reported for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from noiseless.curator.question.after.form import Form, between, shortened
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.releases.reported import Reported


@dataclass(frozen=True, slots=True)
class Cell:
    """A number with all that it can be, as a form; or a text or truth value with its options. Dates are day numbers.

    `value` is what follows from the reported numbers, None for nothing. `empty` says that in truth it may be nothing.
    """

    value: Any
    form: Form | None = None
    options: frozenset[Any] = frozenset()
    empty: bool = False

    @property
    def something(self) -> bool:
        """Whether it may be something."""
        return self.form is not None or bool(self.options)

    @property
    def known(self) -> bool:
        """Whether only one thing is possible."""
        if self.form is not None:
            return not self.empty and self.form.low == self.form.high
        return len(self.options) + self.empty == 1

    def filled(self) -> Cell:
        """The cell, supposing that it is not nothing."""
        return Cell(self.value, self.form, self.options)


NOTHING = Cell(None, empty=True)


def exactly(value: Any) -> Cell:
    """A key or a constant."""
    if value is None:
        return NOTHING
    if isinstance(value, (bool, str)):
        return Cell(value, options=frozenset([value]))
    number = value.toordinal() if isinstance(value, date) else value
    return Cell(number, Form(number))


def number(value: Any, low: Any, high: Any, empty: bool = False) -> Cell:
    """A number between two ends."""
    value = None if value is None else shortened(value, up=False)
    return Cell(value, between(low, high), empty=empty)


def of_reported(field: Reported | None) -> Cell:
    """A released number. Each varies independently."""
    if field is None:
        return NOTHING
    value, low, high = (
        end.toordinal() if isinstance(end, date) else end for end in (field.value, field.lower, field.upper)
    )
    return number(value, low, high, empty=not field.sure)


def truth(value: bool | None, options: Iterable[bool | None]) -> Cell:
    """A truth value that may be some of true, false and unknown."""
    found = frozenset(options)
    return Cell(value, options=found - {None}, empty=None in found)


def truths_of(cell: Cell) -> frozenset[bool | None]:
    """What a truth value may be, None for unknown."""
    return cell.options | {None} if cell.empty else cell.options


def either(value: Any, cells: list[Cell]) -> Cell:
    """A cell that may be any of several, with the value that is reported."""
    found = [each for each in cells if each.something]
    empty = any(each.empty for each in cells)
    forms = [each.form for each in found if each.form is not None]
    if len(found) == 1:
        return Cell(value, found[0].form, found[0].options, empty)
    if forms:
        return number(value, min(form.low for form in forms), max(form.high for form in forms), empty)
    return Cell(value, options=frozenset().union(*(each.options for each in found)), empty=empty)


def signs_of(left: Cell, right: Cell) -> frozenset[int]:
    """How two cells that are not nothing may compare: -1 if the left one may be less, 0 if equal, 1 if greater."""
    if left.form is not None and right.form is not None:
        difference = left.form - right.form
        signs = ((difference.low < 0, -1), (difference.low <= 0 <= difference.high, 0), (difference.high > 0, 1))
        return frozenset(sign for possible, sign in signs if possible)
    return frozenset(sign_of(one, other) for one in left.options for other in right.options)


def sign_of(left: Any, right: Any) -> int:
    """How two values compare: -1, 0 or 1."""
    return int(left > right) - int(left < right)


def shown(cell: Cell, kind: str, is_number: bool) -> Any:
    """What an answer shows: a number with its interval, a key, or a text with all that it may be."""
    if not is_number:
        value = date.fromordinal(cell.value) if kind == "date" and cell.value is not None else cell.value
        if cell.known or kind in ("number", "date"):
            return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
        return OneOf(value, tuple(sorted(cell.options)), cell.empty)
    if cell.value is None or cell.form is None:
        return None
    value, low, high = cell.value, cell.form.low, cell.form.high
    value, low, high = shortened(value, up=False), shortened(low, up=False), shortened(high, up=True)
    if kind == "date":
        value, low, high = (date.fromordinal(int(end)) for end in (value, low, high))
    return Reported(value, low, high, sure=not cell.empty)
