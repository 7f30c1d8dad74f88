"""WITH and subqueries in FROM: which SELECT is about the table, and which are about the results of another.

A statement is read as a chain of SELECTs, each about the rows of the one before. The first ones filter or rename rows
of the table, the next one asks, and all others are about its results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.refusal import only, text_of, unknown_error, unsupported_error
from noiseless.errors import QuestionError

MOST_LEVELS = 20
WRAPPED = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)
"""Nodes that may stand between OVER and its function."""
Scope = Mapping[str, tuple[Any, "Scope"]]
"""The queries that names of WITH mean, each with the names that it knows itself."""


@dataclass(frozen=True, slots=True)
class Nested:
    """A chain of SELECTs. Each names in FROM what it calls the rows of the one before; the first names the table."""

    rows: tuple[exp.Select, ...]
    """SELECTs about rows of the table. All but the last only filter or rename rows; the last one asks."""
    results: tuple[exp.Select, ...]
    """SELECTs about the results of the one before, the outermost last."""
    scope: Scope
    """The names of WITH around the outermost SELECT, for subqueries in conditions."""


def nested(statement: exp.Select, outer: Scope | None = None) -> Nested:
    """The chain of a statement, with the names of WITH resolved.

    >>> from sqlglot import parse_one
    >>> text = "WITH t AS (SELECT region, COUNT(*) AS n FROM people GROUP BY region) SELECT MAX(n) FROM t"
    >>> chain = nested(parse_one(text))
    >>> [each.sql() for each in chain.rows], len(chain.results)
    (['SELECT region, COUNT(*) AS n FROM people GROUP BY region'], 1)
    """
    scope = _scope(statement, outer or {})
    _check_used(statement)
    chain, names = [statement], scope
    while (found := _source(chain[-1], names)) is not None:
        select, known = found
        names = _scope(select, known)
        chain.append(select)
        if len(chain) > MOST_LEVELS:
            raise QuestionError(f"the question has more than {MOST_LEVELS} levels of SELECT; ask in parts")
    chain.reverse()
    asking = next((place for place, select in enumerate(chain) if asks(select)), len(chain) - 1)
    return Nested(tuple(chain[: asking + 1]), tuple(chain[asking + 1 :]), scope)


def names_of_with(statement: exp.SetOperation) -> Scope:
    """The names of WITH before a UNION."""
    _check_used(statement)
    return _scope(statement, {})


def about_results(select: exp.Select, statement: exp.Query) -> bool:
    """Whether a SELECT lists results: it asks for numbers, or a SELECT in its FROM does."""
    found: tuple[exp.Select, Scope] | None = select, _scope(statement, {})
    while found is not None:
        if asks(found[0]):
            return True
        found = _source(*found)
    return False


def asks(select: exp.Select) -> bool:
    """Whether a SELECT makes numbers from many rows: it groups, or has an aggregate that is not OVER a window."""
    if any(select.args.get(part) is not None for part in ("group", "having", "distinct")):
        return True
    parts = [*select.expressions, *(select.args.get(part) for part in ("order", "qualify"))]
    return any(isinstance(node, exp.AggFunc) for part in parts if part is not None for node in own_nodes(part))


def own_nodes(node: Any) -> Iterator[Any]:
    """A node and the nodes in it, except functions with OVER and except subqueries."""
    if isinstance(node, exp.Query):
        return
    if isinstance(node, exp.Window):
        below = [part for name, part in node.args.items() if name != "this"]
        function = node.this
        while isinstance(function, WRAPPED):
            below.append(function.args.get("expression"))
            function = function.this
        below += function.args.values()
    else:
        yield node
        below = [*node.args.values()]
    for part in below:
        for each in part if isinstance(part, list) else [part]:
            if isinstance(each, exp.Expr):
                yield from own_nodes(each)


def _scope(select: exp.Query, outer: Scope) -> Scope:
    """The names of WITH of a SELECT, and those around it. Each query knows only the names before it."""
    clause = select.args.get("with_")
    if clause is None:
        return outer
    if clause.args.get("recursive"):
        raise unsupported_error("WITH RECURSIVE")
    only(clause, "expressions")
    scope = dict(outer)
    own: set[str] = set()
    for each in clause.expressions:
        only(each, "this", "alias")
        _check_alias(each.args["alias"])
        name = each.alias.lower()
        if name in own:
            raise QuestionError(f"WITH names {each.alias!r} twice; rename one")
        scope[name] = each.this, dict(scope)
        own.add(name)
    return scope


def _check_used(statement: exp.Query) -> None:
    """Refuse a query of WITH that nothing uses: it would not be read."""
    named = list(statement.find_all(exp.CTE))
    used = {table.name.lower() for table in statement.find_all(exp.Table)} if named else set()
    for each in named:
        if each.alias.lower() not in used:
            raise QuestionError(f"WITH names {each.alias!r}, which is not used; remove it")


def _source(select: exp.Select, scope: Scope) -> tuple[exp.Select, Scope] | None:
    """The SELECT that a SELECT is about, and the names known in it. None if it is about a table."""
    clause = select.args.get("from_")
    source = None if clause is None else clause.this
    alias = None if source is None else source.args.get("alias")
    if isinstance(source, exp.Table) and source.args.get("db") is None and source.name.lower() in scope:
        only(source, "this", "alias")
        _check_alias(alias)
        query, known = scope[source.name.lower()]
        return _select(query, source.name), known
    if isinstance(source, exp.Subquery):
        only(source, "this", "alias")
        _check_alias(alias)
        return _select(source, source.alias or "a subquery"), scope
    return None


def _check_alias(alias: Any) -> None:
    """A name without a list of columns."""
    if alias is not None and alias.args.get("columns"):
        raise unsupported_error(f"the list of columns of {alias.name!r}")


def _select(query: Any, name: str) -> exp.Select:
    """The SELECT of a query in parentheses."""
    while isinstance(query, exp.Subquery) and isinstance(query.this, exp.Query):
        query = query.this
    if isinstance(query, exp.Select):
        return query
    if isinstance(query, exp.SetOperation):
        raise QuestionError(f"{name!r} is a {query.key.upper()}; ask its parts one by one: {text_of(query.this)!r}")
    raise unknown_error(query)
