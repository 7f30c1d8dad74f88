"""The certificate of a deduced answer: its intervals follow from earlier answers, and its rows from the intervals.

Each earlier answer is written as its own certificate writes it: plan and released integers. Each interval comes with
the proof of both ends. So nobody needs to search for a proof, or to trust a solver of linear programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, inf
from typing import Any

from noiseless.curator.certificate.checker.answers import Integers, derived, numbers_of, released_by, work_of
from noiseless.curator.certificate.checker.claims import Claim, Proof
from noiseless.curator.certificate.checker.columns import Column, Schema, date_of
from noiseless.curator.certificate.checker.counts import Widths
from noiseless.curator.certificate.checker.derive import Asked, Cells, Line, number_of_rows, read_cells
from noiseless.curator.certificate.checker.derived import read_whole_schema
from noiseless.curator.certificate.checker.entailed import Block, World
from noiseless.curator.certificate.checker.forms import ONE, Form, Piece, pieces
from noiseless.curator.certificate.checker.intervals import Interval
from noiseless.curator.certificate.checker.numbers import MOST_WORK, rational, whole
from noiseless.curator.certificate.checker.plans import Aggregate
from noiseless.curator.certificate.checker.union import Union, finish_union, read_union
from noiseless.curator.certificate.checker.words import question_of
from noiseless.curator.certificate.checker.wrong import elements, require

FIELDS = {"format", "noiseless", "dataset", "table", "rows", "schema", "cells", "plan", "question", "count", "answer"}
FIELDS |= {"facts", "numbers", "id"}
MAY_HAVE = {"grids", "public"}
FACT = {"entry", "hash", "plan", "releases"}
MOST_FACTS = 10_000
ALWAYS = ("count", "sum", "count_distinct")
"""Functions whose numbers exist even without rows."""
Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """What an earlier question released. One that stopped before its last step has not released all of it."""

    widths: Widths
    integers: Integers
    _said: dict[int, list[Piece]] = field(default_factory=dict, init=False, repr=False)

    def pieces(self, place: int, columns: Mapping[Any, Column]) -> list[Piece]:
        """What one of its releases says about sums over rows."""
        if place not in self._said:
            release = list(self.widths)[place]
            self._said[place] = pieces(release, self.widths[release], self.integers[release], columns)
        return self._said[place]


@dataclass(frozen=True, slots=True)
class Premises:
    """What a certificate is about: the lines of its question, the facts, and what is public."""

    union: Union
    selects: list[list[Line]]
    facts: list[Fact]
    world: World


def premises(content: Fields) -> Premises:
    """Everything but the numbers and the answer, read and derived."""
    check_from(content)
    whole_schema, rows = read_whole_schema(content["schema"]), whole(content["rows"])
    schema = replace(whole_schema, columns=dict(whole_schema.columns))  # functions of the row are added to these
    union = read_union(content["plan"], schema.columns)
    asked = question_of(content["plan"], content["table"])
    require(content["question"] == asked, "the question is not that of the plan")
    require(len(elements(content["facts"])) <= MOST_FACTS, "there are too many facts")
    plans = [read_union(fact["plan"], schema.columns) for fact in content["facts"]]
    named = union.grouped_by.union(*(each.grouped_by for each in plans))
    cells = read_cells(content["cells"], named, schema, rows)
    expected = sum(number_of_rows(plan, schema) for plan in union.selects)
    require(union.some or len(elements(content["answer"])) == expected, "the answer has too many rows, or too few")
    require(sum(work_of(plan, schema) for plan in union.selects) <= MOST_WORK, "it would take too long to check")
    computed: dict[Any, Any] = {}
    facts = [_fact(fact, plan, cells, schema, computed) for fact, plan in zip(content["facts"], plans, strict=True)]
    selects = derived(union, cells, schema, False, content.get("grids"), computed)
    world = World(cells, schema.columns, {made: key[0] for key, made in computed.items()})
    return Premises(union, selects, facts, world)


def check_deduction(content: Fields) -> int:
    """The count: one, because the answer is a function of earlier ones."""
    require(set(content) - MAY_HAVE == FIELDS, "fields are missing or unknown")
    require(content["count"] == "1", "what follows has one answer")
    found = premises(content)
    given = iter(elements(content["numbers"]))
    made = [[(line.keys, _intervals(line, given, found.facts, found.world)) for line in own] for own in found.selects]
    require(next(given, None) is None, "there are more numbers than the answer needs")
    require(content["answer"] == finish_union(found.union, made), "the answer does not follow from its numbers")
    return 1


def check_from(content: Fields) -> None:
    """The dataset and the version of noiseless, and the entries of the facts."""
    require(isinstance(content["table"], str), "the name of the table is not a text")
    require(re.fullmatch("[0-9a-f]{32}", content["dataset"]) is not None, "the id of the dataset is not one")
    version = content["noiseless"]
    require(isinstance(version, str) and 1 <= len(version) <= 100, "the version of noiseless is not one")
    for fact in elements(content["facts"]):
        require(set(fact) - {"centred", "grids", "public"} == FACT, "fields of a fact are missing or unknown")
        require(whole(fact["entry"]) >= 0, "the entry of a fact is impossible")
        require(re.fullmatch("[0-9a-f]{64}", fact["hash"]) is not None, "the hash of an entry is not a SHA-256")


def _fact(given: Fields, plan: Union, cells: Cells, schema: Schema, computed: dict[Any, Any]) -> Fact:
    selects = derived(plan, cells, schema, given.get("centred", False), given.get("grids"), computed)
    lines = [line for each in selects for line in each]
    return Fact(*released_by(given["releases"], lines, schema, all_of=False))


def _intervals(line: Line, given: Iterator[Any], facts: list[Fact], world: World) -> dict[Aggregate, Interval | None]:
    """The numbers of a line: public ones, and those whose intervals are claimed and proved."""
    found: dict[Aggregate, Interval | None] = {}
    for aggregate, source in line.numbers.items():
        if isinstance(source, Asked):
            found[aggregate] = claimed(aggregate, source, elements(next(given)), facts, world)
        else:
            value = source.value
            found[aggregate] = None if value is None else Interval(*(Fraction(value),) * 3)
    return found


def claimed(aggregate: Aggregate, asked: Asked, given: list[Any], facts: list[Fact], world: World) -> Interval | None:
    """An interval with its proofs: that of the same release, or sums over rows."""
    if given[0] == "none" or given == ["stated"]:
        require(aggregate[0] not in ALWAYS, "a count or a sum is left out, and there always is one")
    if given[0] == "stated":
        return _stated(given[1:], Claim(world, aggregate[0], asked))
    if given[0] == "same":
        return same(aggregate, asked, facts[whole(given[1])], world)
    claim = Claim(world, aggregate[0], asked)
    if given[0] == "none":
        require(claim.is_none(proof_of(given[1], facts, world)), "a number may exist, and is left out")
        return None
    kind, low, high, sure, *proofs = given
    require(kind == "sums" and sure in (True, False), "a proof is of an unknown kind")
    below, above, *exists = (proof_of(each, facts, world) for each in proofs)
    least, most = sorted(_in_codes(rational(each), asked) for each in (low, high))
    holds = claim.at_least(least, below) and claim.at_most(most, above)
    require(holds, "an interval does not follow from the facts that are named")
    if sure and aggregate[0] not in ALWAYS:
        require(claim.exists(exists[0]), "a number may not exist, and is called certain")
    return shown(rational(low), rational(high), claim, sure)


def _stated(given: list[Any], claim: Claim) -> Interval | None:
    """A number without a proof. Only the custodian's signature vouches for it."""
    if not given:
        return None
    low, high, sure = given
    require(sure in (True, False), "a number is neither certain nor uncertain")
    if low is not None and high is not None:
        return shown(rational(low), rational(high), claim, sure)
    ends = [None if each is None else rational(each) for each in (low, high)]
    known = [each for each in ends if each is not None]
    value = known[0] if known else Fraction(0)
    return Interval(value, -inf if ends[0] is None else ends[0], inf if ends[1] is None else ends[1], sure)


