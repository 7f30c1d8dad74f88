"""The plan of a question: a closed tree of columns and rationals, read strictly.

E is a function such as count, sum, avg or kth of a column or of a function of the row, or one such as corr of two,
perhaps with a filter, the key of a group, a constant, or +, -, *, / of two E. T is a comparison of two E of the same
type, or and, or, not of T. Anything else is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import (
    TRUE,
    Condition,
    columns_read,
    read_column,
    read_condition,
    size_of,
)
from noiseless.curator.certificate.checker.function_trees import Reader
from noiseless.curator.certificate.checker.functions import Function
from noiseless.curator.certificate.checker.groups import Group, columns_of, read_groups
from noiseless.curator.certificate.checker.numbers import day, rational, whole
from noiseless.curator.certificate.checker.spreads import SPREADS
from noiseless.curator.certificate.checker.stage_trees import Kind, Stage, read_stages
from noiseless.curator.certificate.checker.subtotals import read_levels
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, pairs, require

FIELDS = {"items", "where", "keys", "category", "having", "order", "limit"}
DISTINCT = "count_distinct"
SHARED = ("kth", "percentile_cont")
"""Functions with a share."""
AGGREGATES = ("count", DISTINCT, "sum", "avg", *SPREADS)
PAIRED = ("covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept", "regr_r2")
"""Functions of two columns, or of two functions of the row."""
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
Tree = Sequence[Any]
Aggregate = tuple[Any, ...]
"""Function, column, share. Instead of a column it may have the tree of a function, and at the end that of a filter.

A function of two columns has the second one instead of a share."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan in which every node is known and fits the schema."""

    items: Sequence[tuple[str, Tree]]
    where: Condition
    keys: tuple[str, ...]
    category: str | None
    having: Tree | None
    order: Sequence[tuple[Tree, bool]]
    limit: int | None
    aggregates: tuple[Aggregate, ...]
    nodes: int
    functions: Mapping[Aggregate, Function] = field(default_factory=dict)
    filters: Mapping[Aggregate, Condition] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    """Private groups. A category by which only rows are counted is named as before."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The keys of each level, if there are several."""
    public_groups: tuple[Group, ...] = ()
    """Functions of public columns."""
    stages: tuple[Stage, ...] = ()
    """The stages: SELECTs about the rows that come out."""

    @property
    def public_keys(self) -> tuple[str, ...]:
        """What it groups by that is public, by labels: columns, and functions of public columns."""
        private = {self.category, *(each.label for each in self.groups)}
        return tuple(name for name in self.keys if name not in private)

    @property
    def some(self) -> bool:
        """Whether rows may be left out."""
        return self.having is not None or self.limit is not None or bool(self.stages)

    @property
    def grouped_by(self) -> frozenset[str]:
        """The columns that it groups by, or that conditions and functions read."""
        read = [function.reads for function in self.functions.values()]
        counted = [{each[1]} for each in self.aggregates if each[0] == DISTINCT and isinstance(each[1], str)]
        conditions = map(columns_read, [self.where, *self.filters.values()])
        named = frozenset(self.public_keys) - {each.label for each in self.public_groups}
        return named.union(columns_of((*self.groups, *self.public_groups)), *read, *counted, *conditions)

    def filter_of(self, aggregate: Aggregate) -> Condition:
        """The condition of FILTER."""
        return self.filters.get(aggregate, TRUE)


