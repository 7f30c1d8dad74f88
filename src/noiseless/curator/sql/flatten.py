"""Subqueries that only filter, rename or compute: from a chain of SELECTs about rows to one SELECT about the table.

A name of an inner SELECT stands for an expression of the columns of the table, and is replaced by it. All conditions
must hold, so they are joined by AND.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.labels import label_of
from noiseless.curator.sql.refusal import only, text_of, unknown_error
from noiseless.errors import QuestionError, TooLargeError, UnknownVariableError

MOST_NODES = 20_000
"""Names that stand for long expressions of other names could grow without bound."""
ABOUT_ROWS = {"order": "ORDER BY", "limit": "LIMIT", "offset": "OFFSET", "qualify": "QUALIFY"}
"""Clauses that make no sense in a SELECT that only filters or computes rows."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the names of a SELECT in FROM stand for. `called` is what the next SELECT calls it; "" is nothing."""

    meant: Mapping[str, Any]
    called: str

    def find(self, node: Any) -> Any:
        """What a column stands for. None if there is no such name."""
        only(node, "this", "table")
        if node.table and node.table.lower() != self.called.lower():
            raise QuestionError(f"{node.table!r} is not the name of the subquery in FROM; use {self.called!r}")
        return self.meant.get(node.name.lower())

    def missing_error(self, node: Any) -> UnknownVariableError:
        """The error for a name that the SELECT does not have."""
        known = ", ".join(list(self.meant)[:20])
        return UnknownVariableError(f"column {node.name!r} does not exist in the subquery in FROM; it has {known}")


def flattened(chain: Sequence[exp.Select], schema: Schema, called: str) -> exp.Select:
    """One SELECT about the table for a chain of them, the innermost first. `called` is its name for the table."""
    first, *others = chain
    names = Names({name.lower(): _column(name, called) for name in schema.columns}, called)
    conditions: list[Any] = []
    for inner, outer in zip(chain, others, strict=False):
        conditions += _conditions(inner, names)
        names = Names(_computed(inner, names, RowReader(schema, called)), _name_in(outer))
    select = _about_table(chain[-1], names)
    conditions += _conditions(chain[-1], names)
    select.set("from_", first.args["from_"].copy())
    select.set("where", exp.Where(this=exp.and_(*conditions, copy=False)) if conditions else None)
    return select


def _column(name: str, called: str) -> exp.Column:
    """A column of the table, qualified: an alias of the same name would mean something else."""
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(called, quoted=True))


def _name_in(outer: exp.Select) -> str:
    """The name that a SELECT gives to the one before it."""
    source = outer.args["from_"].this
    return str(source.alias or source.name)


def _conditions(select: exp.Select, names: Names) -> list[Any]:
    clause = select.args.get("where")
    return [] if clause is None else [_meant(clause.this, names)]


def _computed(select: exp.Select, names: Names, reader: RowReader) -> dict[str, Any]:
    """What the names of a SELECT stand for, if it only filters, renames or computes."""
    for part, word in ABOUT_ROWS.items():
        if select.args.get(part) is not None:
            raise QuestionError(f"{word} in a subquery about single rows is not possible; leave it out")
    only(select, "expressions", "from_", "where", "with_")
    found: dict[str, Any] = {}
    for node in select.expressions:
        for name, meant in _named(node, names):
            if name in found:
                raise QuestionError(f"the subquery in FROM has two columns {name!r}; rename one with AS")
            if not isinstance(meant, exp.Column):
                reader.function(meant)  # refused here, even if nothing uses it
            found[name] = meant
    return found


def _named(node: Any, names: Names) -> list[tuple[str, Any]]:
    """The names and meanings of an item of a SELECT about rows."""
    if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
        only(node, "this", "table")
        if isinstance(node, exp.Column):
            only(node.this)
            names.find(node)  # refused here if it is about another table
        return list(names.meant.items())
    if isinstance(node, exp.Alias):
        only(node, "this", "alias")
        return [(node.alias.lower(), _meant(node.this, names))]
    if isinstance(node, exp.Column):
        return [(node.name.lower(), _meant(node, names))]
    raise QuestionError(f"{text_of(node)!r} in a subquery has no name; write {text_of(node)} AS name")


def _about_table(select: exp.Select, names: Names) -> exp.Select:
    """The SELECT that asks, with all names replaced, also those of its own items. Labels stay as they are written."""
    found = select.copy()
    found.set("with_", None)
    for node in found.expressions:
        if not isinstance(node, (exp.Alias, exp.Star)):
            label = exp.to_identifier(label_of(node), quoted=True)
            node.replace(exp.Alias(this=node.copy(), alias=label))
    items: dict[str, Any] = {}
    for node in found.expressions:
        if isinstance(node, exp.Star):
            raise unknown_error(node)
        only(node, "this", "alias")
        node.set("this", _meant(node.this, names))
        items.setdefault(node.alias.lower(), node.this)
    for part in ("group", "having", "order"):
        if (clause := found.args.get(part)) is not None:
            found.set(part, _meant(clause, names, items))
    return found


def _meant(node: Any, names: Names, items: Mapping[str, Any] | None = None) -> Any:
    """A node in which every name is replaced with what it stands for."""
    copy = exp.Paren(this=node.copy())  # so that the node itself can be replaced
    size = 0
    for each in list(copy.find_all(exp.Column)):
        if isinstance(each.this, exp.Star) or each.find_ancestor(exp.Query) is not None:
            continue
        meant = _one(each, names, items or {})
        size += sum(1 for _ in meant.walk())
        if size > MOST_NODES:
            raise TooLargeError("the names of the subqueries stand for expressions that are too long; ask in parts")
        each.replace(meant.copy() if isinstance(meant, exp.Column) else exp.Paren(this=meant.copy()))
    return copy.this


def _one(node: Any, names: Names, items: Mapping[str, Any]) -> Any:
    """What one name stands for. ORDER BY prefers the name of an item, everything else the name of a column."""
    own = None if node.table else items.get(node.name.lower())
    if own is not None and isinstance(node.parent, exp.Ordered):
        return own
    meant = names.find(node)
    if meant is None and own is None:
        raise names.missing_error(node)
    return own if meant is None else meant
