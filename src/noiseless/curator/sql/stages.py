"""Questions that compute with their results: one about the table, and stages about the rows that come out.

The question about the table has the numbers and keys that the first SELECT needs, and nothing else. Its HAVING,
windows, ORDER BY and LIMIT are the first stage. SELECTs around it are the next stages: one that gathers, if it has
aggregates, and one that arranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.after import Arranged, Call, Column, Gathered, Gathering, Output, Stage
from noiseless.curator.plan.after import Expression as OfResult
from noiseless.curator.plan.plan import Aggregate, Constant, Expression, Item, KeyOf, Plan
from noiseless.curator.sql.constants import column_name, limit_of
from noiseless.curator.sql.expressions import Reader
from noiseless.curator.sql.keyed import MIXED, function_of_key, grouping_of, mixes, replaces_missing
from noiseless.curator.sql.known_numbers import is_known_number
from noiseless.curator.sql.labels import free, label_of
from noiseless.curator.sql.nesting import asks, own_nodes
from noiseless.curator.sql.ordered import ordered, position
from noiseless.curator.sql.refusal import argument, only, text_of, unsupported_error
from noiseless.curator.sql.results import AFTER, GATHERED, NULL, ResultReader, Typed
from noiseless.curator.sql.sifting import offset_of, sifted, sifts
from noiseless.errors import QuestionError, UnknownVariableError

AGGREGATES = (exp.AggFunc, exp.Filter, exp.CountIf, exp.WithinGroup)
GROUPING = (exp.Grouping, exp.GroupingId)
SOME_AFTER = (*AFTER, *GROUPING, *MIXED, exp.Anonymous)
"""Nodes that may be about the rows of the result."""
PLAIN = (exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Literal)
"""Nodes by which numbers of the question about the table may be calculated."""
CLAUSES = ("expressions", "from_", "where", "group", "having", "qualify", "order", "limit", "offset", "with_")


def computes_after(select: exp.Select, reader: Reader) -> bool:
    """Whether SELECT, HAVING or ORDER BY have something that is about the rows of the result."""
    if sifts(select):
        return True
    having, order = select.args.get("having"), select.args.get("order")
    parts = [*((part, True) for part in (*select.expressions, order)), (having, False)]
    return any(part is not None and part.find(*SOME_AFTER) and _after(part, reader, shown) for part, shown in parts)


def _after(node: Any, reader: Reader, shown: bool) -> bool:
    """Aggregates and expressions of GROUP BY are about the table. HAVING compares keys with constants by itself."""
    if isinstance(node, (exp.Window, *GROUPING)) or is_known_number(node):
        return True
    if isinstance(node, (*AGGREGATES, exp.Query)) or _grouped(node, reader) is not None:
        return False
    if mixes(node, reader, AGGREGATES, lambda part: _grouped(part, reader), shown):
        return True
    if isinstance(node, AFTER) and not (isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal)):
        return True
    return any(_after(part, reader, shown) for part in node.iter_expressions())


def _grouped(node: Any, reader: Reader) -> KeyOf | None:
    """The key, if a node is an expression of GROUP BY."""
    if not isinstance(node, (exp.Condition, exp.Var)) or not reader.groups or isinstance(node, exp.Column):
        return None
    if replaces_missing(node) and reader.written and node not in reader.written:
        return None
    try:
        found = reader.expression(node) if node.find(*AGGREGATES, exp.Window) is None else None
    except (QuestionError, UnknownVariableError):
        return None
    return found if isinstance(found, KeyOf) else None


def with_stages(select: exp.Select, around: Sequence[exp.Select], reader: Reader, plan: Plan) -> Plan:
    """The plan of a SELECT about the table, and of those around it."""
    first = FirstStage(reader)
    begun = first.read(select)
    outputs = begun[-1].outputs
    stages: list[Stage] = [] if around and len(begun) == 1 and _renames(begun[0]) else [*begun]
    for each in around:
        gathering, arranging = NextStage(outputs, _called(each)).read(each)
        stages += [*gathering, *arranging]
        outputs = arranging[-1].outputs
    return replace(plan, items=first.plan_items(), stages=tuple(stages))


def _renames(stage: Arranged) -> bool:
    """Whether a stage does nothing but list the columns that it is about."""
    listed = all(each.expression == Column(each.label) for each in stage.outputs)
    return listed and stage.where is None and not stage.order and stage.limit is None


def _called(select: exp.Select) -> str:
    """The name that a SELECT gives to the rows of the one before."""
    source = select.args["from_"].this
    return str(source.alias or source.name)


@dataclass(slots=True)
class FirstStage:
    """Reads a SELECT about the table, and collects what it needs of the table in `items`."""

    reader: Reader
    items: dict[Expression, str] = field(default_factory=dict)
    named: dict[str, Typed] = field(default_factory=dict)

    def read(self, select: exp.Select) -> tuple[Arranged, ...]:
        """The stage, or several with QUALIFY and OFFSET. DISTINCT lists the groups that have rows by their counts."""
        for node in select.expressions:  # numbers by themselves have their own labels
            if isinstance(node, exp.Alias) and self._of_table(node.this):
                self._item(node.this, node.alias)
        reader = ResultReader(self._leaf)
        outputs = _outputs(select.expressions, reader, self.named)
        having = select.args.get("having")
        where = None if having is None else reader.test(having.this)
        if select.args.get("distinct") is not None:
            counted = Column(self._labelled(Aggregate("COUNT"), "COUNT(*)"))
            some = Call(">", (counted, Constant(Fraction(0))))
            where = some if where is None else Call("AND", (some, where))
        return _arranged(select, reader, outputs, where)

    def plan_items(self) -> tuple[Item, ...]:
        """The items of the question about the table."""
        return tuple(Item(label, expression) for expression, label in self.items.items())

    def _of_table(self, node: Any) -> bool:
        """Whether a node is one number that is asked, or calculated from several."""
        nodes = [] if isinstance(node, GROUPING) else list(own_nodes(node))
        if not any(isinstance(each, AGGREGATES) for each in nodes):
            return False
        return _calculated(node)

    def _leaf(self, node: Any) -> Typed | None:
        if isinstance(node, exp.Window):
            return None
        if self._of_table(node):
            return self._item(node)
        if isinstance(node, exp.Column):
            name = column_name(node, self.reader.table)
            if name.lower() not in (key.lower() for key in self.reader.keys) and (
                found := self.named.get(name.lower())
            ):
                return found
            try:
                return self._key(self.reader.expression(node))
            except QuestionError as wrong:
                raise QuestionError(f"OVER, CASE and so on are about the result, and {wrong}") from None
        if isinstance(node, GROUPING):
            return grouping_of(node, self.reader, self._key)
        key = _grouped(node, self.reader)
        return function_of_key(node, self.reader, self._key) if key is None else self._key(key)

    def _item(self, node: Any, label: str = "") -> Typed:
        expression = self.reader.expression(node)
        kind = "date" if self.reader.is_date(expression) else "number"
        return Typed(Column(self._labelled(expression, label or label_of(node))), kind)

    def _key(self, key: Expression) -> Typed:
        assert isinstance(key, KeyOf)
        return Typed(Column(self._labelled(key, key.column)), self.reader.kind_of(key), released=False)

    def _labelled(self, expression: Expression, label: str) -> str:
        if expression not in self.items:
            self.items[expression] = free(label, self.items.values())
        return self.items[expression]


def _calculated(node: Any) -> bool:
    """Whether a node consists of aggregates, constants and arithmetic only."""
    if isinstance(node, AGGREGATES):
        return True
    return isinstance(node, PLAIN) and all(_calculated(part) for part in node.iter_expressions())


@dataclass(slots=True)
class NextStage:
    """Reads a SELECT about the rows of a stage."""

    before: Sequence[Output]
    table: str
    named: dict[str, Typed] = field(default_factory=dict)
    keys: list[Output] = field(default_factory=list)
    numbers: dict[Gathering, str] = field(default_factory=dict)

    def read(self, select: exp.Select) -> tuple[tuple[Gathered, ...], tuple[Arranged, ...]]:
        """The stages of the SELECT: what gathers, and what arranges."""
        only(select, *CLAUSES)
        rows = ResultReader(self._column)
        where = select.args.get("where")
        kept = None if where is None else rows.test(where.this)
        listed = self._expanded(select.expressions)
        if not asks(select):
            reader = ResultReader(self._named)
            outputs = _outputs(listed, reader, self.named)
            return (), _arranged(select, reader, outputs, kept)
        self._group(select, rows)
        reader = ResultReader(self._gathered)
        outputs = _outputs(listed, reader, self.named)
        having = select.args.get("having")
        test = None if having is None else reader.test(having.this)
        return (Gathered(tuple(self.keys), tuple(self.numbers), kept),), _arranged(select, reader, outputs, test)

    def _expanded(self, nodes: Sequence[Any]) -> list[Any]:
        """The expressions of SELECT, with the columns that * means."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, exp.Star):
                only(node)
                found += [exp.column(each.label, quoted=True) for each in self.before]
            else:
                found.append(node)
        return found

    def _column(self, node: Any) -> Typed | None:
        """A column of the rows before."""
        if not isinstance(node, exp.Column):
            return None
        name = column_name(node, self.table)
        for each in self.before:
            if each.label.lower() == name.lower():
                return Typed(Column(each.label), each.kind, each.released)
        known = ", ".join(each.label for each in self.before)
        raise QuestionError(f"{name!r} is not a column of the SELECT in FROM; its columns are {known}")

    def _named(self, node: Any) -> Typed | None:
        """A column of the rows before, or a name of this SELECT."""
        if isinstance(node, exp.Column) and not node.table:
            name = node.name.lower()
            if name not in (each.label.lower() for each in self.before) and name in self.named:
                return self.named[name]
        return self._column(node)

    def _group(self, select: exp.Select, rows: ResultReader) -> None:
        if (clause := select.args.get("group")) is None:
            return
        only(clause, "expressions")
        named = {each.alias.lower(): each.this for each in select.expressions if isinstance(each, exp.Alias)}
        for node in clause.expressions:
            if isinstance(node, exp.Literal) and not node.is_string:
                node = select.expressions[position(node, len(select.expressions), "GROUP BY")].unalias()
            elif isinstance(node, exp.Column) and not node.table and node.name.lower() in named:
                labels = [each.label.lower() for each in self.before]
                node = node if node.name.lower() in labels else named[node.name.lower()]
            found = rows.read(node)
            if found.released and found.kind in ("number", "date"):
                raise QuestionError(
                    f"GROUP BY {text_of(node)!r} is about numbers that are intervals; group by keys, or by CASE with "
                    f"texts"
                )
            label = found.node.label if isinstance(found.node, Column) else label_of(node)
            self.keys.append(
                Output(free(label, [each.label for each in self.keys]), found.node, found.kind, found.released)
            )

    def _gathered(self, node: Any) -> Typed | None:
        """A key of GROUP BY, an aggregate of rows, or a name of this SELECT."""
        if isinstance(node, exp.Window):
            return None
        if isinstance(node, AGGREGATES):
            return self._aggregate(node)
        if node.find(*AGGREGATES, exp.Window) is None and node.find(exp.Column) is not None:
            if isinstance(node, exp.Column) and (found := self._of_name(node)) is not None:
                return found
            if (key := self._key(node)) is not None:
                return key
            if isinstance(node, exp.Column):
                raise QuestionError(f"{text_of(node)!r} is neither aggregated nor grouped; add it to GROUP BY")
        return None

    def _key(self, node: Any) -> Typed | None:
        """The key that is an expression as it is in GROUP BY."""
        try:
            read = ResultReader(self._column).read(node)
        except QuestionError:
            if isinstance(node, exp.Column):
                raise
            return None
        found = (each for each in self.keys if each.expression == read.node)
        return next((Typed(Column(each.label), each.kind, each.released) for each in found), None)

    def _of_name(self, node: Any) -> Typed | None:
        name = node.name.lower()
        return None if node.table or name in (each.label.lower() for each in self.before) else self.named.get(name)

    def _aggregate(self, node: Any) -> Typed:
        rows, kept = ResultReader(self._column), None
        if isinstance(node, exp.Filter):
            only(node, "this", "expression")
            kept, node = rows.test(node.expression.this), node.this
        if isinstance(node, exp.CountIf):
            only(node, "this")
            test = rows.test(node.this)
            return self._number(Gathering("", "COUNT", None, test), "number", node)
        if type(node) not in GATHERED:
            raise unsupported_error(f"{text_of(node)!r} of the rows of a result")
        only(node, "this", "big_int")
        function = GATHERED[type(node)]
        if isinstance(argument(node, "this"), exp.Star):
            return self._number(Gathering("", function, None, kept), "number", node)
        found = rows.read(node.this)
        kinds = ("number", "date") if function in ("MIN", "MAX") else ("number",)
        if function != "COUNT" and found.kind not in kinds:
            raise QuestionError(f"{text_of(node)!r} is about a {found.kind}; it needs a number")
        kind = found.kind if function in ("MIN", "MAX") else "number"
        return self._number(Gathering("", function, found.node, kept), kind, node)

    def _number(self, asked: Gathering, kind: str, node: Any) -> Typed:
        for each in self.numbers:
            if (each.function, each.of, each.kept) == (asked.function, asked.of, asked.kept):
                return Typed(Column(each.label), kind)
        taken = [*(each.label for each in self.keys), *(each.label for each in self.numbers)]
        made = Gathering(free(label_of(node), taken), asked.function, asked.of, asked.kept)
        self.numbers[made] = made.label
        return Typed(Column(made.label), kind)