def read_plan(plan: Any, columns: Mapping[str, Column]) -> Plan:
    """Read the plan, and check the types of everything."""
    given = isinstance(plan, dict) and set(plan) - {"groups", "public_groups", "levels", "stages"} == FIELDS
    require(given, "fields of the plan are missing or unknown")
    groups = read_groups(plan["groups"], columns) if "groups" in plan else ()
    public = read_groups(plan["public_groups"], columns, public=True) if "public_groups" in plan else ()
    keys, category = _keys(plan["keys"], plan["category"], columns, groups, public)
    require("groups" not in plan or (bool(groups) and category is None), "private groups are named in two ways")
    require("public_groups" not in plan or bool(public), "there are no public groups")
    reader = _Reader(columns, keys, {each.label: each.function.kind for each in (*groups, *public)})
    reader.nodes += sum(each.function.size for each in (*groups, *public))
    items, order = pairs(plan["items"]), pairs(plan["order"])
    labels = [label for label, _ in items]
    require(all(isinstance(label, str) for label in labels), "a label is not a text")
    require(len(set(labels)) == len(labels) >= 1, "labels are missing, or the same twice")
    kinds: dict[str, Kind] = {}
    for label, tree in items:
        kinds[label] = Kind(reader.type_of(tree), released=tree[0] not in ("key", "text"))
        require(tree[0] not in ("number", "truth", "date"), "a column of the answer is only a constant")
    if plan["having"] is not None:
        reader.check_test(plan["having"])
    for tree, direction in order:
        reader.type_of(tree)
        require(direction in ("ascending", "descending"), "an order has no direction")
    asked = tuple(dict.fromkeys(reader.found))
    require(bool(asked), "the plan does not ask for a number")
    require(category is None or asked == (("count", None, ""),), "a private category allows COUNT(*) only")
    limit = None if plan["limit"] is None else whole(plan["limit"])
    require(limit is None or limit >= 0, "a limit is below 0")
    where = read_condition(plan["where"], columns)
    levels = read_levels(plan["levels"], keys, asked) if "levels" in plan else ()
    directed = [(tree, direction == "descending") for tree, direction in order]
    stages = read_stages(plan["stages"], kinds) if "stages" in plan else ()
    require(not stages or (plan["having"] is None and not order and limit is None), "stages come after another order")
    more = reader.functions, reader.filters, groups, levels, public, stages
    return Plan(items, where, keys, category, plan["having"], directed, limit, asked, reader.nodes, *more)


def _keys(
    keys: Any, category: Any, columns: Mapping[str, Column], groups: Sequence[Group], public: Sequence[Group]
) -> tuple[tuple[str, ...], str | None]:
    """The labels of all groups in order, and the category that is counted by itself."""
    require(isinstance(keys, list) and all(isinstance(name, str) for name in keys), "keys are not names")
    labels = [each.label for each in groups]
    functions = [each.label for each in public]
    named = [name for name in keys if name not in (*labels, *functions)]
    require(len(set(keys)) == len(keys) and set(named) <= set(columns), "keys are unknown, or the same twice")
    for wanted in (labels, functions):
        require([name for name in keys if name in wanted] == wanted, "groups are not those that are grouped by")
    private = [name for name in named if not columns[name].public]
    require(private == ([] if category is None else [category]), "the private category is not the one grouped by")
    require(all(columns[name].keys for name in named), "a column that is grouped by has no declared keys")
    return tuple(keys), category


