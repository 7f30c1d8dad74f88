"""The most that a sum over rows can be, given what is known: a proof by one partition and multiples of facts.

Every row is in one cell of the partition, whose numbers of rows are known exactly. If Σ g_f is at most h_f for facts f,
then for all y_f ≥ 0

    Σ g  ≤  Σ_f y_f·h_f + Σ_cells rows·max(g − Σ_f y_f·g_f over what a row of the cell can be),

and likewise with the least of Σ g_f for y_f < 0. The multiples come with the certificate; that they prove the bound is
computed here. Nothing needs to be solved.

Source: theory §13, linear programs and their duals
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import (
    TRUE,
    Condition,
    cuts,
    functions_of,
    holds_for,
    parts_of,
)
from noiseless.curator.certificate.checker.derive import Cells
from noiseless.curator.certificate.checker.forms import MISSING, Form, Name, Piece
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.functions import Function, Row
from noiseless.curator.certificate.checker.ranges import Columns
from noiseless.curator.certificate.checker.releases import Computed
from noiseless.curator.certificate.checker.wrong import require

MOST_ATOMS = 400_000
Multiples = Sequence[tuple[Piece, Fraction]]
Weighted = list[tuple[Fraction, Form]]


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of some public cells for which a condition holds, divided into cells with known numbers of rows.

    Each of the `forms` counts the rows of one cell: those with a value, in a cell of groups, or all that meet the
    condition.
    """

    forms: Sequence[Form]
    rows: Sequence[int]
    known: Mapping[Hashable, int] = field(init=False)

    def __post_init__(self) -> None:
        keys = (form.value if form.value is not None else form.place for form in self.forms)
        object.__setattr__(self, "known", {key: place for place, key in enumerate(keys)})

    @property
    def cells(self) -> frozenset[int]:
        """The public cells."""
        return self.forms[0].cells

    def place(self, row: Row, columns: Columns) -> int | None:
        """The place of the cell of a row. None if the row does not meet the condition."""
        first = self.forms[0]
        if first.condition != TRUE and holds_for(first.condition, row, columns) is not True:
            return None
        if first.value is not None:
            code = row[str(first.column)]
            return self.known[MISSING if code is None else code]
        return self.known[tuple(value_of(each.function, row, columns) for each in first.groups)]

    def over(self, names: frozenset[str]) -> Block:
        """The same block with fewer cells: cells that differ only in other columns are joined. Nothing is lost."""
        first = self.forms[0]
        if first.value is not None:
            return self if first.column in names else Block([Form(first.cells, first.condition)], [sum(self.rows)])
        kept = list[int]()
        while more := [n for n, each in enumerate(first.groups) if n not in kept and each.function.reads & names]:
            kept, names = [*kept, *more], names.union(*(first.groups[n].function.reads for n in more))
        if len(kept) == len(first.groups):
            return self
        found: dict[tuple[Any, ...], int] = {}
        for form, rows in zip(self.forms, self.rows, strict=True):
            place = tuple(form.place[n] for n in kept)
            found[place] = found.get(place, 0) + rows
        own = replace(first, groups=tuple(first.groups[n] for n in kept))
        return Block([replace(own, place=place) for place in found], [*found.values()])

    def counts(self, sizes: Sequence[int]) -> dict[int | None, int]:
        """The rows of every cell, and of those that do not meet the condition."""
        left = sum(sizes[each] for each in self.cells) - sum(self.rows)
        return {None: left, **dict(enumerate(self.rows))}


Base = Sequence[Block]
"""Blocks of different public cells. The other public cells are known by their numbers of rows."""