def _outputs(nodes: Sequence[Any], reader: ResultReader, named: dict[str, Typed]) -> tuple[Output, ...]:
    """The columns of SELECT. Each may use the names of those before it."""
    found: list[Output] = []
    for node in nodes:
        label = ""
        if isinstance(node, exp.Alias):
            only(node, "this", "alias")
            label, node = node.alias, node.this
        label = label or label_of(node)
        read = reader.read(node)
        if read.kind == NULL:
            raise QuestionError(f"{text_of(node)!r} is always NULL; remove it")
        named.setdefault(label.lower(), read)
        found.append(Output(free(label, [each.label for each in found]), read.node, read.kind, read.released))
    return tuple(found)


def _arranged(
    select: exp.Select, reader: ResultReader, outputs: tuple[Output, ...], where: OfResult | None
) -> tuple[Arranged, ...]:
    """The stage of a SELECT with these columns, and the stages for QUALIFY and OFFSET."""
    shown = [(each.label, each.expression) for each in outputs]
    order = ordered(select.args.get("order"), shown, lambda node: reader.read(node).node)
    limit = limit_of(select.args.get("limit"))
    clause = select.args.get("qualify")
    test = None if clause is None else reader.test(clause.this)
    return sifted(Arranged(outputs, where, order, limit), test, offset_of(select))
