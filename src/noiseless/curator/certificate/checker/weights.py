"""Prices of numbers in guarded bins: each follows from the bins that came out, and from weights that sum to at most 1.

A row of `weights` names numbers that were charged together, their joint count K, the loud price a, what was charged,
and how many numbers of other questions were charged with them. An outcome is quiet if all numbers are in wide bins,
otherwise loud. Its weight is 1 over its price: 1 − (K−1)/a if it is quiet, 1/a if it is loud.

Claim: the outcomes that one person's data can cause have weights that sum to at most 1, whatever the others' data are.
Proof: with the others fixed, the person moves each number within a window that meets at most one wide bin and at most
one guard (see `check_bins`, which needs only the bins between two others, so the first and the last may be clipped). So
at most one outcome is quiet, since it has every number in its only wide bin, and there are at most K outcomes in all.
A number at the finest stable level has at most one outcome at each level, since it is stable there, and the first level
is the quiet one.
With a quiet one they sum to at most 1 − (K−1)/a + (K−1)/a = 1, without one to at most K/a, which is at most 1 if a ≥ K.
A single number has at most one loud outcome, its guard: 1 − 1/a + 1/a = 1 for K = 2 and every a > 1. If K = 1 the only
outcome has weight 1.

Tested by brute force in tests/curator/certificate/checker/test_weights.py. Source: theory §11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import Schema
from noiseless.curator.certificate.checker.counts import Widths, groups_of, together
from noiseless.curator.certificate.checker.numbers import MOST_BITS, MOST_WORK, rational, whole
from noiseless.curator.certificate.checker.origin import factor_of
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.wrong import elements, require

Places = tuple[int, ...]
Integers = Mapping[Release, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers that were charged together, by their places among the releases of the certificate."""

    places: Places
    count: int
    loud: Fraction
    price: Fraction
    others: int


def check_weights(content: Mapping[str, Any], widths: Widths, integers: Integers, schema: Schema) -> None:
    """Check the price of everything that is charged by the answer. If it was paid for before, no row names it."""
    weighed = any(bins.weighed for bins in widths.values())
    require(weighed or "weights" not in content, "there are weights, and all bins are equal")
    require("weights" in content or not weighed, "there are guarded bins without weights")
    rows = _check_rows(content.get("weights", []), content["ledger"], widths, integers, schema)
    named, last = {place for row in rows for place in row.places}, whole(content["ledger"]["entry"])
    for step in reversed(elements(content.get("steps", []))):
        ledger = {name: value for name, value in step.items() if name != "weights"}
        rows = _check_rows(step["weights"], ledger, widths, integers, schema)
        places = {place for row in rows for place in row.places}
        require(places.isdisjoint(named), "the same numbers are charged by two steps")
        require(whole(ledger["entry"]) < last, "the steps are not in the order of the ledger")
        named, last = named | places, whole(ledger["entry"])


def _check_rows(given: Any, ledger: Mapping[str, Any], widths: Widths, integers: Integers, schema: Schema) -> list[Row]:
    """The numbers that one entry of the ledger charges, with their prices."""
    rows, factor = [_read(row) for row in elements(given)], factor_of(ledger)
    require(len(set(rows)) == len(rows), "the same numbers are charged twice")
    require(not rows or "answer" in ledger, "numbers in guarded bins are charged, and no answer settled it")
    releases = list(widths)
    counts: dict[Places, int] = {}
    work = 0
    for row in rows:
        named = _named(row, releases, widths)
        if row.places not in counts:
            work += sum(len(release.part.cells) for release in named)
            require(work <= MOST_WORK, "it would take too long to check")
            _check_shared(row, named, schema.rows)
            counts[row.places] = together(named, schema.columns, schema.rows)
        _check_price(row, counts[row.places], any(bins.is_loud(integers[r][0]) for r, bins in named.items()))
    if schema.rows == 1:
        _check_separate(rows, releases)
    _check_charge(rows, factor, schema.rows)
    return rows


def _check_separate(rows: Sequence[Row], releases: Sequence[Release]) -> None:
    """Check that everybody pays for all numbers about their public cell in one row of `weights`."""
    named: dict[int, list[int]] = {}
    for place in sorted({place for row in rows for place in row.places}):
        for cell in releases[place].part.cells:
            named.setdefault(cell, []).append(place)
    together_in_a_cell = {tuple(places) for places in named.values()}
    require(
        all(row.places in together_in_a_cell for row in rows), "numbers about the same people are charged separately"
    )


def _read(given: Any) -> Row:
    places, count, loud, price, others = elements(given)
    row = Row(tuple(map(whole, elements(places))), whole(count), rational(loud), rational(price), whole(others))
    rising = all(one < two for one, two in pairwise(row.places))
    require(bool(row.places) and row.places[0] >= 0 and rising, "numbers that are charged together are out of order")
    require(row.count >= 1 and row.others >= 0, "numbers are charged with an impossible count")
    return row


def _named(row: Row, releases: Sequence[Release], widths: Widths) -> dict[Release, Bins | Ladder]:
    require(row.places[-1] < len(releases), "a number is charged that is not released")
    named = {releases[place]: widths[releases[place]] for place in row.places}
    require(all(bins.weighed for bins in named.values()), "a number in equal bins is charged by the answer")
    return named


def _check_shared(row: Row, named: Widths, person: int) -> None:
    """Numbers that are charged together are about one public cell or, with several rows, connected by cells."""
    if person == 1:
        shared = bool(set.intersection(*(set(release.part.cells) for release in named)))
    else:
        shared = row.others > 0 or len(groups_of(named)) == 1
    require(shared, "numbers about different people are charged together")


def _check_price(row: Row, needed: int, loud: bool) -> None:
    """The price follows from the bins. Numbers of other questions may have made it loud."""
    k, a = row.count, row.loud
    require(k >= needed, f"numbers are charged for {k} joint answers, and at least {needed} are needed")
    alone = k == 2 and len(row.places) == 1 and not row.others
    require(a > 1 if alone else a >= k, f"a loud price of {a} is too low for {k} joint answers: weights exceed 1")
    if k == 1:
        require(row.price == 1, "a number that one person cannot change was charged")
        return
    possible = {a} if loud else {a / (a - k + 1)} | ({a} if row.others else set())
    require(row.price in possible, f"the price is not that of a {'loud' if loud else 'quiet'} outcome")


def _check_charge(rows: Sequence[Row], factor: Fraction, person: int) -> None:
    """A person of R rows is in at most R of the rows, so the R dearest prices multiply."""
    if person > 1:
        places = [place for row in rows for place in row.places]
        require(len(set(places)) == len(places), "the same numbers are charged twice")
    dearest = sorted((row.price for row in rows), reverse=True)[:person]
    require(sum(p.numerator.bit_length() for p in dearest) <= 100 * MOST_BITS, "the price is larger than any budget")
    require(factor >= prod(dearest), "the ledger charged less than the price of what came out")
