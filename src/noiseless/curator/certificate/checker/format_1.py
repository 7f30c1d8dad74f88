"""Certificates of format 1, which name their releases instead of a plan: only their counts can be checked.

They must state at least the count needed. So certificates that were priced by older, dearer rules stay valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import Column, read_schema
from noiseless.curator.certificate.checker.conditions import (
    Condition,
    changes,
    columns_read,
    joined,
    negation,
)
from noiseless.curator.certificate.checker.counts import answers, joint
from noiseless.curator.certificate.checker.numbers import MOST_BITS, whole
from noiseless.curator.certificate.checker.ranges import Columns
from noiseless.curator.certificate.checker.releases import Part, Release
from noiseless.curator.certificate.checker.reports import possible
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

Fields = Mapping[str, Any]
FIELDS = {"format", "noiseless", "dataset", "table", "rows", "schema", "question", "releases", "count", "rule"}
FIELDS |= {"answer", "ledger"}
FIELDS_OF_COPY = {"format", "noiseless", "dataset", "table", "rows", "schema", "columns", "policies", "intervals"}
FIELDS_OF_COPY |= {"belonging together", "count per row", "count", "rule", "sha256", "ledger"}
KINDS = {"total", "filtered total", "filtered mean", "head count", "histogram", "order statistic", "variance"}
MOST_CELLS = 2 * 10**6


def check_answer_1(content: Fields) -> int:
    """The count of the releases that are named."""
    require(set(content) == FIELDS, "fields are missing or unknown")
    schema = read_schema(content["schema"])
    widths: dict[Release, Bins] = {}
    cells = sum(last - first + 1 for fields in content["releases"] for first, last in _spans(fields["cells"]))
    require(cells <= MOST_CELLS, "there are more public cells than possible")
    for fields in content["releases"]:
        release, claimed = _release(fields, schema.columns), whole(fields["answers"])
        bins = Bins(whole(fields["width"]))
        require(whole(content["rows"]) >= release.part.rows, "a release has more rows than the table")
        needed = answers(release, bins, schema.columns, schema.rows)
        require(claimed >= needed, f"the count of a {release.kind} is not {claimed}")
        possible(release, bins, [whole(number) for number in fields["released"]], schema.columns)
        require(release not in widths, "a release is named twice")
        widths[release] = bins
    count = joint(widths, schema.columns, schema.rows)
    require(whole(content["count"]) >= count, f"the count is {content['count']}, and at least {count} is needed")
    _check_ledger(content["ledger"])
    return count


def check_copy_1(content: Fields) -> int:
    """For a released copy: the answers of every column, their product, and its power for a person's rows."""
    known = (set(content) | {"policies"}) - {"assumptions"}  # the first copies did not have these
    require(known == FIELDS_OF_COPY, "fields are missing or unknown")
    schema = read_schema(content["schema"])
    needed, seen = 1, set()
    for fields in content["columns"]:
        name, column = fields["column"], schema.columns[fields["column"]]
        require(name not in seen, "a column is released twice")
        seen.add(name)
        if column.public:
            require(fields == {"column": name, "public": True}, f"{name!r} is public, and shown as something else")
            continue
        found = _answers_of(fields, column)
        require(whole(fields["answers"]) >= found, f"{name!r} has {found} answers and not {fields['answers']}")
        needed *= found
    for fields in content.get("policies", []):
        found = prod(schema.columns[name].values for name in fields["columns"])
        require(not seen & set(fields["columns"]), "a column of a policy is released twice")
        require(whole(fields["charged as"]) >= found, "a policy was not charged as all that its columns can be")
        seen |= set(fields["columns"])
        needed *= found
    require(any(not schema.columns[name].public for name in seen), "the copy has no private column")
    require(whole(content["count per row"]) >= needed, f"the count of a row is {needed}")
    require(needed.bit_length() * schema.rows <= MOST_BITS, "the count is larger than any budget")
    count: int = needed**schema.rows
    require(whole(content["count"]) >= count, f"the count is {content['count']}, and at least {count} is needed")
    _check_ledger(content["ledger"])
    return count


def _answers_of(fields: Fields, column: Column) -> int:
    if "cells of" in fields:
        width = whole(fields["cells of"])
        require(width >= 1 and set(fields) == {"column", "cells of", "answers"}, "cells have no width")
        return column.top // width + 1 + column.apart
    require(set(fields) == {"column", "groups", "answers"}, "a column is neither cells nor groups")
    require(len(fields["groups"]) == column.top + 1, "a hierarchy has a gap")
    return len(set(fields["groups"])) + column.apart


def _check_ledger(ledger: Fields) -> None:
    require(set(ledger) == {"entry", "hash", "factor"}, "the reference to the ledger is incomplete")
    require(whole(ledger["factor"]) >= 1 and whole(ledger["entry"]) >= 1, "the reference to the ledger is impossible")


def _release(fields: Fields, columns: Columns) -> Release:
    kind, name, rows, condition = fields["kind"], fields.get("column"), whole(fields["rows"]), fields["condition"]
    require(kind in KINDS, f"a release has the unknown kind {kind!r}")
    require((name is None) == (kind == "head count"), "a release has no column, or one too many")
    read = _condition(condition, columns)
    private = tuple(sorted(each for each in columns_read(read) if not columns[each].public))
    require(private == tuple(sorted(fields["reads"])), "a condition and the columns it reads do not fit")
    changed = changes(read, columns)
    require(whole(fields["changes"]) == changed, "the number of changes of a condition is wrong")
    cells = tuple(cell for first, last in _spans(fields["cells"]) for cell in range(first, last + 1))
    part = Part(cells, rows, read, private, changed)
    release = Release(kind, fields["counted"] if name is None else name, part, fields.get("share", ""))
    require(whole(fields["width"]) >= 1 and rows >= 1 and bool(release.reads), "a release has no rows or no columns")
    require(release.plain or kind not in ("total", "variance"), f"a {kind} has a condition, which is not allowed")
    return release


def _condition(node: Sequence[Any], columns: Columns) -> Condition:
    """Read a condition. In format 1 conditions are in codes."""
    kind, *parts = node
    match kind:
        case "within":
            ranges = tuple(sorted((whole(first), whole(last)) for first, last in parts[1]))
            require(parts[0] in columns, "a condition reads an unknown column")
            return "within", parts[0], ranges
        case "missing":
            require(parts[0] in columns, "a condition reads an unknown column")
            return "missing", parts[0]
        case "not":
            return negation(_condition(parts[0], columns))
        case "every" | "some":
            return joined(kind, (_condition(part, columns) for part in parts))
    raise WrongCertificateError("a condition is unknown")


def _spans(text: str) -> list[tuple[int, int]]:
    """Read numbers written as ranges: 0-3,7."""
    ends = [[whole(end) for end in span.split("-")] for span in text.split(",")]
    require(all(0 <= span[0] <= span[-1] for span in ends), "public cells are not written as ranges")
    return [(span[0], span[-1]) for span in ends]
