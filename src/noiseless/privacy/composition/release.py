"""One release, as far as composition needs to know it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.errors import CompositionError
from noiseless.privacy.mechanisms.cuts import UniformCuts
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.mechanisms.quantizer import Quantizer
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.linear import EqualWeights, Linear
from noiseless.privacy.queries.query import Query
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True, slots=True)
class Release:
    """A release that one person's record can switch between `count` answers, the others' data fixed.

    `columns` are those it reads. Of one ordered column it is monotone in `pieces` pieces. `affine` says that it is a
    quantised affine function of the record. `groups` are the public cells whose people it covers, None for everybody;
    cells are disjoint, so where several public columns are told apart, a cell is a combination of their keys.
    `values` says how many values each column has, None where a column fills an interval. Equal queries of the same
    column and groups are taken to be about the same people, namely all of those groups.
    """

    columns: tuple[str, ...]
    count: int
    pieces: int = 1
    affine: bool = False
    groups: frozenset[Hashable] | None = None
    values: tuple[int | None, ...] = ()
    query: Query | Histogram | None = None
    quantizer: Quantizer | None = None

    def __post_init__(self) -> None:
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise CompositionError(f"columns={self.columns} must name the columns that are read, each once")
        if self.count < 1 or self.pieces < 1:
            raise CompositionError(f"count={self.count} and pieces={self.pieces} must be at least 1")
        if self.groups is not None and not self.groups:
            raise CompositionError("groups=∅ covers nobody; name the public groups, or None for everybody")
        if not self.values:
            object.__setattr__(self, "values", (None,) * len(self.columns))
        if len(self.values) != len(self.columns):
            raise CompositionError(f"values={self.values} must say for each of {self.columns} how many values it has")

    @classmethod
    def of(cls, mechanism: Mechanism, column: str, groups: Iterable[Hashable] | None = None) -> Release:
        """The release of a mechanism that reads one column, on all people or on some public groups.

        >>> import noiseless as nl
        >>> Release.of(nl.calibrate(nl.Mean(300, 0, 60), bits=1), "kWh").count
        2
        """
        query = mechanism.query
        return cls(
            columns=(column,),
            count=mechanism.guarantee.count,
            pieces=query.pieces,
            affine=isinstance(query, (Linear, EqualWeights)),
            groups=None if groups is None else frozenset(groups),
            values=(None if isinstance(query.domain, Interval) else query.domain.points,),
            query=query,
            quantizer=mechanism.quantizer,
        )

    @property
    def jumps(self) -> int:
        """How often the answer can change while the value of one ordered column runs through its range."""
        return self.pieces * (self.count - 1)

    @property
    def spacing(self) -> Fraction | None:
        """The distance between cuts in units of one person's value, for a sum in uniform bins of one column."""
        uniform = self.quantizer is not None and self.quantizer.edges is None
        if not uniform or not isinstance(self.query, EqualWeights) or len(self.columns) > 1:
            return None
        return self.quantizer.widest / self.query.weight  # type: ignore[union-attr]

    def sizes(self) -> Mapping[str, int | None]:
        """How many values each column it reads has."""
        return dict(zip(self.columns, self.values, strict=True))

    def contains(self, other: Release) -> bool:
        """Whether the other release is a function of this one: the same, or a coarser quantizer of the same query.

        Releases that only look alike (equal counts, no query) are different releases.
        """
        if self is other:
            return True
        if self.query is None or self.quantizer is None or other.quantizer is None:
            return False
        same = (self.columns, self.groups, self.query) == (other.columns, other.groups, other.query)
        return same and nested(self.quantizer, other.quantizer)


def nested(fine: Quantizer, coarse: Quantizer) -> bool:
    """Whether every inner edge of the coarse quantizer is an inner edge of the fine one.

    >>> nested(Quantizer(0, 12, levels=6), Quantizer(0, 12, levels=3)), nested(Quantizer(0, 12, 3), Quantizer(0, 12, 2))
    (True, False)
    """
    inner, wanted = fine.cuts, coarse.cuts
    if isinstance(inner, UniformCuts) and isinstance(wanted, UniformCuts):
        if not wanted.number:
            return True
        ends = [wanted.start + k * wanted.width for k in (1, wanted.number)]
        return all(_is_edge(inner, end) for end in ends) and (
            wanted.number == 1 or (wanted.width / inner.width).denominator == 1
        )
    known: Any = inner if isinstance(inner, UniformCuts) else set(inner.edges)
    listed = [coarse.edge(k) for k in range(1, coarse.levels)]
    return all(_is_edge(known, edge) if isinstance(known, UniformCuts) else edge in known for edge in listed)


def _is_edge(cuts: UniformCuts, number: Fraction) -> bool:
    place = (number - cuts.start) / cuts.width
    return place.denominator == 1 and 1 <= place <= cuts.number
