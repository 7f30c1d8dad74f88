"""What every release must say about itself: its count, its bins, its interval and its ledger entry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator import releases
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.weights import Bound, Weight
from noiseless.curator.releases.written import Fields, canonical, condition_fields, spans, topic_of
from noiseless.curator.schema.schema import Schema
from noiseless.errors import LedgerError
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import Counted, OtherQuestion
from noiseless.privacy.composition.stable import stable_sum
from noiseless.privacy.quantizers.guarded import Bins
from noiseless.privacy.quantizers.ladder import Ladder

Need = tuple[str, str | None] | tuple[str, str, int | str]
"""An integer that the engine must compute: count, sum, squares, min, max, distinct or tally of a column, a tally in
bins, or the products of two columns.

A "tally of" has two columns: the cells of private groups, and another one. It is the number of values and their sum for
every cell. "squares of" adds the sum of their squares. None instead of a column means the rows themselves."""
Numbers = Mapping[Need, Any]
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
else:  # numpy is loaded only for very many groups and for batches
    Integers = Any
Released = tuple[int, ...]
"""The released integers, from which everything that is shown is computed."""
Width = int | Bins | Ladder
"""Bins. An integer is the width of equal bins from 0 on. Other bins have guards, another start, or several widths."""
Paid = tuple["Release", Width]
"""A release and its bins: charged once, and free to repeat."""
_KINDS: dict[str, type[Release]] = {}


class Release(ABC):
    """Something about some rows that can be released in bins of a chosen `width`, or in guarded bins.

    A release says everything about itself, so that no caller asks for its kind: its count, its bins, its interval, and
    how the ledger books it. To add one, write its class, the SQL that leads to it, and its count again in the checker.

    Releases are keys of dictionaries. Their hash leaves fractions out, which are slow to hash: names and rows suffice.
    """

    __slots__ = ()
    kind: ClassVar[str]
    """Its name in ledgers and certificates."""
    refinable: ClassVar[bool] = False
    """Whether narrower bins cost only what is new in them. If so, the ledger remembers the known bins."""
    is_count: ClassVar[bool] = False
    """Whether it counts rows. A policy may round such counts."""

    shows_counts: ClassVar[bool] = False
    """Whether exact numbers of rows are released with it. A policy may forbid that."""
    cells_of: ClassVar[tuple[Derived, int] | None] = None
    """If it has a number for every cell: the function that gives a row's cell, and how many cells there are."""
    values_of: ClassVar[tuple[str, int] | None] = None
    """If it has a number for every value of a column: the column and how many values it has."""
    divides: ClassVar[bool] = False
    """Whether it counts rows in cells. Most deductions follow from such releases."""
    at_levels: ClassVar[bool] = False
    """Whether it gives another release at its finest stable level."""
    prefers_level: ClassVar[bool] = False
    """Whether an error is best kept at the finest stable level, because one person could move it anywhere."""

    if TYPE_CHECKING:  # a field in most classes, a property in some

        @property
        def part(self) -> Part:
            """The rows it is about."""

    def __init_subclass__(cls) -> None:
        if kind := cls.__dict__.get("kind"):
            _KINDS[kind] = cls
        if {"_own_fields", "family"} & set(cls.__dict__) and "_apart" not in cls.__dict__:
            setattr(cls, "_apart", Release._apart)  # noqa: B010 - that of another class does not know these fields

    @staticmethod
    def of_kind(kind: str) -> type[Release]:
        """The class of a kind that a ledger names. Refused if the kind is unknown."""
        if kind not in _KINDS:
            _load_all()
        if kind not in _KINDS:
            raise LedgerError(f"the ledger has a release of the unknown kind {kind!r}; open it with a newer noiseless")
        return _KINDS[kind]

    @property
    @abstractmethod
    def reads(self) -> tuple[str, ...]:
        """The private columns that it depends on."""

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The functions of a row that the engine must compute for it."""
        return ()

    @property
    def measured(self) -> tuple[Derived, ...]:
        """The functions whose values are shown, so that a certificate states their grids."""
        return self.computed

    @property
    @abstractmethod
    def widest(self) -> int:
        """The width beyond which the number of answers no longer falls; 1 for a release that is always exact."""

    @abstractmethod
    def answers(self, width: Width, rows: int = 1) -> int:
        """The most answers that a person with this number of `rows` can cause."""

    def window(self, rows: int = 1) -> int | None:
        """V: a person's data move its integer among at most V consecutive integers. None if guards do not help."""
        return None

    def guarded(self, error: Fraction, function: str, rows: int = 1) -> Bins | None:
        """The widest guarded bins that keep an error, if they are cheaper than equal ones: wide bins beyond guards."""
        window = self.window(rows)
        return None if window is None else self.guarding(self.wide_within(error, function), window)

    def guarding(self, wide: int, window: int) -> Bins | None:
        """Bins of this width with the narrowest guards. None if the guards would not be narrower than the bins."""
        wide, guard = self.rounded_width(wide, up=False), self.rounded_width(max(1, window - 1), up=True)
        return Bins(wide, guard) if wide > guard else None

    def wide_within(self, error: Fraction, function: str) -> int:
        """The widest bin that keeps an error."""
        return self.width_within(error, function)

    def narrowest(self, rows: int, wanted: int) -> int | None:
        """The smallest width with at most `wanted` answers, or None. The answers never grow with the width."""
        low, high = 1, self.widest
        if self.answers(high, rows) > wanted:
            return None
        while low < high:
            middle = (low + high) // 2
            if self.answers(middle, rows) <= wanted:
                high = middle
            else:
                low = middle + 1
        return low

    @abstractmethod
    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule by which `answers` counts, in words, with its numbers."""

    @property
    def attained(self) -> bool:
        """Whether some data are known to reach this count for a person with one row."""
        return False

    def group_bound(self, width: Width, rows: int) -> tuple[Fraction, Fraction] | None:
        """How far one person moves it, and the width of its bins. If given, groups of people have a bound too."""
        return None

    def levels(self, width: Width) -> int | None:
        """How many answers there are in total, if that is simply the number of bins."""
        return None

    @abstractmethod
    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins that keep this error. Refused if there are none. `people` is the `row_count`, if known."""

    @abstractmethod
    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """Half of the widest interval that can be reported. None if that depends on private data."""

    def rounded_width(self, width: int, up: bool) -> int:
        """A nearby width that is easy to divide later."""
        return width

    @property
    def row_count(self) -> Release | None:
        """The release of how many rows count, if that is private.

        It is released with this one, and its error needs it.
        """
        return None

    def of_rows(self, part: Part) -> Release:
        """The same release of other rows."""
        return replace(self, part=part)  # type: ignore[type-var]

    def in_cell(self, cell: int) -> Release:
        """The same release in another public cell with the same number of rows."""
        return self.of_rows(replace(self.part, cells=(cell,)))

    def counts_with(self, count: Release) -> bool:
        """Whether it adds up exactly the rows that a count counts: a row left out of one is left out of both."""
        return False

    def addends(self, width: Width) -> tuple[Addend, ...] | None:
        """What a row that counts adds to a sum. Empty for a count. None for a release that is neither."""
        return None

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """What a number of it says: by default how many rows count."""
        return Meaning("COUNT", self.part.condition)

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """The numbers of rows that it states, one for each label of rows, and their bins. None if it states none."""
        return None

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """What it says about sums over the rows of each label."""
        return iter(())

    def added(self, width: Width = 1) -> tuple[Weight, int, int] | None:
        """If it is one sum about centres: what a row that counts adds to it, and the least and the most of that."""
        return None

    def least_sum(self, width: Width = 1) -> int:
        """The sum over the rows that count which the released integer 0 stands for."""
        return 0

    @property
    def identity(self) -> Hashable:
        """Equal for two releases that say the same."""
        return self

    def refined(self, known: int) -> Release:
        """This release in narrower bins, if it is known in bins of `known`. The new width divides `known`."""
        raise AssertionError(f"a {type(self).__name__} cannot be refined")

    @property
    def unrefined(self) -> Release:
        """This release as if nothing were known of it."""
        return self

    @abstractmethod
    def question(self, width: Width) -> Counted:
        """How the ledger books it, for one row per person."""

    def question_of_everybody(self, width: Width, rows: int) -> Counted:
        """How a ledger with one account for everybody books it, if a person has up to `rows` rows."""
        return self.question(width) if rows == 1 else OtherQuestion(self.reads, self.answers(width, rows))

    def family(self) -> Fields:
        """What it shares with the same release of other rows, as plain fields. Integers are written as text."""
        part = self.part
        return {
            "kind": self.kind,
            "condition": condition_fields(part.condition),
            "reads": list(part.columns),
            "changes": str(part.changes),
            **self._own_fields(),
        }

    def _own_fields(self) -> Fields:
        """The fields that only this kind has."""
        return {}

    def said(self) -> tuple[Fields, str]:
        """Its family as fields and as text, written once for all cells of a question."""
        (_, known), key = self.part.said, (type(self), self._apart)
        if key not in known:
            family = self.family()
            known[key] = family, canonical(family), self
        found: tuple[Fields, str] = known[key][:2]
        return found

    @property
    def _apart(self) -> Hashable:
        """What tells families of this kind under one condition from each other: the release itself, or its own fields.

        Written families are kept alive, so their ids can serve as keys.
        """
        return self

    @property
    def place(self) -> str:
        """Its public cells, as text."""
        cells = self.part.cells
        return str(cells[0]) if len(cells) == 1 else spans(cells)

    @classmethod
    def fact(cls, family: Fields, schema: Schema) -> tuple[Fields, bool]:
        """The fact that some fields state, and whether they state its complement.

        All fields that state it give one fact.
        """
        return family, False

    @classmethod
    def implied_family(cls, family: Fields) -> Fields | None:
        """The fields of the `row_count` of a release with these fields."""
        return None

    @classmethod
    def window_of(cls, family: Fields, top: int) -> int:
        """The least window V that bins need, from these fields and the greatest code of the column.

        1 if it is not known.
        """
        return 1

    @classmethod
    def narrowed(cls, family: Fields) -> str:
        """The column in which it confines everybody to a bin. Empty if there is none."""
        return ""

    @classmethod
    def how_many(cls, family: Fields, schema: Schema) -> int:
        """How many numbers a release with these fields has."""
        return int(family.get("cells", 1))

    @abstractmethod
    def needs(self, width: Width) -> tuple[Need, ...]:
        """The integers that the engine must compute."""

    @property
    def largest(self) -> int:
        """The largest integer that it can be, before it is put into bins. The smallest is 0."""
        return self.widest - 1

    def integer(self, numbers: Numbers) -> int:
        """The integer that is put into bins."""
        raise AssertionError(f"a {type(self).__name__} is more than one integer")

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """What is released, from the integers that the engine found: the bin of the integer."""
        return (as_bins(width).place(self.integer(numbers)),)

    def observe_all(self, width: Width, numbers: Mapping[Need, Integers]) -> Integers:
        """What is released about many groups of equal size: one row of the array for each released integer."""
        import numpy as np

        columns = [column.tolist() for column in numbers.values()]
        each = (dict(zip(numbers, found, strict=True)) for found in zip(*columns, strict=True))
        return np.array([self.observe(width, found) for found in each], np.int64).T

    def steady_needs(self, finest: int) -> tuple[Need, ...]:
        """The integers that show what is stable in bins of `finest`, and of its multiples."""
        return self.needs(finest)

    def steady(self, width: int, finest: int, numbers: Numbers) -> Released | None:
        """What is released in bins of `width`, if no person's data alone could have changed it. Otherwise None."""
        window, bins = self.window(self.part.rows), Bins(width)
        assert window is not None
        total = self.integer(numbers)
        return (bins.place(total),) if stable_sum(total, bins, window, self.largest) else None

    def anything(self, function: str) -> Reported | None:
        """What is reported if nothing but the range is known. The interval holds if the number exists."""
        return self.report(self.largest + 1, (0,), function)

    @property
    def itself(self) -> Release:
        """The release that a stable level is about. Any other release is about itself."""
        return self

    def at_level(self, width: Width, released: Released) -> tuple[Release, Width, Released]:
        """A release at a stable level as the release itself in the bins of that level. Any other is unchanged."""
        return self, width, released

    def chance(self, width: Width, before: tuple[int, int] = (0, 0)) -> Fraction:
        """The chance of a loud outcome in guarded bins, if the integer may lie anywhere: g/(w + g).

        Earlier answers (`before`) say nothing about it, because other questions have other bins.
        """
        bins = as_bins(width)
        return Fraction(bins.guard, bins.wide + bins.guard)

    @property
    def topic(self) -> str:
        """What an earlier answer must be about, so that it says something about the chance of a loud one."""
        return topic_of(self.family())

    @property
    def in_words(self) -> str:
        """What it is, with its article."""
        return f"{'an' if self.kind[0] in 'aeiou' else 'a'} {self.kind}"

    @property
    def one_bin(self) -> Width:
        """A single bin for everything, so that the release costs nothing."""
        return self.widest

    def unsteady(self, width: int) -> Fraction | None:
        """The chance that it is not stable in bins of `width`, if it may lie anywhere. None if it has no levels."""
        window = self.window(self.part.rows)
        return None if window is None else min(Fraction(1), Fraction(2 * (window - 1), width))

    def report_after(self, place: int, width: Width, released: Released, function: str) -> Reported | None:
        """What is reported if its own integers begin at a place among those of a larger release."""
        return self.report(width, released[place:], function)

    @abstractmethod
    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """What is reported. None for a mean or a quantile over zero rows."""