@dataclass(frozen=True, slots=True)
class World:
    """What is public: the cells of public keys with their rows, the columns, and the functions that are computed."""

    cells: Cells
    columns: Columns
    functions: Mapping[Computed, Function]

    def most(self, wanted: Weighted, base: Base, multiples: Multiples) -> Fraction:
        """A certain upper bound of a sum of forms."""
        total = sum((_end(piece, times) for piece, times in multiples), Fraction(0))
        weighted = [*wanted, *((-times, piece[0]) for piece, times in multiples)]
        read = frozenset[str]().union(*(form.reads(self.functions) for _, form in weighted))
        base = [block.over(read) for block in base]
        block_of = {public: place for place, block in enumerate(base) for public in block.cells}
        best: dict[Hashable, Fraction] = {}
        for members, atoms in self._atoms([form for _, form in weighted], base):
            block = block_of.get(members[0])
            for row, spans in atoms:
                value = self._value(weighted, members[0], row, spans)
                own: list[Hashable] = [*members]
                if block is not None:
                    own = [(block, base[block].place(row, self.columns))]
                for key in own:
                    best[key] = max(value, best.get(key, value))
        for key, rows in self._counts_of(base, block_of).items():
            require(rows >= 0 and (not rows or key in best), "what is known contradicts itself")
            total += rows * best[key] if rows else 0
        return total

    def _counts_of(self, base: Base, block_of: Mapping[int, int]) -> dict[Hashable, int]:
        """The rows of every cell of the blocks, and of every other public cell."""
        sizes = self.cells.rows
        require(sum(len(block.cells) for block in base) == len(block_of), "blocks have public cells in common")
        found: dict[Hashable, int] = {each: rows for each, rows in enumerate(sizes) if each not in block_of}
        for place, block in enumerate(base):
            found |= {(place, cell): rows for cell, rows in block.counts(sizes).items()}
        return found

    def _atoms(
        self, forms: list[Form], base: Base
    ) -> Iterator[tuple[list[int], Iterator[tuple[Row, Mapping[str, tuple[int, int]]]]]]:
        """Classes of public cells, each with runs of codes in which every form is a straight line."""
        every = [*forms, *(block.forms[0] for block in base)]
        read = frozenset[str]().union(*(form.reads(self.functions) for form in every))
        places = [place for place, name in enumerate(self.cells.names) if name in read]
        alike: dict[Hashable, list[int]] = {}
        for each, codes in enumerate(self.cells.codes):
            key = tuple(codes[place] for place in places), tuple(each in form.cells for form in every)
            alike.setdefault(key, []).append(each)
        names = sorted(name for name in read if not self.columns[name].public)
        runs = [self._runs(name, every) for name in names]
        require(len(alike) * prod(map(len, runs)) <= MOST_ATOMS, "it would take too long to check")
        for members in alike.values():
            public = dict(zip(self.cells.names, self.cells.codes[members[0]], strict=True))
            yield members, (self._atom(public, names, found) for found in product(*runs))

    def _atom(
        self, public: Mapping[str, int], names: list[str], found: Sequence[tuple[int, int] | None]
    ) -> tuple[Row, Mapping[str, tuple[int, int]]]:
        own = {name: None if run is None else run[0] for name, run in zip(names, found, strict=True)}
        return {**public, **own}, {name: run for name, run in zip(names, found, strict=True) if run is not None}

    def _runs(self, name: str, forms: Sequence[Form]) -> list[tuple[int, int] | None]:
        """Runs of codes of a column, and None for a missing value."""
        column = self.columns[name]
        starts = {0, column.top + 1}
        for form in forms:
            starts |= set(self._starts(name, column, form))
        grouped = {id(each.function): each.function for form in forms for each in form.groups}
        for function in grouped.values():
            starts |= set(self._changes(name, column, function))
        edges = sorted(each for each in starts if 0 <= each <= column.top + 1)
        return [*((first, after - 1) for first, after in pairwise(edges)), *([None] if column.apart else [])]

    def _starts(self, name: str, column: Column, form: Form) -> Iterator[int]:
        whole = range(column.top + 1)
        yield from cuts(form.condition, name)
        if any(name in function.reads for function in _compared(form.condition)):
            yield from whole
        if isinstance(form.column, Computed) and name in self.functions[form.column].reads:
            yield from whole
        if form.column == name:
            yield from (end + 1 for end, _, _ in form.segments if end is not None)
            yield from whole if form.value is not None else ()

    def _changes(self, name: str, column: Column, function: Function) -> Iterator[int]:
        """Where the value of a function changes if this is its only column. Otherwise at every code, if it reads it."""
        if function.reads != {name}:
            yield from range(column.top + 1) if name in function.reads else ()
            return
        values = [value_of(function, {name: code}, self.columns) for code in range(column.top + 1)]
        yield from (code for code in range(1, len(values)) if values[code] != values[code - 1])

    def _value(self, weighted: Weighted, public: int, row: Row, spans: Mapping[str, tuple[int, int]]) -> Fraction:
        """The most of a sum of forms in an atom: each code is at one end of its run."""
        total, slopes = Fraction(0), dict[str, Fraction]()
        for times, form in weighted:
            if not self._adds(form, public, row):
                continue
            if form.column is None or form.value is not None:
                total += times
                continue
            code = self._code(form.column, row)
            if code is None:
                continue
            slope, plus = next((slope, plus) for end, slope, plus in form.segments if end is None or code <= end)
            total += times * plus
            if not isinstance(form.column, str):
                total += times * slope * code
            elif slope:
                slopes[form.column] = slopes.get(form.column, Fraction(0)) + times * slope
        return total + sum(slope * spans[name][slope > 0] for name, slope in slopes.items())

    def _adds(self, form: Form, public: int, row: Row) -> bool:
        if public not in form.cells:
            return False
        if form.condition != TRUE and holds_for(form.condition, row, self.columns) is not True:
            return False
        if form.value is not None:
            code = row[str(form.column)]
            return form.value == (MISSING if code is None else code)
        return form.place == tuple(value_of(each.function, row, self.columns) for each in form.groups)

    def _code(self, name: Name, row: Row) -> int | None:
        """The code of a column, or that of a function on its grid."""
        if isinstance(name, str):
            return row[name]
        value, column = value_of(self.functions[name], row, self.columns), self.columns[name]
        if not isinstance(value, Fraction):
            return None
        place = (2 * (value - column.low) + column.step) // (2 * column.step)
        return min(max(int(place), 0), column.top)


def _compared(condition: Condition) -> Iterator[Function]:
    yield from functions_of(condition)
    for part in parts_of(condition):
        yield from _compared(part)


def _end(piece: Piece, times: Fraction) -> Fraction:
    """What a multiple of a fact adds to the bound. Refused if the fact has no such end."""
    least, most = piece[1]
    end = most if times > 0 else least
    require(end is not None, "a fact has no such end")
    assert end is not None
    return times * end
