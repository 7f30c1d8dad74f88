"""Subqueries on aggregates: questions that are asked first, and then constants or known numbers of the rest."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.dialects import written
from noiseless.curator.sql.known_numbers import Known, decimal_text, known_number, shown_beside
from noiseless.curator.sql.nesting import about_results, asks
from noiseless.curator.sql.read import parsed
from noiseless.curator.sql.refusal import text_of
from noiseless.errors import QuestionError

MAY_HAVE = re.compile(r"\(\s*(SELECT|WITH)\b", re.IGNORECASE)
MOST_VALUES = 1000
Value = Fraction | int | str | bool | date | Known | None


@dataclass(frozen=True, slots=True)
class Inner:
    """A subquery: its text, and whether IN takes all of its values.

    It may be `shown` with its interval, in a calculation with results. Otherwise it is a constant.
    """

    text: str
    several: bool
    shown: bool = False


def inner_questions(text: str, tables: Collection[str] = ()) -> list[Inner]:
    """The subqueries of a question that ask for numbers, except those in FROM and those about public `tables`.

    >>> inner_questions("SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)")
    [Inner(text='SELECT AVG(age) FROM people', several=False, shown=False)]
    """
    if not isinstance(text, str) or MAY_HAVE.search(text) is None:
        return []
    statement = parsed(text)
    return [_inner(node, statement) for node in _found(statement, tables)]


def with_values(text: str, values: Sequence[Sequence[Value]], tables: Collection[str] = ()) -> str:
    """The question with the values of its subqueries as constants."""
    statement = parsed(text)
    for node, own in zip(_found(statement, tables), values, strict=True):
        if isinstance(node.parent, exp.In):
            node.parent.replace(_is_in(node.parent, _comparable(node, own)))
        elif _is_shown(node, statement):
            node.replace(_in_calculations(own[0]))
        else:
            node.replace(_constant(own[0]))
    _drop_unused(statement)
    return written(statement)


def _found(statement: Any, tables: Collection[str]) -> list[exp.Subquery]:
    """The outermost subqueries that ask for numbers, in the order of the text."""
    found = []
    for node in statement.find_all(exp.Subquery, bfs=False):
        if isinstance(node.parent, (exp.From, exp.Join, exp.CTE, exp.SetOperation)) or not _outermost(node):
            continue
        named = {each.name.lower() for each in node.find_all(exp.Table)}
        if named and named <= {name.lower() for name in tables}:
            continue
        if not isinstance(node.this, exp.Select) or not asks(_asking(node.this)):
            continue
        if node.find_ancestor(exp.Select).args.get("from_") is None:
            raise QuestionError(
                f"the SELECT around {text_of(node)!r} has no FROM; ask its subqueries by themselves, or put UNION ALL "
                f"between them"
            )
        found.append(node)
    return found


def _is_shown(node: Any, statement: Any) -> bool:
    """Whether a subquery is one number in a calculation with results."""
    select = node.find_ancestor(exp.Select)
    return not isinstance(node.parent, exp.In) and shown_beside(node, select, lambda: about_results(select, statement))


def _asking(select: Any) -> Any:
    """The SELECT that asks, behind those in FROM about its results."""
    source = select.args.get("from_")
    while not asks(select) and source is not None and isinstance(source.this, exp.Subquery):
        select = source.this.unnest()
        source = select.args.get("from_")
    return select


def _outermost(node: Any) -> bool:
    """Whether it is in no other subquery of a condition. Inner ones are asked with the subquery around them."""
    above = node.find_ancestor(exp.Subquery)
    while above is not None:
        if not isinstance(above.parent, (exp.From, exp.Join, exp.SetOperation)):
            return False
        above = above.find_ancestor(exp.Subquery)
    return True


def _inner(node: Any, statement: Any) -> Inner:
    """The subquery as a question, with the names of WITH that it uses."""
    query = node.this.copy()
    if len(query.expressions) != 1:
        raise QuestionError(f"{text_of(node)!r} needs exactly one column; select one")
    clause = statement.args.get("with_")
    if clause is not None and query.args.get("with_") is None:
        query.set("with_", clause.copy())
        _drop_unused(query)
    return Inner(written(query), isinstance(node.parent, exp.In), _is_shown(node, statement))


def _drop_unused(statement: Any) -> None:
    """Remove the queries of WITH that are no longer used."""
    clause = statement.args.get("with_")
    while clause is not None:
        used = {table.name.lower() for table in statement.find_all(exp.Table)}
        kept = [each for each in clause.expressions if each.alias.lower() in used]
        if len(kept) == len(clause.expressions):
            return
        clause.set("expressions", kept)
        if not kept:
            statement.set("with_", None)
            return


def _comparable(query: Any, values: Sequence[Value]) -> list[Value]:
    """The values without missing ones.

    Comparing with a missing value is unknown, which only some conditions can ignore.
    """
    above = query.parent.parent
    while isinstance(above, (exp.And, exp.Or, exp.Paren)):
        above = above.parent
    if None in values and not isinstance(above, (exp.Where, exp.Having)):
        raise QuestionError(
            f"{text_of(query)!r} has a missing value, so it is unknown what is not in it; add HAVING … IS NOT NULL to "
            f"the subquery"
        )
    return [each for each in values if each is not None]


def _is_in(within: Any, values: Sequence[Value]) -> Any:
    """The test whether something is one of the values. It is false if there are no values."""
    node = within.this
    listed = list(map(_constant, values))
    if not values:
        return exp.Paren(this=exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(0)))
    if node.find_ancestor(exp.Having) is not None:
        return exp.Paren(this=exp.or_(*(exp.EQ(this=node.copy(), expression=each) for each in listed)))
    return exp.Paren(this=exp.In(this=node.copy(), expressions=listed))


def _in_calculations(value: Value) -> Any:
    """A number with its interval. Texts and truth values are constants."""
    if value is None or isinstance(value, (str, bool)):
        return _constant(value)
    return known_number(value if isinstance(value, Known) else Known(value, value, value))


def _constant(value: Value) -> Any:
    match value:
        case None:
            raise QuestionError(
                "a subquery came out empty, so nothing can be compared or calculated with it; change it"
            )
        case Known(number):
            return _constant(number)
        case bool():
            return exp.true() if value else exp.false()
        case str():
            return exp.Literal.string(value)
        case date():
            return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType.build("date"))
    number = exp.Literal.number(decimal_text(abs(Fraction(value))))
    return exp.Paren(this=exp.Neg(this=number)) if value < 0 else number