def same(aggregate: Aggregate, asked: Asked, fact: Fact, world: World) -> Interval | None:
    """What an earlier question says about the very same number."""
    require(all(release in fact.widths for release in asked.releases), "a fact is about another number")
    return numbers_of(Line({}, {aggregate: asked}), fact.widths, fact.integers, world.columns)[aggregate]


def proof_of(given: Any, facts: list[Fact], world: World) -> Proof:
    """The blocks of a proof, and the multiples of facts."""
    base, listed = elements(given)
    multiples = []
    for fact, release, piece, times in map(elements, elements(listed)):
        found = _of(facts, fact).pieces(whole(release), world.columns)
        multiples.append((found[whole(piece)], rational(times)))
    return [_block(elements(each), facts, world) for each in elements(base)], multiples


def _block(given: list[Any], facts: list[Fact], world: World) -> Block:
    """Exact counts, perhaps minus the counts of the same cells of groups in some of the public cells."""
    (forms, rows), *parts = (counts_of(elements(each), facts, world) for each in given)
    left, counts = forms[0].cells, rows
    for own, less in parts:
        require(own[0].cells < left, "a part has other public cells than the whole")
        one, two = ([replace(form, cells=frozenset()) for form in each] for each in (own, forms))
        require(one == two, "a part is divided in another way than the whole")
        left, counts = left - own[0].cells, [one - two for one, two in zip(counts, less, strict=True)]
    require(min(counts) >= 0, "what is known contradicts itself")
    return Block([replace(form, cells=left) for form in forms], counts)


def counts_of(given: list[Any], facts: list[Fact], world: World) -> tuple[list[Form], list[int]]:
    """What an exact release counts: rows with each value, in each cell of groups, or all that meet a condition."""
    fact, release = given
    counts = [each for each in _of(facts, fact).pieces(whole(release), world.columns) if each[0].segments == ONE]
    exact = [int(ends[0]) for _, ends in counts if ends[0] is not None and ends[0] == ends[1]]
    require(len(exact) == len(counts) > 0, "a block has no exact counts")
    return [form for form, _ in counts], exact


def _of(facts: list[Fact], place: Any) -> Fact:
    number = whole(place)
    require(0 <= number < len(facts), "a proof names a fact that is not there")
    return facts[number]


def _in_codes(number: Fraction, asked: Asked) -> Fraction:
    """A number of the answer in the units of its column."""
    return (number - asked.shift) / asked.factor


def shown(low: Fraction, high: Fraction, claim: Claim, sure: bool) -> Interval:
    """An interval as answers have it: of dates whole days."""
    require(low <= high, "an interval is empty")
    if claim.function == "kth" and claim.column.kind == "date":
        return Interval(date_of(floor((low + high) / 2)), date_of(floor(low)), date_of(ceil(high)), sure)
    return Interval((low + high) / 2, low, high, sure)
