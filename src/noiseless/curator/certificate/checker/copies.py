"""The certificate of a released copy: every column with its rule, and the count that follows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.columns import Column, Schema
from noiseless.curator.certificate.checker.derived import read_whole_schema
from noiseless.curator.certificate.checker.numbers import MOST_BITS, rational, whole
from noiseless.curator.certificate.checker.origin import check_origin
from noiseless.curator.certificate.checker.wrong import elements, require

Fields = Mapping[str, Any]
FIELDS = {"format", "noiseless", "dataset", "table", "rows", "schema", "columns", "policies", "intervals", "sort"}
FIELDS |= {"belonging together", "count per row", "count", "rule", "sha256", "ledger", "id"}
POLICY = {"columns", "policy", "changes", "boundary", "error", "epsilon", "charged as"}
POLICIES = ("Collapse", "Stretch", "Shift")


def check_copy(content: Fields) -> int:
    """The count that the copy needs. The certificate must state at least this."""
    require(set(content) == FIELDS, "fields are missing or unknown")
    schema = read_whole_schema(content["schema"])
    require(whole(content["rows"]) >= 1 and isinstance(content["table"], str), "the copy has no rows or no table")
    for name in ("intervals", "sort"):
        require(isinstance(content[name], bool), f"{name} is neither true nor false")
    listed, policies = elements(content["columns"]), elements(content["policies"])
    private = [fields for fields in listed if not schema.columns[fields["column"]].public]
    _check_columns(listed, private, policies, schema)
    needed = [_answers_of(fields, schema.columns[fields["column"]]) for fields in private]
    needed += [_charged_as(fields, schema) for fields in policies]
    per_row = prod(needed)
    require(per_row.bit_length() * schema.rows <= MOST_BITS, "the count is larger than any budget")
    require(whole(content["count per row"]) >= per_row, f"the count of a row is at least {per_row}")
    count: int = per_row**schema.rows
    claimed = whole(content["count"])
    require(claimed >= count, f"the count is {content['count']}, and at least {count} is needed")
    require(content["rule"] == _rule(private, policies, schema), "the rule is not the one that was used")
    _check_groups(content["belonging together"], private, policies, schema)
    check_origin(content)
    require("answer" not in content["ledger"], "a copy is charged by the answer, which is not possible")
    require(re.fullmatch("|[0-9a-f]{64}", content["sha256"]) is not None, "sha256 is not a SHA-256")
    return count


def _check_columns(listed: Sequence[Fields], private: list[Fields], policies: Sequence[Fields], schema: Schema) -> None:
    """Private columns in order, each once and at least one; then all public columns in order."""
    order = list(schema.columns)
    named = [fields["column"] for fields in private]
    taken = [name for fields in policies for name in elements(fields["columns"])]
    require(len(named) + len(taken) >= 1, "the copy has no private column")
    require(len({*named, *taken}) == len(named) + len(taken), "a column is released twice")
    require(all(one < two for one, two in pairwise(map(order.index, named))), "columns are out of order")
    public = [{"column": name, "public": True} for name, column in schema.columns.items() if column.public]
    require(list(listed) == [*private, *public], "the public columns are not all there, after the private ones")


def _answers_of(fields: Fields, column: Column) -> int:
    name, claimed = fields["column"], whole(fields["answers"])
    if column.scale and "cells from" in fields:
        known = {"column", "cells from", "answers"}
        require(set(fields) - {"values"} == known, f"{name!r} is a number and has no cells")
        starts = [whole(first) for first in elements(fields["cells from"])]
        rising = all(one < two for one, two in pairwise([*starts, column.top + 1]))
        require(starts[:1] == [0] and len(starts) > 1 and rising, f"the cells of {name!r} are out of order")
        _check_values(name, fields, column, [*starts, column.top + 1])
        found = len(starts) + column.apart
    elif column.scale:
        require(set(fields) == {"column", "cells of", "answers"}, f"{name!r} is a number and has no cells")
        width = whole(fields["cells of"])
        require(1 <= width <= column.top + 1, f"the cells of {name!r} have an impossible width")
        found = column.top // width + 1 + column.apart
    else:
        require(set(fields) == {"column", "groups", "answers"}, f"{name!r} has named values and no groups")
        require(len(elements(fields["groups"])) == column.top + 1, f"the groups of {name!r} leave out a value")
        require(all(isinstance(label, str) for label in fields["groups"]), "a group has no name")
        kept = [str(key) for key in column.keys]
        require(set(fields["groups"]) != set(kept) or fields["groups"] == kept, f"the values of {name!r} are exchanged")
        found = len(set(fields["groups"])) + column.apart
    require(claimed == found, f"{name!r} has {found} answers and not {claimed}")
    return found


def _check_values(name: str, fields: Fields, column: Column, edges: Sequence[int]) -> None:
    """What is reported for each cell lies in it. Between two days, the earlier one is reported."""
    values = [rational(value) for value in elements(fields.get("values", []))]
    require("values" not in fields or len(values) == len(edges) - 1, f"{name!r} has a cell without a value")
    codes = [(value - column.low) / column.step for value in values]
    inside = all(first <= code <= end - 1 for code, first, end in zip(codes, edges, edges[1:], strict=False))
    require(inside, f"a value of {name!r} is not in its cell")


def _charged_as(fields: Fields, schema: Schema) -> int:
    """A policy does not bound the number of answers, so it is charged for every value its columns can have."""
    require(set(fields) == POLICY and fields["policy"] in POLICIES, "a policy is unknown")
    columns = [schema.columns[name] for name in fields["columns"]]
    numbers = all(column.kind in ("real", "integer") and not column.apart for column in columns)
    require(numbers and fields["changes"] == fields["columns"][0], "a policy needs columns of numbers")
    require(rational(fields["error"]) >= 0 and float(fields["epsilon"]) >= 0, "a policy has an impossible error")
    require(repr(float(fields["epsilon"])) == fields["epsilon"], "epsilon is not written as a number")
    require(isinstance(fields["boundary"], str) and bool(fields["boundary"]), "a policy has no boundary")
    found = prod(column.values for column in columns)
    require(whole(fields["charged as"]) == found, "a policy was not charged as all that its columns can be")
    return found


def _rule(private: Sequence[Fields], policies: Sequence[Fields], schema: Schema) -> list[str]:
    kinds = ["cells" if schema.columns[fields["column"]].scale else "groups" for fields in private]
    kinds += ["policy" for _ in policies]
    return [*dict.fromkeys(kinds), *(["power of rows"] if schema.rows > 1 else [])]


def _check_groups(groups: Any, private: Sequence[Fields], policies: Sequence[Fields], schema: Schema) -> None:
    """Groups of released columns that belong together, in order, each group once."""
    order = list(schema.columns)
    released = {*(fields["column"] for fields in private), *(name for each in policies for name in each["columns"])}
    named = [elements(group) for group in elements(groups)]
    require(all(set(group) <= released for group in named), "a column that is not released belongs to others")
    places = [[order.index(name) for name in group] for group in named]
    require(all(one < two for group in places for one, two in pairwise(group)), "a group of columns is out of order")
    require(all(one < two for one, two in pairwise(places)), "groups of columns are out of order")
