"""An independent check of a certificate's counts. It imports nothing of the curator, nor of anything the curator uses.

Every count is computed again from what the certificate says: schema, widths of bins, rows and conditions.
The formulas are those of theory §6, written down a second time on purpose.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import comb, floor, prod
from typing import Any

Fields = Mapping[str, Any]
KNOWN = {"format", "noiseless", "dataset", "table", "rows", "schema", "question", "releases", "count", "rule"}
KNOWN |= {"answer", "ledger"}
KNOWN_OF_COPY = {"format", "noiseless", "dataset", "table", "rows", "schema", "columns", "policies", "intervals"}
KNOWN_OF_COPY |= {"belonging together", "count per row", "count", "rule", "sha256", "ledger", "assumptions"}
MOST_ROWS, MOST_BITS = 10_000, 10_000
MOST_CELLS = 10**7
EXACT_UP_TO = 64
"""Rows of a person up to which the worst division among groups is searched exactly."""


class WrongCertificateError(Exception):
    """A certificate that contradicts itself."""


def check_counts(content: Fields) -> int:
    """The count of the answer, computed anew; an error names the first thing that does not fit."""
    try:
        return _check(content)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError) as wrong:
        raise WrongCertificateError(
            f"a field is missing or is not what it should be ({type(wrong).__name__})"
        ) from None


def _check(content: Fields) -> int:
    if content.get("format") == "noiseless microdata certificate 1":
        return _check_copy(content)
    _require(set(content) == KNOWN, "fields are missing or unknown")
    _require(content["format"] == "noiseless certificate 1", "the format is not known here")
    declared = tomllib.loads(content["schema"], parse_float=Decimal)
    person = int(declared.get("unit", {}).get("rows", 1))
    columns = {name: _Column(fields) for name, fields in declared["columns"].items()}
    releases = [_Release(fields, columns) for fields in content["releases"]]
    for release in releases:
        _require(int(content["rows"]) >= release.rows, "a release has more rows than the table")
        _require(release.answers(person) == release.claimed, f"the count of a {release.kind} is not {release.claimed}")
        release.check_released()
    count = _joint(releases, columns, person)
    _require(count == int(content["count"]), f"the count is {count} and not {content['count']}")
    _check_ledger(content["ledger"])
    return count


def _check_copy(content: Fields) -> int:
    """Of a released copy: the answers of every column, their product, and that to the power of a person's rows."""
    _require(set(content) == KNOWN_OF_COPY, "fields are missing or unknown")
    declared = tomllib.loads(content["schema"], parse_float=Decimal)
    columns = {name: _Column(fields) for name, fields in declared["columns"].items()}
    answers, seen = 1, set()
    for fields in content["columns"]:
        name = fields["column"]
        _require(name not in seen, "a column is released twice")
        seen.add(name)
        if columns[name].public:
            _require(fields == {"column": name, "public": True}, f"{name!r} is public, and told to be something else")
            continue
        found = _answers_of(fields, columns[name])
        _require(found == int(fields["answers"]), f"{name!r} has {found} answers and not {fields['answers']}")
        answers *= found
    for fields in content["policies"]:
        found = prod(columns[name].values for name in fields["columns"])
        _require(not seen & set(fields["columns"]), "a column of a policy is released twice")
        _require(found == int(fields["charged as"]), "a policy was not charged as all that its columns can be")
        seen |= set(fields["columns"])
        answers *= found
    _require(answers == int(content["count per row"]), f"the count of a row is {answers}")
    rows = int(declared.get("unit", {}).get("rows", 1))
    _require(1 <= rows <= MOST_ROWS and answers.bit_length() * rows <= 2 * MOST_BITS, "no budget is that large")
    count: int = answers**rows
    _require(count == int(content["count"]), f"the count is {count} and not {content['count']}")
    _check_ledger(content["ledger"])
    return count


def _answers_of(fields: Fields, column: _Column) -> int:
    if "cells of" in fields:
        width = int(fields["cells of"])
        _require(width >= 1 and set(fields) == {"column", "cells of", "answers"}, "cells have no width")
        return column.top // width + 1 + column.apart
    _require(set(fields) == {"column", "groups", "answers"}, "a column is neither cells nor groups")
    _require(len(fields["groups"]) == column.top + 1, "a hierarchy has a gap")
    return len(set(fields["groups"])) + column.apart


def _check_ledger(ledger: Fields) -> None:
    _require(set(ledger) == {"entry", "hash", "factor"}, "the reference to the ledger is incomplete")
    _require(int(ledger["factor"]) >= 1 and int(ledger["entry"]) >= 1, "the reference to the ledger is impossible")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise WrongCertificateError(otherwise)


