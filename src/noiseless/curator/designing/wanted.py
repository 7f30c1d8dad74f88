"""The numbers behind the questions of a workload, and what each of them needs to know about a row.

A number counts the rows where a condition is true, or is about the values that a column has in them. Two codes of a
column are alike for a condition if they never make a difference to it, whatever the other columns are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.designing.workload import Wish
from noiseless.curator.plan.condition import TRUE, Condition, Every, columns_read
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.classes import Axis, Classes, Column, classes_of_rows
from noiseless.curator.question.line import Asked
from noiseless.curator.question.reading import meaning
from noiseless.curator.schema.scale import Scale

COUNT, SUM, VALUE, OTHER = "count", "sum", "value", "other"
KINDS = {"COUNT": COUNT, "SUM": SUM, "AVG": VALUE, "ORDER": VALUE, "PERCENTILE_CONT": VALUE}
Codes = NDArray[np.int64]
"""An item for every value of a column: codes 0..M in order, then missing values if they are kept separate."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a condition needs from a column: which codes are alike for it, and for which codes it can be true."""

    alike: Codes
    possible: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """One number of a question.

    `range` is its largest minus its smallest possible value, None if that is not known. A number that measures a
    `column` is about its `codes`, each `unit` after the other, with values up to `rounding` from them. `by_column` says
    that its condition holds exactly if every column by itself allows it. `readings` is None if the condition is too
    large to be tried on all rows.
    """

    question: int
    aggregate: Aggregate
    kind: str
    rows: int
    readings: Mapping[str, Reading] | None
    by_column: bool
    range: Fraction | None = None
    column: str | None = None
    codes: int = 0
    unit: Fraction = Fraction(0)
    rounding: Fraction = Fraction(0)

    def error(self, span: int) -> Fraction:
        """Its certain error if every row that counts is known to count, and its value up to `span` codes."""
        if self.kind == COUNT:
            return Fraction(0)
        each = self.unit * Fraction(span, 2) + self.rounding
        return each * self.rows if self.kind == SUM else each


def numbers_of(wishes: Iterable[Wish], dataset: Dataset) -> list[Number]:
    """All numbers of all questions, each once, without those that are public."""
    known: dict[Condition, Mapping[str, Reading] | None] = {}
    found: list[Number] = []
    for place, wish in enumerate(wishes):
        _, lines = meaning(wish.text, dataset, centred=True)
        seen = set()
        for line in lines:
            for aggregate, asked in line.numbers.items():
                if isinstance(asked, Asked) and (aggregate, asked) not in seen:
                    seen.add((aggregate, asked))
                    found.append(_number(place, aggregate, asked, dataset, known))
    return found


def _number(
    place: int,
    aggregate: Aggregate,
    asked: Asked,
    dataset: Dataset,
    known: dict[Condition, Mapping[str, Reading] | None],
) -> Number:
    part, kind = asked.release.part, KINDS.get(aggregate.function, OTHER)
    condition = every_of(part.condition, asked.both)
    if condition not in known:
        known[condition] = readings(condition, dataset)
    name = getattr(asked.release, "name", None)
    column = dataset.schema.private.get(name) if isinstance(name, str) else None
    made = partial(
        Number, place, aggregate, rows=part.size, readings=known[condition], by_column=_is_by_column(condition)
    )
    if kind == COUNT:
        return made(kind, range=Fraction(part.size))
    if not isinstance(column, Scale) or kind == OTHER or asked.pair is not None:
        return made(OTHER)
    unit, rounding = abs(asked.factor) * column.step, abs(asked.factor) * dataset.rounding(str(name))
    span = unit * column.top
    if kind == SUM:
        low, high = sorted(asked.factor * end + asked.shift for end in (column.low, column.high))
        span = part.size * (max(high, Fraction(0)) - min(low, Fraction(0)) if condition != TRUE else high - low)
    return made(kind, range=span, column=name, codes=column.top + 1, unit=unit, rounding=rounding)


def every_of(*conditions: Condition) -> Condition:
    """All readings, without those of conditions that always hold."""
    given = [each for each in conditions if each != TRUE]
    return given[0] if len(given) == 1 else Every(tuple(given)) if given else TRUE


def _is_by_column(condition: Condition) -> bool:
    """Whether the condition is an AND of conditions that read one column each."""
    parts = condition.parts if isinstance(condition, Every) else (condition,)
    return all(len(columns_read(part)) <= 1 for part in parts)


def readings(condition: Condition, dataset: Dataset) -> Mapping[str, Reading] | None:
    """For every private column that the condition reads, which codes are alike. None if there are too many rows."""
    schema, read = dataset.schema, columns_read(condition)
    columns = [Column(name, column.top, column.apart) for name, column in schema.private.items() if name in read]
    columns += [Column(name, column.top, public=True) for name, column in schema.public.items() if name in read]
    classes = classes_of_rows([condition], columns)
    if classes is None or any(not isinstance(axis.of, str) for axis in classes.axes):
        return None
    true = _truth(classes, condition)
    return {
        axis.of: _reading(axis, np.moveaxis(true, place, 0))
        for place, axis in enumerate(classes.axes)
        if isinstance(axis.of, str) and not axis.public
    }


def _truth(classes: Classes, condition: Condition) -> NDArray[np.bool_]:
    """Where the condition is true: for every combination of pieces."""
    mask, _ = classes.truth(condition)
    bits = np.frombuffer(mask.to_bytes((classes.size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(bits, bitorder="little")[: classes.size].astype(bool).reshape([a.pieces for a in classes.axes])


def _reading(axis: Axis, true: NDArray[np.bool_]) -> Reading:
    slices = true.reshape(axis.pieces, -1)
    _, alike = np.unique(slices, axis=0, return_inverse=True)
    ends = (*axis.ends, *([axis.ends[-1] + 1] if axis.apart else []))
    lengths = np.diff(ends)
    return Reading(np.repeat(alike.ravel(), lengths), np.repeat(slices.any(axis=1), lengths))
