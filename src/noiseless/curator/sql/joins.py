"""JOIN with public tables on their keys: what they say about a row becomes a function of the row.

The columns of public tables are replaced in the parse tree by what they are, before the rest of it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.condition import TRUE, Condition, Within, every, ranges
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import ColumnOf, columns_in
from noiseless.curator.plan.functions.lookup import looked_up
from noiseless.curator.schema.public_table import PublicTable
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.constants import is_column
from noiseless.curator.sql.functions import FUNCTION, RowReader
from noiseless.curator.sql.labels import LABEL
from noiseless.curator.sql.refusal import only, text_of, unknown_error
from noiseless.errors import QuestionError

MOST_CODES = 20_000
"""A column with more values than this cannot be joined, because each value is looked up."""
Tables = Mapping[str, PublicTable]
"""The public tables of a dataset, by their names in lower case."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A public table in a question: what it is called, and the row that belongs to each code of a column."""

    called: str
    table: PublicTable
    column: ColumnOf
    rows: tuple[int | None, ...]
    inner: bool
    same: Any | None
    """The column of the private table that equals the key, if there is one in every row that is kept."""
    using: bool

    def find(self, column: Any) -> Any:
        """The node that stands for one of its columns."""
        known, given = self.table.find(column.name)
        if known == self.table.key and self.same is not None:
            return self.same.copy()
        kind: Any = given.kind
        function = looked_up(self.column, self.rows, given.cells, kind, self.inner)
        node = exp.Var(this=column.sql(dialect="duckdb"))
        node.meta.update({FUNCTION: function, LABEL: known})
        return node

    @property
    def kept(self) -> Condition:
        """The condition of an inner join: it keeps rows that have a row in the public table."""
        found = ranges((code, code) for code, row in enumerate(self.rows) if row is not None)
        everywhere = found == ((0, self.column.top),) and not self.column.apart
        return TRUE if everywhere or not self.inner else Within(self.column.name, found)


@dataclass(frozen=True, slots=True)
class Alone:
    """A SELECT about the private table alone, which of its rows the joins keep, and which tables were joined."""

    select: exp.Select
    kept: Condition = TRUE
    tables: tuple[tuple[str, str], ...] = ()
    """Their names, and the SHA-256 of the content of each."""


def without_joins(select: exp.Select, schema: Schema, table: str, tables: Tables, named: bool = False) -> Alone:
    """What a SELECT with JOINs says about the private table alone.

    If others are about its rows, its columns are `named`: `d.years` is called years.
    """
    if not select.args.get("joins"):
        return Alone(select)
    select = select.copy()
    names = Names(schema, select.args["from_"].this.alias_or_name, [])
    for node in select.args["joins"]:
        names.joined.append(_joined(node, names, table, tables))
    select.set("joins", None)
    if named:
        select.set("expressions", [item for each in select.expressions for item in names.items(each)])
    shown = {each.alias.lower() for each in select.expressions if each.alias}
    for node in _columns(select):
        if node.find_ancestor(exp.Order, exp.Having) and not node.table and node.name.lower() in shown:
            continue  # the name belongs to a number of the answer
        found = names.find(node)
        if found is not None:
            node.replace(found)
    digests = {each.table.name: each.table.digest for each in names.joined}
    return Alone(select, every(each.kept for each in names.joined), tuple(sorted(digests.items())))


def private_first(select: exp.Select, table: str, tables: Tables) -> exp.Select:
    """The SELECT with the private table in FROM: an inner join is the same in both orders."""
    source = select.args.get("from_")
    if source is None or not isinstance(source.this, exp.Table) or source.this.name.lower() not in tables:
        return select
    select = select.copy()
    source = select.args["from_"]
    for each in select.args.get("joins") or ():
        private = isinstance(each.this, exp.Table) and each.this.name.lower() == table.lower()
        if private and not each.args.get("side"):
            first, second = source.this.copy(), each.this.copy()
            source.set("this", second)
            each.set("this", first)
            break
    return select


def _columns(node: Any) -> list[Any]:
    """All columns in a node, except those of subqueries."""
    return list(_walk(node))


