"""Several queries of the same people as one: f = (f_1, …, f_q), answered by a cell of a grid."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noiseless.errors import BudgetError, DomainError
from noiseless.exact.number import Number
from noiseless.exact.readable import number_shown
from noiseless.privacy.composition.joint_count import Parts, Reading, bound, joint_guarantee
from noiseless.privacy.definitions.noiseless.calibrate import answers_for, calibrate, only_one
from noiseless.privacy.definitions.noiseless.certify import mechanism
from noiseless.privacy.domain import Codes, Values, members
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.mechanisms.records import within_domain
from noiseless.privacy.quantizers.containers import unpack
from noiseless.privacy.quantizers.grid import Grid, columns_of
from noiseless.privacy.quantizers.quantizer import Outside
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.query import Query

Reads = str | Callable[[Any], Any]
"""The column that a coordinate reads, or what it reads of each person's record."""


MOST_RECORDS = 1 << 10
"""Domains of more values are not listed."""


@dataclass(frozen=True, slots=True, repr=False)
class VectorMechanism:
    """Answers all coordinates of a vector at once, each by the bin its value lies in: together, a cell of a grid."""

    vector: Vector
    parts: Mapping[str, Mechanism]
    """The mechanism of each coordinate on its own."""
    guarantee: Guarantee
    """What the whole vector promises."""
    after: tuple[Callable[[Any], Any], ...] = ()

    @property
    def grid(self) -> Grid:
        """The cells."""
        return Grid({name: part.quantizer for name, part in self.parts.items()})

    @property
    def error(self) -> dict[str, Fraction]:
        """The worst error of each coordinate."""
        return {name: part.error for name, part in self.parts.items()}

    @property
    def counts(self) -> dict[str, int]:
        """The count of each coordinate on its own."""
        return {name: part.guarantee.count for name, part in self.parts.items()}

    def apply(self, data: Any, outside: Outside = "raise") -> Any:
        """The answer of every coordinate, after the functions added by `then`."""
        answer: Any = {name: self.parts[name].apply(column, outside) for name, column in self.vector.read(data).items()}
        for function in self.after:
            answer = function(answer)
        return answer

    def then(self, function: Callable[[Any], Any]) -> VectorMechanism:
        """The same mechanism with its answer processed further; the guarantee stays (post-processing)."""
        return replace(self, after=(*self.after, function))

    def __repr__(self) -> str:
        errors = ", ".join(f"{name} ±{number_shown(error, 'upper')}" for name, error in self.error.items())
        return f"VectorMechanism with {self.grid!r}: errors at most {errors}; {self.guarantee!r}"