class _Column:
    """What the counts need of a column: the largest code, the number of values, and where zero is."""

    def __init__(self, fields: Fields) -> None:
        kind, missing = fields["kind"], fields.get("missing")
        self.own_missing = False
        self.public = kind == "public"
        self.low = self.step = Fraction(1)
        if kind in ("category", "public"):
            values = list(fields.get("values" if kind == "category" else "keys", []))
            self.own_missing = missing is not None and missing not in values
            self.top, apart = len(values) - 1 + self.own_missing, False
        elif kind == "boolean":
            self.top, apart = 1, missing == "apart"
        else:
            self.low, high, self.step = _number(fields["low"]), _number(fields["high"]), Fraction(fields["step"])
            self.top, apart = int((high - self.low) / self.step), missing == "apart"
        self.apart = apart
        self.values = self.top + 1 + apart


def _number(given: Any) -> Fraction:
    if isinstance(given, str) and given.count("-") == 2 and ":" not in given and "/" not in given:
        given = date.fromisoformat(given)
    return Fraction((given - date(1970, 1, 1)).days) if isinstance(given, date) else Fraction(given)


class _Release:
    """One released number: how many answers one person's rows can cause."""

    def __init__(self, fields: Fields, columns: Mapping[str, _Column]) -> None:
        self.kind, self.width, self.rows = fields["kind"], int(fields["width"]), int(fields["rows"])
        self.claimed, self.released = int(fields["answers"]), [int(number) for number in fields["released"]]
        self.plain = fields["condition"] == ["every"]
        self.cells = _cells(fields["cells"])
        self.changes = int(fields["changes"])
        self.name = fields.get("column")
        read = set(fields["reads"]) | ({self.name} if self.name is not None else set())
        self.reads = tuple(sorted(read))
        self.column = columns[self.name] if self.name is not None else _Column({"kind": "boolean"})
        _require((self.name is None) == (self.kind == "head count"), "a release has no column, or one too many")
        self.condition = fields["condition"]
        _require(self.width >= 1 and self.rows >= 1 and bool(self.reads), "a release is of nothing")
        private = {name for name in _columns_of(fields["condition"]) if not columns[name].public}
        _require(private == set(fields["reads"]), "a condition and the columns it reads do not fit")
        _require(self.changes == _changes(fields["condition"], columns), "a condition changes more or less often")

    def answers(self, r: int) -> int:
        """The most answers with r rows of one person."""
        w, n, top = self.width, self.rows, self.column.top
        match self.kind:
            case "total":
                _require(self.plain, "a total has no condition")
                return min(-(-r * top // w) + 1, n * top // w + 1)
            case "filtered total":
                least, most = self._ends()
                return min(-(-r * (most - least) // w) + 1, n * (most - least) // w + 1)
            case "filtered mean":
                return 1 + sum(-(-i * top // w) + 1 for i in range(1, r + 1))
            case "head count":
                return r + 1
            case "histogram":
                values = self.column.values + (not self.plain)
                return comb(r + values - 1, values - 1)
            case "order statistic":
                return top // w + 1 + (not self.plain)
            case "variance":
                _require(self.plain, "a variance has no condition")
                moved = r * (n - r) if 2 * r <= n else n**2 // 4
                return min(-(-moved * top**2 // w) + 1, n**2 // 4 * top**2 // w + 1)
        raise WrongCertificateError(f"a release of the kind {self.kind!r} is not known here")

    def _ends(self) -> tuple[int, int]:
        start = self.column.low / self.column.step
        low, high = start.numerator, start.numerator + start.denominator * self.column.top
        return min(low, 0), max(high, 0)

    def check_released(self) -> None:
        """What was released must be possible."""
        top, n = self.column.top, self.rows
        match self.kind:
            case "head count":
                limits = [(0, n)]
            case "histogram":
                limits = [(0, n)] * self.column.values
            case "filtered mean":
                limits = [(0, n), (0, n * top // self.width)]
            case "order statistic":
                limits = [(-1, top // self.width)]
            case "variance":
                limits = [(0, n**2 // 4 * top**2 // self.width)]
            case "filtered total":
                least, most = self._ends()
                limits = [(0, n * (most - least) // self.width)]
            case _:
                limits = [(0, n * top // self.width)]
        _require(len(limits) == len(self.released), f"a {self.kind} has another number of integers")
        inside = all(low <= number <= high for number, (low, high) in zip(self.released, limits, strict=True))
        _require(inside, f"what was released of a {self.kind} is impossible")

    def jumps(self) -> int:
        """With one row per person: how often the answer changes at the most as one column's value runs up."""
        w, top, count = self.width, self.column.top, self.answers(1)
        match self.kind:
            case "total" | "histogram":
                return count - 1
            case "head count":
                return max(1, self.changes)
            case "order statistic" if self.plain:
                return min(-(-top // w), top // w)
            case "variance":
                return 2 * (count - 1)
        units = self.column.low / self.column.step if self.kind == "filtered total" else Fraction(0)
        inside = count - 2 if self.kind == "order statistic" else -(-units.denominator * top // w)
        if count == 1:
            return 0
        return max(1, -(-(inside + self.changes) // (count - 1))) * (count - 1)


def _joint(releases: Sequence[_Release], columns: Mapping[str, _Column], person: int) -> int:
    """The count of everything together."""
    means = [(release.cells, release.condition) for release in releases if release.kind == "filtered mean"]
    needed = [r for r in releases if not (r.kind == "head count" and (r.cells, r.condition) in means)]
    if not needed:
        return 1
    if person == 1:
        cells = {cell for release in needed for cell in release.cells}
        together = {tuple(r for r in needed if cell in r.cells) for cell in cells}
        return max(_batch(list(each), columns) for each in together)
    groups = _groups(needed)

    def most(rows: int) -> int:
        return max(prod(release.answers(rows) for release in group) for group in groups)

    return _worst_division(most, person, len(groups))


def _batch(releases: Sequence[_Release], columns: Mapping[str, _Column]) -> int:
    """One row per person, all asked of the same people: jumps of one column add, columns multiply, D at the most."""
    read = {name for release in releases for name in release.reads}
    everything = prod(columns[name].values for name in read)
    if len(releases) == 1:
        return min(releases[0].answers(1), everything)
    jumps = dict.fromkeys(read, 0)
    several = 1
    for release in releases:
        if len(release.reads) == 1:
            jumps[release.reads[0]] += release.jumps()
        else:
            several *= min(release.answers(1), prod(columns[name].values for name in release.reads))
    single = prod(min(columns[name].values, 1 + total) for name, total in jumps.items())
    return min(single * several, everything)


def _groups(releases: Sequence[_Release]) -> list[list[_Release]]:
    """Releases connected by public cells."""
    groups: list[list[_Release]] = []
    for release in releases:
        touching = [group for group in groups if any(other.cells & release.cells for other in group)]
        merged = [other for group in touching for other in group] + [release]
        groups = [group for group in groups if group not in touching] + [merged]
    return groups


def _worst_division(most: Callable[[int], int], rows: int, groups: int) -> int:
    """The largest product over all ways to divide a person's rows among groups, or a bound for many rows."""
    if groups == 1:
        return most(rows)
    used = min(groups, rows)
    if rows > EXACT_UP_TO:
        steepest = max(Fraction(most(last) - 1, first) for first, last in _spans(rows))
        return floor((1 + rows * steepest / used) ** used)
    best = {0: 1}
    for _ in range(used):
        further: dict[int, int] = {}
        for taken, product in best.items():
            for part in range(rows - taken + 1):
                answers = product * (most(part) if part else 1)
                further[taken + part] = max(answers, further.get(taken + part, 1))
        best = further
    return max(best.values())


def _spans(rows: int) -> Iterator[tuple[int, int]]:
    """Numbers of rows, a sixteenth more each time, as first and last."""
    first = 1
    while first <= rows:
        after = max(first + 1, first + first // 16)
        yield first, min(after - 1, rows)
        first = after


def _cells(text: str) -> frozenset[int]:
    """Numbers written as ranges: 0-3,7."""
    spans = [span.split("-") for span in text.split(",")]
    _require(all(int(span[-1]) < MOST_CELLS for span in spans), "there are more public cells than there can be")
    return frozenset(cell for span in spans for cell in range(int(span[0]), int(span[-1]) + 1))


def _changes(condition: Sequence[Any], columns: Mapping[str, _Column]) -> int:
    """How often a condition on one private column changes as its code runs up, missing values last, at the most."""
    read = _columns_of(condition)
    private = [name for name in read if not columns[name].public]
    if len(private) != 1:
        return 0
    column = columns[private[0]]
    cuts = sorted({cut for cut in _cuts(condition, private[0]) if 0 < cut <= column.top})
    if len(read) > 1:
        return len(cuts) + column.apart  # it depends on public columns too, and differs among them
    places = [0, *cuts, *([None] if column.apart else [])]
    truths = [_holds(condition, place) is True for place in places]
    return sum(one != two for one, two in pairwise(truths))


def _cuts(condition: Sequence[Any], name: str) -> Iterator[int]:
    kind, *parts = condition
    if kind == "within" and parts[0] == name:
        for first, last in parts[1]:
            yield from (int(first), int(last) + 1)
    elif kind in ("not", "every", "some"):
        for part in parts:
            yield from _cuts(part, name)


def _holds(condition: Sequence[Any], code: int | None) -> bool | None:
    """True, false or unknown for a code, None for a missing value."""
    kind, *parts = condition
    if kind == "missing":
        return code is None
    if kind == "within":
        return None if code is None else any(int(first) <= code <= int(last) for first, last in parts[1])
    truths = [_holds(part, code) for part in parts]
    if kind == "not":
        return None if truths[0] is None else not truths[0]
    decisive = kind == "some"
    return decisive if decisive in truths else None if None in truths else not decisive


def _columns_of(condition: Sequence[Any]) -> set[str]:
    kind, *parts = condition
    if kind in ("within", "missing"):
        return {parts[0]}
    _require(kind in ("not", "every", "some"), "a condition is not known here")
    return {name for part in parts for name in _columns_of(part)}