def _walk(node: Any) -> Iterator[Any]:
    for value in node.args.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, exp.Column):
                yield each
            elif isinstance(each, exp.Expr) and not isinstance(each, exp.Query):
                yield from _walk(each)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the tables of a question, and which table has a column."""

    schema: Schema
    private: str
    joined: list[Joined]

    def find(self, node: Any) -> Any | None:
        """The node that stands for a column of a public table.

        None for a column of the private table or an unknown one.
        """
        if isinstance(node.this, exp.Star):
            return None
        if node.table:
            return next((each.find(node) for each in self.joined if each.called == node.table.lower()), None)
        own = self.has(node.name)
        having = [each for each in self.joined if each.table.has(node.name)]
        having = [each for each in having if not (each.using and each.table.key.lower() == node.name.lower())]
        if own + len(having) > 1:
            places = [*([self.private] if own else []), *(each.called for each in having)]
            raise QuestionError(
                f"column {node.name!r} is in {' and '.join(places)}; write {places[0]}.{node.name}, or use another"
            )
        return having[0].find(node) if having else None

    def items(self, node: Any) -> list[Any]:
        """An item of a SELECT about rows, with a name; `*` is all columns, of all tables or of one."""
        star = node.this if isinstance(node, exp.Column) else node
        if not isinstance(star, exp.Star):
            return [exp.alias_(node, node.name, quoted=True) if isinstance(node, exp.Column) else node]
        only(star)
        table = node.table.lower() if isinstance(node, exp.Column) else ""
        own = [exp.Star()] if table in ("", self.private.lower()) else []
        others = [each for each in self.joined if table in ("", each.called)]
        if not own and not others:
            return [node]
        columns = [(each, name) for each in others for name in each.table.columns if not self.has(name)]
        return [
            *own,
            *(exp.alias_(exp.column(name, each.called, quoted=True), name, quoted=True) for each, name in columns),
        ]

    def has(self, name: str) -> bool:
        """Whether the private table has a column of this name."""
        return any(known.lower() == name.lower() for known in self.schema.columns)

    def within(self, node: Any) -> Any:
        """A node in which columns of public tables are replaced."""
        inside = exp.Paren(this=node.copy())
        for each in _columns(inside):
            if (found := self.find(each)) is not None:
                each.replace(found)
        return inside.this


def _joined(node: Any, names: Names, table: str, tables: Tables) -> Joined:
    only(node, "this", "side", "kind", "method", "on", "using")
    side, kind, method = (str(node.args.get(each) or "").upper() for each in ("side", "kind", "method"))
    if not isinstance(node.this, exp.Table):
        raise unknown_error(node.this)
    only(node.this, "this", "alias")
    name, called = node.this.name, node.this.alias_or_name.lower()
    found = tables.get(name.lower())
    if found is None:
        raise _unknown_table_error(name, table, tables)
    if side not in ("", "LEFT") or kind not in ("", "INNER", "OUTER") or method or (kind == "OUTER" and not side):
        wrong = " ".join(word for word in (method, side, kind) if word)
        raise QuestionError(
            f"{wrong} JOIN is not supported; write JOIN {name} ON …, or LEFT JOIN, which keeps all rows of {table!r}"
        )
    if called in (names.private.lower(), *(each.called for each in names.joined)):
        raise QuestionError(f"two tables are called {called!r}; give one another name, as in JOIN {name} AS other")
    given, using = _given(node, found, called, names)
    column, rows = _places(given, names, found)
    inner = side == ""
    same = given if inner and is_column(given) else None
    return Joined(called, found, column, rows, inner, same, using)


def _unknown_table_error(name: str, table: str, tables: Tables) -> QuestionError:
    public = ", ".join(each.name for each in tables.values())
    if name.lower() == table.lower():
        return QuestionError(
            f"a join of {table!r} with itself is not supported, because one person could be in many pairs of rows; "
            f"join public tables only: {public or 'none is declared'}"
        )
    known = f"public tables are {public}" if public else "no public table is declared: ask the custodian for one"
    return QuestionError(f"JOIN needs a public table of this dataset, and {name!r} is not one; {known}")


def _given(node: Any, table: PublicTable, called: str, names: Names) -> tuple[Any, bool]:
    """What is compared with the key: a column or a function of the row. And whether it is named by USING."""
    if using := node.args.get("using"):
        if [each.name.lower() for each in using] != [table.key.lower()]:
            raise _key_error(table, called)
        own = exp.Column(this=using[0].copy())
        if not names.has(own.name):
            raise _key_error(table, called)
        return own, True
    test = node.args.get("on")
    while isinstance(test, exp.Paren):
        test = test.this
    if not isinstance(test, exp.EQ):
        raise _key_error(table, called)
    for own, other in ((test.this, test.expression), (test.expression, test.this)):
        if _is_key(other, table, called, names) and not _mentions(own, called, table, names):
            return names.within(own), False
    raise _key_error(table, called)


def _key_error(table: PublicTable, called: str) -> QuestionError:
    return QuestionError(
        f"public table {table.name!r} is joined by its key alone; write ON x = {called}.{table.key}, with a column "
        f"x of the private table, or USING ({table.key}) if both have that column"
    )


def _is_key(node: Any, table: PublicTable, called: str, names: Names) -> bool:
    if not is_column(node):
        return False
    node = node.unnest()
    if node.name.lower() != table.key.lower():
        return False
    return bool(node.table.lower() == called if node.table else not names.has(node.name))


def _mentions(node: Any, called: str, table: PublicTable, names: Names) -> bool:
    """Whether a node is about the table that is being joined."""
    return any(
        each.table.lower() == called if each.table else table.has(each.name) and not names.has(each.name)
        for each in _columns(exp.Paren(this=node))
    )


def _places(given: Any, names: Names, table: PublicTable) -> tuple[ColumnOf, tuple[int | None, ...]]:
    """The column that decides which row of a public table belongs to a row, and that row for each of its codes."""
    function = RowReader(names.schema, names.private).function(given)
    columns = columns_in(function)
    if len(columns) != 1:
        raise QuestionError(f"{text_of(given)!r} must be about one column of the table, to be looked up; use one")
    [column] = columns
    if column.top >= MOST_CODES:
        raise QuestionError(
            f"{column.name!r} has more than {MOST_CODES} values, too many to look up; join a category, or a column "
            f"with a larger step"
        )
    keys = table.keys.get(function.kind)
    if keys is None:
        kinds = " or ".join(table.keys)
        raise QuestionError(
            f"{text_of(given)!r} is a {function.kind}, and the key of {table.name!r} is a {kinds}; compare values of "
            f"one kind"
        )
    rows = _rows(function, column, keys)
    if not any(row is not None for row in rows):
        raise QuestionError(
            f"no value that {text_of(given)!r} can have is a key of {table.name!r}; compare it with the declared values"
        )
    return column, tuple(rows)


def _rows(function: Function, column: ColumnOf, keys: Mapping[Any, int]) -> Sequence[int | None]:
    values = (function.value({column.name: code}) for code in range(column.top + 1))
    return [None if value is None else keys.get(value) for value in values]
