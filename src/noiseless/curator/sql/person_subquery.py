"""A subquery that groups by the person's key is replaced with the declared view that says the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.read import whole
from noiseless.curator.sql.refusal import text_of
from noiseless.errors import QuestionError

Views = Mapping[str, Mapping[str, str]]
"""The views of a table, each with the expressions of its columns."""


def about_view(text: str, table: str, unit: str, views: Views) -> str:
    """The question with the names of a view instead of a subquery with GROUP BY person.

    >>> views = {"homes": {"total": "SUM(kwh)"}}
    >>> text = "SELECT AVG(t) FROM (SELECT home, SUM(kwh) AS t FROM rows GROUP BY home) AS h"
    >>> about_view(text, "rows", "home", views)
    'SELECT AVG(t) FROM (SELECT "total" AS t FROM "homes") AS h'
    """
    if unit.lower() not in text.lower():
        return text
    statement = whole(text)
    found = [select for select in statement.find_all(exp.Select) if _is_per_person(select, statement, table, unit)]
    for select in found:
        select.replace(_of_view(select, unit, views))
    return str(statement.sql(dialect="duckdb")) if found else text


def _is_per_person(select: exp.Select, outermost: Any, table: str, unit: str) -> bool:
    """Whether a SELECT about the table groups by the person's key alone, and others are about its rows."""
    source, group = select.args.get("from_"), select.args.get("group")
    if select is outermost or group is None or source is None or not isinstance(source.this, exp.Table):
        return False
    keys = group.expressions
    return (
        source.this.name.lower() == table.lower()
        and len(keys) == 1
        and isinstance(keys[0], exp.Column)
        and keys[0].name.lower() == unit.lower()
    )


def _of_view(select: exp.Select, unit: str, views: Views) -> exp.Select:
    """The same columns of the declared view that has them."""
    more = {name for part in (select, select.args["group"]) for name, value in part.args.items() if value}
    if more - {"expressions", "from_", "group"}:
        raise QuestionError(
            f"a subquery with GROUP BY {unit} has columns and nothing else; put conditions outside it, or into the "
            f"columns, as in SUM(CASE WHEN … THEN x ELSE 0 END)"
        )
    called = select.args["from_"].this.alias_or_name
    wanted: dict[str, str] = {}
    for item in select.expressions:
        node = item.unalias()
        if isinstance(node, exp.Column) and node.name.lower() == unit.lower() and not item.alias:
            continue  # the person's key, about which nothing can be asked
        if not item.alias:
            raise QuestionError(f"{text_of(item)!r} in a subquery has no name; write {text_of(item)} AS name")
        wanted[item.alias] = _written(node, called)
    for name, columns in views.items():
        known = {_written_text(expression): label for label, expression in columns.items()}
        if all(each in known for each in wanted.values()):
            return _select(name, {alias: known[each] for alias, each in wanted.items()})
    raise QuestionError(_undeclared(unit, wanted, views))


def _written(node: Any, called: str) -> str:
    """An expression in one spelling, without the name of the table."""
    copy = node.copy()
    for column in copy.find_all(exp.Column):
        if column.table.lower() == called.lower():
            column.set("table", None)
    return str(copy.sql(dialect="duckdb")).lower().replace('"', "")


def _written_text(expression: str) -> str:
    return _written(whole(f"SELECT {expression}").expressions[0], "")


def _select(view: str, columns: Mapping[str, str]) -> exp.Select:
    items = [
        exp.alias_(exp.column(exp.to_identifier(label, quoted=True)), alias) for alias, label in columns.items()
    ] or [exp.Star()]
    return exp.select(*items).from_(exp.to_table(f'"{view}"'))


def _undeclared(unit: str, wanted: Mapping[str, str], views: Iterable[str]) -> str:
    lines = ", ".join(f'{alias} = "{expression}"' for alias, expression in wanted.items())
    known = f"views are {', '.join(views)}" if views else "there are no views"
    return (
        f"no view has these columns for each {unit}, and {known}; ask the custodian to declare [per_person.NAME] with "
        f"{lines or 'some columns'}"
    )