class _Reader:
    """Checks trees, and collects their aggregates in the order of the text."""

    def __init__(self, columns: Mapping[str, Column], keys: tuple[str, ...], kinds: Mapping[str, str]) -> None:
        self.columns, self.keys, self.kinds = columns, keys, kinds
        self.found: list[Aggregate] = []
        self.functions: dict[Aggregate, Function] = {}
        self.filters: dict[Aggregate, Condition] = {}
        self.nodes = 0

    def type_of(self, tree: Any) -> str:
        """number, date, text or truth. Refused if anything is unknown."""
        require(isinstance(tree, list) and bool(tree), "an expression is not a list")
        self.nodes += 1
        kind, *parts = tree
        match kind, len(parts):
            case ("number", 1):
                rational(parts[0])
                return "number"
            case ("date", 1):
                day(parts[0])
                return "date"
            case ("text", 1) if isinstance(parts[0], str):
                return "text"
            case ("truth", 1) if isinstance(parts[0], bool):
                return "truth"
            case ("key", 1):
                require(parts[0] in self.keys, "a key is not grouped by")
                if parts[0] in self.kinds:
                    return self.kinds[parts[0]]
                key = self.columns[parts[0]].keys[0]
                return "truth" if isinstance(key, bool) else "text" if isinstance(key, str) else "number"
            case (("+" | "-" | "*" | "/"), 2):
                numbers = all(self.type_of(part) == "number" and part[0] != "key" for part in parts)
                require(numbers, "arithmetic uses something that is not a number")
                return "number"
        return self._aggregate(tree)

    def _aggregate(self, tree: Tree) -> str:
        aggregate = aggregate_of(tree)
        self.found.append(aggregate)
        if tree[0] == "filter":
            tree, condition = tree[1:]
            kept = read_condition(condition, self.columns)
            self.filters |= dict.fromkeys([aggregate, *sides_of(aggregate)], kept)
            self.nodes += size_of(kept)
        if aggregate[1] is None:
            return "number"
        kinds = [self._about(side, part) for side, part in zip(sides_of(aggregate), tree[1:], strict=False)]
        if aggregate[0] in ("count", DISTINCT):
            require(kinds != ["text"], "a text is counted that is not a column")
            return "number"
        numbers = all(kind in ("number", "real", "integer") for kind in kinds)
        require(numbers or (kinds == ["date"] and aggregate[0] == "kth"), "a function needs numbers")
        require(aggregate[0] not in SHARED or 0 <= rational(aggregate[2]) <= 1, "a share is not between 0 and 1")
        return "date" if kinds == ["date"] else "number"

    def _about(self, side: Aggregate, tree: Tree) -> str:
        """The kind of a column or of a function of the row."""
        if not isinstance(side[1], tuple):
            return self.columns[read_column(tree, self.columns)].kind
        function = self.functions[side] = Reader(self.columns, read_condition).read(tree[1])
        self.nodes += function.size
        require(bool(function.reads), "a function of the row reads no column")
        return function.kind

    def check_test(self, tree: Any) -> None:
        """Check a test of HAVING."""
        require(isinstance(tree, list) and bool(tree), "a test is not a list")
        self.nodes += 1
        kind, *parts = tree
        if kind in COMPARISONS and len(parts) == 2:
            left, right = map(self.type_of, parts)
            require(left == right, "values of different types are compared")
        elif (kind == "not" and len(parts) == 1) or (kind in ("and", "or") and parts):
            for part in parts:
                self.check_test(part)
        else:
            raise WrongCertificateError("a test is unknown")


def aggregate_of(tree: Tree) -> Aggregate:
    """Function, column or tree of a function, and share of an aggregate, and the tree of its filter."""
    match list(tree):
        case ["filter", [str(name), *_] as aggregate, kept] if name != "filter":
            return *aggregate_of(aggregate), _frozen(kept)
        case ["count"]:
            return "count", None, ""
        case [str(function), [str(_), _] as about, str(share)] if function in SHARED:
            return function, _about(about), share
        case [str(function), [str(_), _] as about] if function in AGGREGATES:
            return function, _about(about), ""
        case [str(function), [str(_), _] as one, [str(_), _] as two] if function in PAIRED:
            return function, _about(one), _about(two)
    raise WrongCertificateError("an expression is unknown")


def sides_of(aggregate: Aggregate) -> tuple[Aggregate, ...]:
    """The aggregate itself, or one for each of its two columns with the same filter."""
    function, one, two, *kept = aggregate
    if function not in PAIRED or two is None:
        return (aggregate,)
    return (function, one, None, *kept), (function, two, None, *kept)


def _about(tree: Tree) -> Any:
    """The name of a column, or the tree of a function."""
    match list(tree):
        case ["column", str(name)]:
            return name
        case ["function", list(function)]:
            return _frozen(function)
    raise WrongCertificateError("an expression is unknown")


def _frozen(tree: Any) -> Any:
    """The tree as tuples. A truth value is not equal to a number in it, because all numbers are texts."""
    return tuple(map(_frozen, tree)) if isinstance(tree, list) else tree
