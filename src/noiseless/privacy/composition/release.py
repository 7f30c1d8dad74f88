"""One release, with what composition needs to know about it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.errors import CompositionError
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.cuts import UniformCuts
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.bounded import Bounded
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.linear import Count, EqualWeights, Linear
from noiseless.privacy.queries.query import Query
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True, slots=True)
class Release:
    """A release that one person's record can change among `count` answers, with the others' data fixed.

    `columns` are the columns it reads. In one ordered column it is monotone in `pieces` pieces (None: not known).
    `affine` says that it is a quantised affine function of the record. `groups` are the public cells whose people it
    covers, None for everybody. Cells are disjoint, so with several public columns a cell combines their keys. `values`
    is the number of values of each column, None where it is unknown or infinite. Equal queries of the same
    column and groups are the same question only if they have the same `about`: None for all people of the groups, or a
    named subset or predicate.
    """

    columns: tuple[str, ...]
    count: int
    pieces: int | None = 1
    affine: bool = False
    groups: frozenset[Hashable] | None = None
    values: tuple[int | None, ...] = ()
    query: Query | Histogram | None = None
    quantizer: Quantizer | None = None
    about: Hashable = None

    def __post_init__(self) -> None:
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise CompositionError(f"columns={self.columns} is not valid; name each column that is read once")
        sizes = [size for size in self.values if size is not None]
        pieces = 1 if self.pieces is None else self.pieces
        if any(type(number) is not int or number < 1 for number in (self.count, pieces, *sizes)):
            raise CompositionError(
                f"count={self.count}, pieces={self.pieces} and values={self.values} are not all integers ≥ 1; "
                f"correct them"
            )
        if self.affine and self.pieces != 1:
            raise CompositionError(
                f"an affine release is monotone in every column, and pieces={self.pieces} says it is not; leave "
                f"pieces at 1"
            )
        if self.groups is not None and not self.groups:
            raise CompositionError("groups=∅ covers no one; name the public groups, or use None for everybody")
        if not self.values:
            object.__setattr__(self, "values", (None,) * len(self.columns))
        if len(self.values) != len(self.columns):
            raise CompositionError(
                f"values={self.values} does not fit columns={self.columns}; give the number of values of each column"
            )

    @classmethod
    def of(
        cls,
        mechanism: Mechanism,
        column: str,
        groups: Iterable[Hashable] | None = None,
        about: Hashable = None,
        pieces: int | None = None,
    ) -> Release:
        """The release of a mechanism that reads one column, for all people or for some public groups.

        Values that the user computes are different questions, even if their bounds are equal.

        A count needs its predicate as `about`, and as `pieces` how often its truth changes as the value rises: 1 for a
        threshold, 2 for a range.

        >>> import noiseless as nl
        >>> Release.of(nl.calibrate(nl.Mean(300, 0, 60), bits=1), "kWh").count
        2
        >>> Release.of(nl.calibrate(nl.Count(300), bits=1), "age", about="age >= 65", pieces=1).jumps
        1
        """
        query = mechanism.query
        if isinstance(query, Count) and (about is None or pieces is None):
            raise CompositionError(
                "a count needs its predicate; give about='age >= 65' and pieces=1, the number of its truth changes"
            )
        if isinstance(groups, str):
            raise CompositionError(f"groups={groups!r} is a text; give a list of groups, as in [{groups!r}]")
        derived = isinstance(query, (Count, Histogram))  # its domain is not the column's
        return cls(
            columns=(column,),
            count=mechanism.guarantee.count,
            pieces=query.pieces if pieces is None else pieces,
            affine=isinstance(query, (Linear, EqualWeights)) and not isinstance(query, Count),
            groups=None if groups is None else frozenset(groups),
            values=(None if derived or isinstance(query.domain, Interval | None) else query.domain.points,),
            query=None if isinstance(query, Bounded) and query.function is None else query,
            quantizer=mechanism.quantizer,
            about=about,
        )

    @property
    def jumps(self) -> int | None:
        """How often the answer can change as the value of one ordered column runs through its range, if known."""
        return None if self.pieces is None else self.pieces * (self.count - 1)

    @property
    def spacing(self) -> Fraction | None:
        """The distance between cuts in units of one person's value, for a sum in uniform bins that cover its range."""
        query, quantizer = self.query, self.quantizer
        if not isinstance(query, EqualWeights) or isinstance(query, Count) or quantizer is None:
            return None
        if quantizer.edges is not None or query.low < quantizer.low or query.high > quantizer.high:
            return None
        return quantizer.widest / query.weight

    def domains(self) -> dict[str, tuple[int | None, object]]:
        """For each column, its number of values and its declared domain, if known."""
        declared = None if self.query is None else self.query.domain
        return {column: (size, declared) for column, size in zip(self.columns, self.values, strict=True)}

    def contains(self, other: Release) -> bool:
        """Whether the other release is a function of this one: the same, or a coarser quantizer of the same query.

        Releases that only look the same (equal counts, no query) are different.
        """
        if self is other:
            return True
        if self.query is None or self.quantizer is None or other.quantizer is None:
            return False
        mine, theirs = ((r.columns, r.groups, r.query, r.about) for r in (self, other))
        return mine == theirs and nested(self.quantizer, other.quantizer)


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
