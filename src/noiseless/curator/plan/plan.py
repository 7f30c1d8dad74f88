"""A parsed question: which numbers it asks about which rows, and how they are combined.

Only labels remain of the text: conditions hold codes, and names are those of the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.curator.plan.condition import TRUE, Condition, columns_read, condition_depth
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.group import Group

if TYPE_CHECKING:
    from noiseless.curator.plan.after import Output, Stage

DISTINCT = "COUNT_DISTINCT"
"""The name of COUNT(DISTINCT x) in a plan."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """COUNT, SUM, AVG, a variance or ORDER (k-th smallest, k = ⌈share·n⌉) of a column; COUNT also of rows.

    It is about a `column`, or a function `of` the row, over the rows that a `filter` keeps. CORR and its like are about
    a `second` column or function too, over the rows that have both.
    """

    function: str
    column: str | None = None
    share: Fraction = field(default=Fraction(0), hash=False)
    of: Function | None = None
    filter: Condition = TRUE
    second: Aggregate | None = None

    @property
    def sides(self) -> tuple[Aggregate, ...]:
        """The number of one column or function, or of each of two, over the rows that the filter keeps."""
        if self.second is None:
            return (self,)
        return replace(self, second=None), replace(self.second, filter=self.filter)


@dataclass(frozen=True, slots=True)
class KeyOf:
    """The key of the group, for a column or an expression in GROUP BY."""

    column: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, or a text or date to compare a key or date with."""

    value: Fraction | str | bool | int | date


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """+, −, * or / of two expressions."""

    operation: str
    left: Expression
    right: Expression


Expression = Aggregate | KeyOf | Constant | Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of the reported values of two expressions."""

    operation: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Combination:
    """AND, OR or NOT of tests."""

    operation: str
    parts: tuple[Test, ...]


Test = Comparison | Combination


@dataclass(frozen=True, slots=True)
class Item:
    """One column of the answer."""

    label: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Plan:
    """SELECT items WHERE condition GROUP BY keys; HAVING, ORDER BY and LIMIT act on what is released.

    `keys` are the labels of GROUP BY in order: public columns, functions of these in `public_groups`, and a private
    `category` that is counted, or `groups`. `levels` are the keys of each level of ROLLUP, CUBE or GROUPING SETS, if it
    is one of them. `united` are the SELECTs of UNION ALL, if it is one: then `items` belong to the first, and ORDER BY
    and LIMIT act on all rows. With `stages`, the items are columns for the stages, and HAVING, ORDER BY and LIMIT
    belong to the stages.
    """

    items: tuple[Item, ...]
    where: Condition = TRUE
    keys: tuple[str, ...] = ()
    category: str | None = None
    having: Test | None = None
    order: tuple[tuple[Expression, bool], ...] = ()
    limit: int | None = None
    groups: tuple[Group, ...] = ()
    levels: tuple[tuple[str, ...], ...] = ()
    public_groups: tuple[Group, ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    """The public tables that it names, each with the SHA-256 of its content. Functions already hold their values."""
    stages: tuple[Stage, ...] = ()
    """SELECTs about the rows that come out, one after another, the last one arranged."""
    united: tuple[Plan, ...] = ()
    _aggregates: tuple[Aggregate, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def selects(self) -> tuple[Plan, ...]:
        """The SELECTs: one, or those of UNION ALL."""
        return self.united or (self,)

    @property
    def all_items(self) -> tuple[Item, ...]:
        """The columns of all SELECTs."""
        return tuple(item for select in self.selects for item in select.items)

    @property
    def public_keys(self) -> tuple[str, ...]:
        """The labels of GROUP BY that are public: columns, and functions of public columns."""
        private = {self.category, *(each.label for each in self.groups)}
        return tuple(name for name in self.keys if name not in private)

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The columns of the last stage."""
        return self.stages[-1].outputs if self.stages else ()  # type: ignore[union-attr]

    def aggregates(self) -> tuple[Aggregate, ...]:
        """All aggregates the question needs, each once, in the order of the text."""
        if self._aggregates is None:
            object.__setattr__(self, "_aggregates", self._found())
        return self._aggregates or ()

    def _found(self) -> tuple[Aggregate, ...]:
        if self.united:
            return tuple(dict.fromkeys(each for select in self.united for each in select.aggregates()))
        roots: list[Expression | Test] = [item.expression for item in self.items]
        roots += [self.having] if self.having is not None else []
        roots += [expression for expression, _ in self.order]
        return tuple(dict.fromkeys(found for root in roots for found in _aggregates(root)))

    def depth(self) -> int:
        """The nesting depth of its expressions, tests and conditions."""
        if self.united:
            return 1 + max(select.depth() for select in self.united)
        roots: list[Expression | Test] = [item.expression for item in self.items]
        roots += [self.having] if self.having is not None else []
        roots += [expression for expression, _ in self.order]
        groups = (each.function.depth for each in (*self.groups, *self.public_groups))
        stages = (stage.depth for stage in self.stages)
        return max(condition_depth(self.where), *groups, *stages, *map(_depth, roots))

    @property
    def plain(self) -> bool:
        """Whether all its numbers are about one column of public groups, and about the same rows."""
        return not (self.groups or self.public_groups or self.levels or self.united) and all(
            each.of is None and each.second is None and each.function != DISTINCT and each.filter == TRUE
            for each in self.aggregates()
        )

    @property
    def grouped_by(self) -> frozenset[str]:
        """The columns that it groups by, or that conditions and functions read."""
        if self.united:
            return frozenset[str]().union(*(select.grouped_by for select in self.united))
        groups = (*self.groups, *self.public_groups)
        named = frozenset(self.public_keys) - {each.label for each in self.public_groups}
        named = named.union(columns_read(self.where), *(each.function.reads for each in groups))
        named |= frozenset() if self.category is None else {self.category}
        for each in self.aggregates():
            named |= columns_read(each.filter)
            named |= {each.column} if each.function == DISTINCT and each.column is not None else frozenset()
            named = named.union(*(side.of.reads for side in each.sides if side.of is not None))
        return named


def _depth(node: Expression | Test) -> int:
    match node:
        case Arithmetic() | Comparison():
            return 1 + max(_depth(node.left), _depth(node.right))
        case Combination():
            return 1 + max(map(_depth, node.parts))
        case Aggregate():
            functions = [side.of.depth for side in node.sides if side.of is not None]
            return 1 + max(0 if node.filter == TRUE else condition_depth(node.filter), *functions, 0)
        case _:
            return 1


def _aggregates(node: Expression | Test) -> Iterator[Aggregate]:
    match node:
        case Aggregate():
            yield node
        case Arithmetic() | Comparison():
            yield from _aggregates(node.left)
            yield from _aggregates(node.right)
        case Combination():
            for part in node.parts:
                yield from _aggregates(part)
        case _:
            return
