"""Turn a statement into a plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlglot import Dialect, TokenType, exp

from noiseless.curator.plan.condition import TRUE, Condition, check_size, every
from noiseless.curator.plan.plan import Aggregate, Constant, Item, Plan
from noiseless.curator.plan.subtotals import with_levels
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.plain import why_not
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.constants import limit_of
from noiseless.curator.sql.example import suggesting
from noiseless.curator.sql.expressions import Reader
from noiseless.curator.sql.flatten import flattened
from noiseless.curator.sql.grouping import check_numbers, grouping, not_empty
from noiseless.curator.sql.joins import Tables, private_first, without_joins
from noiseless.curator.sql.labels import free, label_of
from noiseless.curator.sql.mode import without_mode
from noiseless.curator.sql.nesting import Nested, Scope, nested
from noiseless.curator.sql.ordered import ordered
from noiseless.curator.sql.parsers import statements
from noiseless.curator.sql.public_lists import Listed, with_lists
from noiseless.curator.sql.refusal import only, text_of, unknown_error, unsupported_error
from noiseless.curator.sql.shapes import SHAPES, Shape, shape_of
from noiseless.curator.sql.size import check_sizes
from noiseless.curator.sql.spelled_out import spelled_out
from noiseless.curator.sql.stage_size import check_stages
from noiseless.curator.sql.stages import computes_after, with_stages
from noiseless.curator.sql.union import united
from noiseless.errors import NoiselessError, QuestionError

LONGEST = 20_000
DEEPEST = 100
"""A certificate holds the plan as nested lists, and every reader must be able to parse them."""
QUOTING = ("'", '"', "$", "/*", "--")
"""Characters that can begin a text, a name or a comment, where a comma is an ordinary character."""
DUCKDB = Dialect.get_or_raise("duckdb")


LISTS = (exp.Select, exp.Group, exp.Order)
"""Nodes that write commas between their expressions, and nowhere else."""
PLAIN = (
    *(exp.From, exp.Table, exp.Where, exp.Having, exp.Limit, exp.Ordered, exp.Alias, exp.TableAlias),
    *(exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Star, exp.Paren, exp.Neg, exp.Not, exp.And, exp.Or),
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Add, exp.Sub, exp.Mul),
    *(exp.Count, exp.Sum, exp.Avg),
)
"""Nodes that write no comma unless they hold a list."""
COMMAS = frozenset({*LISTS, *PLAIN})
BEGINNINGS = (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN)
CLAUSES = ("distinct", "expressions", "from_", "joins", "where", "group", "having", "qualify")
ORDERED = ("order", "limit", "offset")


NO_TABLES: Tables = {}


def read(text: str, schema: Schema, table: str, tables: Tables = NO_TABLES) -> Plan:
    """The plan of one SELECT about one table, joined with public `tables`.

    >>> from noiseless.curator.schema.scale import Integer
    >>> read("SELECT AVG(age) FROM people WHERE age >= 65", Schema(age=Integer(0, 120)), "people").where
    Within(column='age', ranges=((65, 120),))
    """
    if not isinstance(text, str):
        raise QuestionError(f"the question must be a text in SQL, not a {type(text).__name__}; pass a str")
    if wrong := why_not(text, LONGEST):
        raise QuestionError(f"the question {wrong}; ask in parts, in plain text")
    with suggesting(text, schema, table):
        try:
            if (known := SHAPES.read(text, _shape)) is not None:
                plan = _plan_of(known[0], schema, table, tables, plain=True)
                known[1]()
            else:
                statement, commas = _parsed(text)
                plan = _plan(statement, schema, table, tables)
                _check_complete(commas, statement)
            if plan.depth() <= DEEPEST:
                return plan
        except RecursionError:
            pass
        raise QuestionError("the question is nested too deeply; write it with fewer parentheses, or ask in parts")


def _shape(text: str) -> Shape | None:
    """The shape of a text with stand-ins for its numbers. None if it cannot be used for other numbers."""
    try:
        statement, tokens = _in_words(text)
        if not isinstance(statement, exp.Select) or _listed(statement) != _commas(tokens):
            return None
        return shape_of(text, tokens, statement, COMMAS)
    except (NoiselessError, RecursionError):
        return None


def parsed(text: str, dialect: Dialect = DUCKDB) -> exp.Query:
    """The statement of a text. Refused if the parser dropped a part of it."""
    if wrong := why_not(text, LONGEST):
        raise QuestionError(f"the question {wrong}; ask in parts, in plain text")
    try:
        statement, tokens = _in_words(text, dialect)
        _check_complete(_commas(tokens, dialect), statement, dialect)
        return statement
    except RecursionError:
        raise QuestionError("the question is nested too deeply; ask in parts") from None


def _parsed(text: str) -> tuple[exp.Query, int]:
    """The statement, and the number of commas in its text."""
    statement, tokens = _in_words(text)
    return statement, _commas(tokens)


def whole(text: str) -> Any:
    """The statement of a text. Refused if the parser dropped a part of it."""
    statement, commas = _parsed(text)
    _check_complete(commas, statement)
    return statement


def _in_words(text: str, dialect: Dialect = DUCKDB) -> tuple[exp.Query, list[Any]]:
    """The statement, and the words of its text."""
    try:
        tokens = dialect.tokenize(text)
        stops = [place for place, token in enumerate(tokens) if token.token_type == TokenType.SEMICOLON]
        if stops and stops[0] < len(tokens) - 1:
            raise unsupported_error("more than one statement")
        if not tokens or tokens[0].token_type not in BEGINNINGS:
            raise unsupported_error("anything but SELECT" if tokens else "an empty question")
        [statement, *_] = statements(dialect, tokens, text)
    except (NoiselessError, RecursionError):
        raise
    except Exception as wrong:
        where = getattr(wrong, "errors", None) or [{}]
        place = f" near line {where[0]['line']}, column {where[0]['col']}" if where[0].get("line") else ""
        raise QuestionError(f"the question is not valid SQL{place}; correct it there") from None
    if not isinstance(statement, (exp.Select, exp.SetOperation)):
        raise unknown_error(statement) if statement is not None else unsupported_error("an empty question")
    return statement, tokens


def _check_complete(commas: int, statement: exp.Query, dialect: Dialect = DUCKDB) -> None:
    """The parser drops arguments that it does not know. Compare the commas to notice."""
    if commas == _listed(statement):
        return
    text = statement.sql(dialect=dialect, copy=dialect is not DUCKDB)
    plain = not any(mark in text for mark in QUOTING) and not any(f"{name}(" in text for name in ARGUMENTS)
    ranked = (each.this for each in statement.find_all(exp.WithinGroup))
    if dialect is DUCKDB:
        commas += sum(isinstance(each, exp.PercentileCont) for each in ranked)  # QUANTILE_CONT is written with one more
    if commas != (text.count(",") if plain else _commas(dialect.tokenize(text), dialect)):
        raise QuestionError("a function has too many arguments, or there is an extra comma; remove it")


def _listed(statement: exp.Query) -> int | None:
    """The commas that a plain statement has when it is written. None if it must be written to find out."""
    commas = 0
    nodes: list[Any] = [statement]
    while nodes:
        node = nodes.pop()
        if type(node) not in COMMAS:
            return None
        for value in node.args.values():
            if isinstance(value, exp.Expr):
                nodes.append(value)
            elif isinstance(value, list) and value:
                if not isinstance(node, LISTS):
                    return None
                commas += len(value) - 1
                nodes += value
    return commas


ARGUMENTS = {
    "IF": (2, 3),
    "IIF": (2, 3),
    "MOD": (2, 2),
    "POW": (2, 2),
    "POWER": (2, 2),
    "SUBSTR": (1, 3),
    "SUBSTRING": (1, 3),
    "DATE_PART": (2, 2),
    "DATEPART": (2, 2),
    "LOG": (1, 2),
    "LOG2": (1, 1),
    "LOG10": (1, 1),
    "QUANTILE": (2, 2),
    "QUANTILE_DISC": (2, 2),
    "PERCENTILE_DISC": (1, 1),
}
"""Functions that the parser writes in another way, with their fewest and most arguments."""


DECIMALS = ("DECIMAL", "NUMERIC", "DEC")


def _commas(tokens: Iterable[Any], dialect: Dialect = DUCKDB) -> int:
    """How many commas there are, except between the arguments of functions that are written in several ways."""
    calls: list[tuple[str, int]] = []  # what each open parenthesis belongs to, and the commas in it
    before, total = "", 0
    for token in tokens:
        if dialect is DUCKDB and before in DECIMALS and token.token_type != TokenType.L_PAREN:
            total += 1  # it is written as DECIMAL(18, 3)
        match token.token_type:
            case TokenType.L_PAREN:
                calls.append((before, 0))
            case TokenType.COMMA if calls and calls[-1][0] in ARGUMENTS:
                calls[-1] = calls[-1][0], calls[-1][1] + 1
            case TokenType.COMMA:
                total += 1
            case TokenType.R_PAREN if calls:
                name, commas = calls.pop()
                if commas >= ARGUMENTS.get(name, (0, commas + 1))[1]:
                    raise QuestionError(f"{name} has too many arguments; remove one")
        before = token.text.upper()
    return total


def _plan(statement: exp.Query, schema: Schema, table: str, tables: Tables) -> Plan:
    if isinstance(statement, exp.SetOperation):
        return united(statement, lambda select, scope: _plan_of(select, schema, table, tables, scope), schema)
    return _plan_of(statement, schema, table, tables)


def _plan_of(
    statement: Any, schema: Schema, table: str, tables: Tables, scope: Scope | None = None, plain: bool = False
) -> Plan:
    """The plan of one SELECT. A plain one, such as a shape, has only nodes of COMMAS, so there is less to look for."""
    statement = spelled_out(statement, tables, schema, plain)
    listed = Listed(statement) if plain else with_lists(statement, tables)
    chain = Nested((statement,), (), {}) if plain else nested(listed.select, scope)
    first = private_first(chain.rows[0], table, tables)
    called = _called(first, table)
    alone = without_joins(first, schema, table, tables, named=len(chain.rows) > 1)
    table = called
    if len(chain.rows) > 1 and chain.rows[-1].args.get("joins"):
        raise QuestionError("JOIN with the rows of a subquery is not supported; join the public table inside it")
    only(chain.rows[-1], *CLAUSES, *ORDERED, "with_")  # nested() has read it
    select = alone.select if len(chain.rows) == 1 else flattened([alone.select, *chain.rows[1:]], schema, table)
    select = select if plain else without_mode(select)
    where = every([alone.kept, _where(select, schema, table)])
    grouped = grouping(select, schema, table)
    reader = Reader(schema, table, grouped.labels, grouped.functions, kept=where, written=grouped.written)
    joined = tuple(sorted({*alone.tables, *listed.tables}))
    plan = Plan((), where, grouped.labels, groups=grouped.groups, public_groups=grouped.public, joined=joined)
    may_compute = not plain or select.args.get("group") is not None  # a plain one only calculates with keys
    if chain.results or (may_compute and computes_after(select, reader)):
        plan = with_stages(select, chain.results, reader, plan)
    else:
        plan = _without_stages(select, reader, plan)
    if grouped.levels:
        plan = with_levels(plan, grouped.levels)
    plan = _of_one_category(plan, schema)
    if not plan.aggregates():
        raise QuestionError("the question asks for no number; add one such as COUNT(*) or AVG of a column")
    if plan.groups:
        check_numbers(plan.aggregates())
    check_sizes(plan, schema)
    check_stages(plan, schema)
    return plan


def _without_stages(select: exp.Select, reader: Reader, plan: Plan) -> Plan:
    items = _items(select, reader)
    named = replace(reader, named={item.label: item.expression for item in items})
    having = select.args.get("having")
    test = named.test(having.this) if having is not None else None
    if select.args.get("distinct") is not None:
        test = not_empty(test)
    shown = [(item.label, item.expression) for item in items]
    order, limit = ordered(select.args.get("order"), shown, named.expression), limit_of(select.args.get("limit"))
    return replace(plan, items=items, having=test, order=order, limit=limit)


def _of_one_category(plan: Plan, schema: Schema) -> Plan:
    """A plan that counts by one category alone, as it is written since the first version."""
    name = plan.groups[0].column if len(plan.groups) == 1 else None
    if name is None or not isinstance(schema.columns[name], (Category, Boolean)):
        return plan
    if any(aggregate != Aggregate("COUNT") for aggregate in plan.aggregates()):
        return plan
    return replace(plan, category=name, groups=())


def _called(select: exp.Select, table: str) -> str:
    """What the question calls the table: its name or an alias."""
    source = select.args.get("from_")
    if source is None:
        raise QuestionError(f"the question names no table; write FROM {table}")
    only(source, "this")
    if not isinstance(source.this, exp.Table):
        raise unknown_error(source.this)
    only(source.this, "this", "alias")
    if not isinstance(source.this.this, exp.Identifier):
        raise unknown_error(source.this.this)
    if source.this.name.lower() != table.lower():
        raise QuestionError(f"table {source.this.name!r} does not exist; write FROM {table}")
    if (alias := source.this.args.get("alias")) is not None:
        only(alias, "this")
    return source.this.alias or table


def _where(select: exp.Select, schema: Schema, table: str) -> Condition:
    clause = select.args.get("where")
    if clause is None:
        return TRUE
    found = condition(clause.this, schema, table)
    check_size(found)
    return found


def _items(select: exp.Select, reader: Reader) -> tuple[Item, ...]:
    items: list[Item] = []
    for node in select.expressions:
        label = ""
        if isinstance(node, exp.Alias):
            only(node, "this", "alias")
            label, node = node.alias, node.this
        expression = reader.expression(node)
        if isinstance(expression, Constant) and not isinstance(expression.value, str):
            raise QuestionError(
                f"{text_of(node)!r} does not use the table; remove it, or ask for a number such as COUNT(*)"
            )
        items.append(Item(free(label or label_of(node), (item.label for item in items)), expression))
    return tuple(items)