@dataclass(frozen=True, init=False)
class Vector:
    """Queries of the same n people, answered together as one mechanism.

    Without `reads`, all coordinates read the same column. With it, each coordinate reads what it names: a column of a
    table, or a function of one person's record. `records` lists the records that a person can have, if they are
    finitely many. People whose records differ only in parts that no coordinate reads cause the same answers.

    Guarantee: the count of the vector is the least of several bounds, or exact for few data: see `joint_guarantee`.

    >>> from noiseless.privacy.queries.linear import Mean
    >>> both = Vector({"height": Mean(50, 100, 250), "weight": Mean(50, 0, 200)}, {"height": "cm", "weight": "kg"})
    >>> made = both.calibrate(bits=4)
    >>> made.counts, made.guarantee.count
    ({'height': 4, 'weight': 4}, 16)
    """

    coordinates: Mapping[str, Query | Histogram]
    reads: Mapping[str, Reads]
    records: tuple[Hashable, ...] | None
    declared: bool
    """Whether the records are declared, and not only the values of a common domain."""

    def __init__(
        self,
        coordinates: Mapping[str, Query | Histogram],
        reads: Mapping[str, Reads] | None = None,
        records: Iterable[Hashable] | None = None,
    ) -> None:
        if not isinstance(coordinates, Mapping) or not coordinates:
            raise DomainError("a vector needs named queries; write Vector({'mean': Mean(…), 'largest': Max(…)})")
        if not all(hasattr(query, "reach") for query in coordinates.values()):
            raise DomainError("a coordinate is not a query; give one such as Mean(n=300, low=0, high=60)")
        if len({query.n for query in coordinates.values()}) > 1:
            raise DomainError("the coordinates are declared for different numbers of people; give all of them one n")
        if not isinstance(reads, Mapping | None):
            raise DomainError(f"reads={reads!r} does not name coordinates; write it as {{'mean': 'height'}}")
        object.__setattr__(self, "coordinates", dict(coordinates))
        object.__setattr__(self, "reads", dict(reads or {}))
        object.__setattr__(self, "declared", records is not None)
        self._check_reads()
        object.__setattr__(self, "records", self._possible(records))
        if self.records is not None and self.declared:
            self._check_records(self.records)

    def _check_reads(self) -> None:
        if unknown := [name for name in self.reads if name not in self.coordinates]:
            raise DomainError(f"reads names {unknown[0]!r}, not a coordinate; use {', '.join(self.coordinates)}")
        columns = [read for read in self.reads.values() if isinstance(read, str)]
        if columns and len(columns) < len(self.coordinates):
            raise DomainError("some coordinates read a column and others do not; name a column for each of them")
        if not columns and not all(callable(read) for read in self.reads.values()):
            raise DomainError("reads needs names of columns, or functions of one person's record; give one of these")

    @property
    def of_columns(self) -> bool:
        """Whether the coordinates read named columns of a table."""
        return any(isinstance(read, str) for read in self.reads.values())

    @property
    def n(self) -> int:
        """How many people."""
        return next(iter(self.coordinates.values())).n

    def _possible(self, records: Iterable[Hashable] | None) -> tuple[Hashable, ...] | None:
        if records is None:
            shared = {_finite(query) for query in self.coordinates.values()}
            return None if self.reads or len(shared) > 1 else shared.pop()
        if self.of_columns:
            raise DomainError("records are read by functions, and reads names columns; give functions in reads")
        listed = list(records) if isinstance(records, Iterable) else []
        if not listed or not all(isinstance(record, Hashable) for record in listed):
            raise DomainError("records needs at least one record, each a number, a text or a tuple; list them so")
        return tuple(dict.fromkeys(listed))

    def _check_records(self, records: tuple[Hashable, ...]) -> None:
        for name, query in self.coordinates.items():
            if query.domain is None:
                continue
            try:
                within_domain(query, unpack(self.values(name, records))[0], "raise")
            except DomainError:
                raise DomainError(
                    f"a declared record gives {name!r} a value outside its domain; declare a wider domain, or leave "
                    f"out the record"
                ) from None

    def values(self, name: str, records: Iterable[Any]) -> list[Any]:
        """What a coordinate reads of each record."""
        read = self.reads.get(name)
        return [read(record) for record in records] if callable(read) else list(records)

    def read(self, data: Any) -> dict[str, Any]:
        """The column of each coordinate."""
        if self.of_columns:
            columns = columns_of(data, [read for read in self.reads.values() if isinstance(read, str)])
            return {name: columns[str(self.reads[name])] for name in self.coordinates}
        if not self.reads and not self.declared:
            return dict.fromkeys(self.coordinates, data)
        known, records = set(self.records or ()), list(data)
        if self.declared and not all(isinstance(record, Hashable) and record in known for record in records):
            raise DomainError("a record is not declared; add it to records=, or map it to a declared one")
        return {name: self.values(name, records) for name in self.coordinates}

    def calibrate(
        self,
        bits: Number | Mapping[str, Number] | None = None,
        *,
        error: Number | Mapping[str, Number] | None = None,
        count: int | Mapping[str, int] | None = None,
    ) -> VectorMechanism:
        """The finest grid for a budget, or the fewest answers for an error of each coordinate.

        One number of bits (or a `count`) is for all coordinates together: the same count for each, as high as the
        budget of the whole vector allows, then what is left to one after another. A mapping gives each its own.
        """
        only_one(bits, error, count)
        if error is not None:
            each = self._each(error, "error")
            return self._made({name: calibrate(query, error=each[name]) for name, query in self.coordinates.items()})
        if isinstance(bits, Mapping) or isinstance(count, Mapping):
            each, kind = (self._each(count, "count"), "count") if bits is None else (self._each(bits, "bits"), "bits")
            return self._made({name: calibrate(q, **{kind: each[name]}) for name, q in self.coordinates.items()})
        return self._made(self._finest(answers_for(bits, count)))

    def mechanism(self, grid: Grid) -> VectorMechanism:
        """The mechanism of your own grid, which has the names of the coordinates, with its guarantee."""
        if set(grid.axes) != set(self.coordinates):
            raise DomainError(f"the grid does not fit the coordinates; name each of {', '.join(self.coordinates)} once")
        return self._made({name: mechanism(grid.axes[name], query) for name, query in self.coordinates.items()})

    def certify(self, grid: Grid) -> Guarantee:
        """The guarantee of your own grid."""
        return self.mechanism(grid).guarantee

    def _made(self, parts: Parts) -> VectorMechanism:
        return VectorMechanism(self, parts, joint_guarantee(self._reading, parts))

    @property
    def _reading(self) -> Reading:
        columns = {name: str(self.reads[name]) if self.of_columns else "" for name in self.coordinates}
        records = self.records
        values = {name: tuple(self.values(name, records)) for name in self.coordinates} if records is not None else None
        functions = frozenset(name for name, read in self.reads.items() if callable(read))
        return Reading(columns, functions, values, self.declared)

    def _each(self, given: Any, what: str) -> Mapping[str, Any]:
        if not isinstance(given, Mapping):
            return dict.fromkeys(self.coordinates, given)
        if set(given) != set(self.coordinates):
            raise BudgetError(f"{what} does not match the coordinates; name each of {', '.join(self.coordinates)} once")
        return given

    def _finest(self, answers: int) -> Parts:
        """Equal counts by bisection, then one coordinate after another."""
        reading = self._reading

        def parts_of(counts: Mapping[str, int]) -> Parts:
            return {name: calibrate(query, count=counts[name]) for name, query in self.coordinates.items()}

        def highest(names: Iterable[str], counts: Mapping[str, int]) -> dict[str, int]:
            """The largest common count of these coordinates within the budget."""
            low, high = min(counts[name] for name in names), answers + 1
            while high - low > 1:
                middle = (low + high) // 2
                if bound(reading, parts_of({**counts, **dict.fromkeys(names, middle)})).count <= answers:
                    low = middle
                else:
                    high = middle
            return {**counts, **dict.fromkeys(names, low)}

        counts = highest(self.coordinates, dict.fromkeys(self.coordinates, 1))
        for name in self.coordinates:
            counts = highest([name], counts)
        return parts_of(counts)


def _finite(query: Query | Histogram) -> tuple[Hashable, ...] | None:
    """All values that a person can have, if they are few and the same for everybody."""
    if isinstance(query, Histogram):
        return query.values
    domain = query.domain
    return members(domain) if isinstance(domain, (Codes, Values)) and domain.points <= MOST_RECORDS else None