def _load_all() -> None:
    """Import every release, so that all kinds are registered."""
    for module in iter_modules(releases.__path__, f"{releases.__name__}."):
        import_module(module.name)


@cache
def dividing_kinds() -> tuple[str, ...]:
    """The kinds of releases that count rows in cells."""
    _load_all()
    return tuple(kind for kind, release in _KINDS.items() if release.divides)


def is_guarded(width: Width) -> bool:
    """Whether bins have guards."""
    return isinstance(width, Bins) and width.guard > 0


def is_weighed(width: Width) -> bool:
    """Whether a release in these bins is charged by the answer: they have guards or several widths."""
    return isinstance(width, Ladder) or is_guarded(width)


def is_loud(width: Width, released: Released) -> bool:
    """Whether an outcome is dear: a guard, or a coarser level than the first."""
    return isinstance(width, (Bins, Ladder)) and width.is_loud(released[0])


def as_bins(width: Width) -> Bins:
    """The bins that a width names."""
    assert not isinstance(width, Ladder)
    return width if isinstance(width, Bins) else _equal_bins(width)


_equal_bins = lru_cache(maxsize=4096, typed=True)(Bins)
"""Equal bins by their width, remembered because many groups have the same."""


def guarded_words(what: str, bins: Bins, window: int) -> str:
    """The rule of guarded bins, in words, with its numbers.

    >>> guarded_words("a count", Bins(11, 1), 2)
    'a count in bins of w = 11 with guards of g = 1: 2 answers, a bin or the guard beside it, for a window of V = 2'
    """
    return (
        f"{what} in bins of w = {bins.wide} with guards of g = {bins.guard}: 2 answers, a bin or the guard beside it, "
        f"for a window of V = {window}"
    )


def guarded_question(release: Release, bins: Bins) -> GuardedOther:
    """How the ledger books a number in guarded bins that confines nobody. In a single bin nothing moves."""
    window = release.window() if release.answers(bins) > 1 else 1
    assert window is not None
    return GuardedOther(release.reads, bins, window)


def pieces(jumps: int, count: int) -> int:
    """The fewest monotone pieces in which `count` answers can make this number of jumps."""
    return max(1, -(-jumps // (count - 1))) if count > 1 else 1


def rounded_count(place: int, width: Width, size: int) -> Reported:
    """A number of rows, at most `size`, reported in bins of `width`. It is exact if the width is 1.

    >>> rounded_count(7, 1, 10), rounded_count(1, 5, 10), rounded_count(2, 5, 11)
    (7 exactly, 7 in [5, 9], 10.5 in [10, 11])
    """
    first, last = as_bins(width).ends(place)
    last = min(last, size)
    return Reported(first if first == last else Fraction(first + last, 2), first, last)


def middle(low: Fraction, high: Fraction) -> Reported:
    """The interval with its midpoint."""
    return Reported((low + high) / 2, low, high)
