"""One TOML file: where the table is, its columns, who a person is, and the budget.

::

    format = 1                       # version of this file format; optional
    source = "people.parquet"        # beside this file; or a database, postgres://… or spark://…
    table = "people"                 # the table in a database, or in a DuckDB file with several
    budget = 12                      # bits per person, for all questions ever asked
    version = "2026-11"              # version of the table; change it when the table changes
    ledger = "postgresql://db/noiseless"   # for several servers; by default a file beside this one
    prepare = true                   # true: compute codes once and keep them (default for files)
                                     # false: recompute each time, write nothing (default for databases)
    memory = "4GB"                   # the most memory to use, for files
    delimiter = ";"                  # between fields of a text file, if its extension does not say
    names = ["height", "region"]     # only if the first line of a text file is data (else add header = true)

    [columns.height]
    kind = "real"
    low = 100
    high = 250
    step = 0.1
    missing = "apart"
    on_grid = true                   # only if every value is low plus a whole number of steps

    [columns.region]
    kind = "public"
    keys = ["north", "south"]

    [unit]                           # only if a person can have several rows
    column = "household"
    rows = 365
    order_by = "day"

    [public.regions]                 # optional: a table that everyone may know, which questions can join
    source = "regions.csv"           # beside this file; in a database, table = "regions" is enough
    key = "region"                   # different in every row
    columns = ["country"]            # only some of its columns

    [per_person.homes]               # optional, with [unit]: a view with one row for each person
    total = "SUM(kwh)"
    typical = { expression = "AVG(kwh)", step = 0.1 }

    [shares]                         # optional: the bits of the budget that each view may spend
    homes = 6                        # otherwise views and the table have equal parts

    [quotas]                         # optional: the bits each analyst may spend
    alice = 4
    "*" = 2                          # everyone else

    [policy]                         # further rules for questions; change them at any time
    smallest_group = 20              # the fewest rows of a public group that may be asked about
    no_conditions = ["income"]       # columns that WHERE may not name
    round_counts = 5                 # round counts to multiples of 5
    most_bits = 3                    # the highest price of a single question

    [service]                        # optional: settings of noiseless serve, see docs/service.md
    rate = 20                        # requests a second for each caller

    [release]                        # defaults of noiseless release
    bits = 10                        # per person in total; or per column, in [release.bits]
    intervals = true
    grids = [["north", "east"]]
    [release.hierarchies.illness]
    flu = ["respiratory", "ill"]     # every value with the groups above it
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from noiseless.curator.schema.categories import NEVER, Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.derived import (
    READER,
    Derived,
    DerivedCategory,
    DerivedColumn,
    DerivedDate,
    DerivedNumber,
    DerivedTruth,
)
from noiseless.curator.schema.layout import PLAIN, Layout
from noiseless.curator.schema.plain import why_no_path
from noiseless.curator.schema.problems import Problems
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer, Real, Scale
from noiseless.curator.schema.schema import Column, Schema
from noiseless.errors import InputError, SchemaError

FORMAT = 1
"""The version of the schema file format; 1 if left out."""
LAID_OUT = ("delimiter", "names", "header")
FIELDS = {"format", "source", "table", "budget", "version", "columns", "unit", "quotas", "prepare", "memory"}
FIELDS |= {"ledger", "release", "policy", "public", "per_person", "shares", "service", *LAID_OUT}
RELEASED = {"bits", "error", "hierarchies", "levels", "columns", "grids", "together", "intervals", "sort", "cuts"}
RELEASED |= {"prior", "weights"}
KINDS: dict[str, tuple[type, set[str], set[str]]] = {
    "real": (Real, {"low", "high", "step"}, {"missing", "on_grid"}),
    "integer": (Integer, {"low", "high"}, {"step", "missing", "on_grid"}),
    "date": (Date, {"low", "high"}, {"step", "missing", "on_grid"}),
    "boolean": (Boolean, set(), {"missing"}),
    "category": (Category, {"values"}, {"missing", "other"}),
    "public": (Public, set(), {"keys", "other"}),
    "derived": (Derived, {"expression"}, {"step", "low", "high", "missing"}),
}
"""For each kind, its class, its required fields and its optional fields."""
FOUND = {"of", "function", "rounding", "values"}
"""Fields of a written derived column that let others check it without reading SQL.

They are computed again on reading.
"""
TEXTS, UNIT = ("source", "table", "version", "memory", "ledger"), ("column", "rows", "order_by")
WHENCE = {
    "low": "give a bound from public knowledge, never from the data",
    "high": "give a bound from public knowledge, never from the data",
    "step": "give what values are rounded to",
    "values": "list all that can occur, from public knowledge",
    "expression": "write it in SQL, such as 'weight / height'",
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """The content of a schema file."""

    schema: Schema
    source: str | None = None
    table: str | None = None
    budget: Decimal | int | None = None
    version: str | None = None
    quotas: Mapping[str, Decimal | int] | None = None
    prepare: bool | None = None
    memory: str | None = None
    release: Mapping[str, Any] | None = None
    policy: Mapping[str, Any] | None = None
    layout: Layout = PLAIN
    public: Mapping[str, Any] | None = None
    per_person: Mapping[str, Any] | None = None
    shares: Mapping[str, Decimal | int] | None = None
    service: Mapping[str, Any] | None = None
    """Settings of the server. Only the server reads them."""
    ledger: str | None = None
    """Where the ledger is, if not beside the schema file: another file, or a Postgres database."""

    @property
    def from_database(self) -> bool:
        """Whether the source is a database."""
        return is_database(self.source or "")

    @classmethod
    def read(cls, path: str | Path) -> Declaration:
        """The declaration in a file. A relative source is relative to that file."""
        file = Path(path)
        if wrong := why_no_path(path):
            raise SchemaError(f"the path of the schema {wrong}; name a .toml file")
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise SchemaError(f"cannot read {str(file)[-200:]!r}; write a schema file as in docs/schema.md") from None
        declared = cls.parse(text)
        if declared.public is not None:
            declared = replace(declared, public={name: _beside(file, said) for name, said in declared.public.items()})
        if declared.source is None or declared.from_database:
            return declared
        return replace(declared, source=str(file.parent / declared.source))

    @classmethod
    def parse(cls, text: str) -> Declaration:
        """The declaration in a text."""
        try:
            fields = tomllib.loads(text, parse_float=Decimal)
        except (
            ValueError,
            ArithmeticError,
            RecursionError,
        ) as wrong:  # a number of thousands of digits raises no TOML error
            raise SchemaError(f"the schema file is not valid TOML; correct it: {str(wrong)[:200]}") from None
        if fields.get("format", FORMAT) != FORMAT or isinstance(fields.get("format"), bool):
            raise SchemaError(
                f"format = {fields['format']} is not supported; update noiseless, or write format = {FORMAT}"
            )
        problems = Problems()
        columns, unit, layout = _columns(fields, problems), _unit(fields, problems), PLAIN
        _check_fields(fields, problems)
        with problems.noted():
            layout = _layout(fields)
        with problems.noted():
            schema = Schema(columns, unit=unit.get("column"), rows=unit.get("rows", 1), order_by=unit.get("order_by"))
        problems.refuse(fields)
        names = ("source", "table", "budget", "version", "quotas", "prepare", "memory", "release", "policy", "public")
        more = ("per_person", "shares", "service", "ledger")
        return cls(schema, **{name: fields.get(name) for name in (*names, *more)}, layout=layout)

    def write(self) -> str:
        """The declaration as TOML that `parse` reads."""
        names = ("source", "table", "budget", "version", "prepare", "memory", "ledger")
        given = {name: getattr(self, name) for name in names}
        given |= {name: getattr(self.layout, name) for name in LAID_OUT}
        lines = [f"{name} = {_value(value)}" for name, value in given.items() if value is not None]
        for name, column in self.schema.columns.items():
            lines += ["", f"[columns.{_text(name)}]"]
            lines += [f"{field} = {_value(value)}" for field, value in _fields(column, self.schema)]
        if self.schema.unit is not None:
            unit = {"column": self.schema.unit, "rows": self.schema.rows, "order_by": self.schema.order_by}
            lines += ["", "[unit]", *(f"{field} = {_value(value)}" for field, value in unit.items())]
        if self.quotas is not None:
            lines += ["", "[quotas]", *(f"{_value(name)} = {_value(bits)}" for name, bits in self.quotas.items())]
        for part in ("public", "per_person"):
            for name, said in (getattr(self, part) or {}).items():
                lines += ["", f"[{part}.{_text(name)}]"]
                lines += [f"{_text(field)} = {_value(value)}" for field, value in said.items()]
        for section in ("release", "policy", "shares", "service"):
            if (said := getattr(self, section)) is not None:
                lines += ["", f"[{section}]", *(f"{name} = {_value(value)}" for name, value in said.items())]
        return "\n".join(lines) + "\n"


def _beside(file: Path, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """The section of a public table, with its file named relative to the schema file."""
    source = said.get("source")
    if not isinstance(source, str) or is_database(source):
        return said
    return {**said, "source": str(file.parent / source)}


def is_database(source: str) -> bool:
    """Whether a source is a database."""
    return "://" in source or source.startswith("local[") or source == "local"


def _check_fields(fields: Mapping[str, Any], problems: Problems) -> None:
    """Check the types of all fields except columns, unit and layout."""
    problems.add(_unknown(fields, FIELDS, "the file"))
    problems.add(
        f"{name} must be a text; put it in quotes" for name in TEXTS if not isinstance(fields.get(name, ""), str)
    )
    if not isinstance(fields.get("prepare", True), bool):
        problems.add(["prepare must be true or false"])
    if not isinstance(fields.get("quotas", {}), dict):
        problems.add(["[quotas] must be a section; list the bits of each analyst, and '*' for all others"])
    for part, example in (("public", "[public.regions] with source and key"), ("per_person", "[per_person.homes]")):
        given = fields.get(part, {})
        if not isinstance(given, dict) or not all(isinstance(each, dict) for each in given.values()):
            problems.add([f"[{part}] must hold a section for each table; write {example}"])
    if not isinstance(fields.get("service", {}), dict):
        problems.add(["[service] must be a section; put the settings of noiseless serve in it"])
    released = fields.get("release", {})
    if isinstance(released, dict):
        problems.add(_unknown(released, RELEASED, "[release]"))
    else:
        problems.add(["[release] must be a section; put bits, error, hierarchies and so on in it"])


def _unknown(given: Mapping[str, Any], known: Iterable[str], where: str) -> list[str]:
    unknown = sorted(set(given) - set(known))
    return [f"{where} has an unknown field {name!r}; use {', '.join(sorted(known))}" for name in unknown]


def _unit(fields: Mapping[str, Any], problems: Problems) -> Mapping[str, Any]:
    unit = fields.get("unit", {})
    if not isinstance(unit, dict):
        problems.add(["[unit] must be a section; put column, rows and order_by in it"])
        return {}
    problems.add(_unknown(unit, UNIT, "[unit]"))
    if absent := [name for name in ("column", "order_by") if unit and name not in unit]:
        problems.add(
            [
                f"[unit] needs {' and '.join(absent)}; name the column that identifies a person, and a public one "
                f"that orders rows"
            ]
        )
        return {}
    return unit


def _layout(fields: Mapping[str, Any]) -> Layout:
    names, header = fields.get("names"), fields.get("header")
    if not isinstance(fields.get("delimiter", ""), str):
        raise SchemaError("delimiter must be a text; write it as ','")
    if not isinstance(names, (list, type(None))):
        raise SchemaError("names must be a list; name every column of the file, as ['age', 'pay']")
    if not isinstance(header, (bool, type(None))):
        raise SchemaError("header must be true or false; use true if the first line of the file names its columns")
    return Layout(fields.get("delimiter"), None if names is None else tuple(names), header)


def _columns(fields: Mapping[str, Any], problems: Problems) -> dict[str, Column | Derived]:
    """The declared columns. A placeholder replaces a wrong one, so that the rest can be checked."""
    given = fields.get("columns")
    if not isinstance(given, dict):
        raise SchemaError("the schema declares no columns; add [columns.height] with kind = 'real' and its bounds")
    columns: dict[str, Column | Derived] = {}
    for name, said in given.items():
        public = isinstance(said, dict) and said.get("kind") == "public"
        columns[name] = _column(name, said, problems) or (Public() if public else Boolean())
    return columns


def _column(name: str, given: Any, problems: Problems) -> Column | Derived | None:
    where = f"[columns.{name}]"
    kind = given.get("kind", "derived" if "expression" in given else None) if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        problems.add([f"{where} needs a kind; use one of {', '.join(KINDS)}"])
        return None
    build, needed, optional = KINDS[kind]
    given = {field: value for field, value in given.items() if kind != "derived" or field not in FOUND}
    wrong = _unknown(given, {"kind", *needed, *optional}, where)
    if absent := [field for field in WHENCE if field in needed - set(given)]:
        wrong.append(f"{where} needs {' and '.join(absent)}; {WHENCE[absent[0]]}")
    arguments = {field: value for field, value in given.items() if field != "kind"}
    listed = arguments.pop("values" if kind == "category" else "keys", [])
    if not isinstance(listed, list):
        wrong.append(f"{where}: values and keys must be lists; write them as ['north', 'south']")
    if wrong:
        problems.add(wrong)
        return None
    try:
        column: Column | Derived = build(*listed, **arguments)
    except InputError as error:
        problems.add([f"{where}: {error}"])
        return None
    return column


def _fields(column: Column, schema: Schema) -> list[tuple[str, Any]]:
    match column:
        case DerivedNumber() | DerivedDate() | DerivedTruth() | DerivedCategory():
            return [(name, value) for name, value in _derived_fields(column, schema) if value is not None]
        case Public():
            fields: list[tuple[str, Any]] = [("kind", "public"), ("keys", list(column.keys)), ("other", column.other)]
        case Category():
            values = column.keys[:-1] if column.own_missing else column.keys
            fields = [("kind", "category"), ("values", list(values))]
            fields += [("missing", column.missing), ("other", column.other)]
        case Boolean():
            fields = [("kind", "boolean"), ("missing", column.missing)]
        case Scale():
            absent = column.missing
            fields = [("kind", type(column).__name__.lower())]
            fields += [(name, _written(column, getattr(column, name))) for name in ("low", "high")]
            fields.append(("step", _exact(column.step)))
            fields.append(("missing", _written(column, absent) if isinstance(absent, Fraction) else absent))
            by_itself = not isinstance(column, Real) and column.step == 1
            fields.append(("on_grid", True if column.on_grid and not by_itself else None))
    return [(name, value) for name, value in fields if value is not None and (name, value) != ("missing", NEVER)]


def _derived_fields(column: DerivedColumn, schema: Schema) -> list[tuple[str, Any]]:
    """The fields of a derived column: its expression, and the function of its number, or of its place."""
    tree = import_module(READER).written(column.function, schema)
    fields: list[tuple[str, Any]] = [("kind", "derived"), ("expression", column.expression)]
    match column:
        case DerivedCategory():
            values = list(column.keys[:-1] if column.own_missing else column.keys)
            missing = None if column.missing == NEVER else column.missing
            return [*fields, ("of", "category"), ("values", values), ("missing", missing), ("function", tree)]
        case DerivedTruth():
            return [*fields, ("of", "boolean apart" if column.apart else "boolean"), ("function", tree)]
    fields += [("of", ("date" if isinstance(column, Date) else "number") + (" apart" if column.apart else ""))]
    fields += [(name, _written(column, getattr(column, name))) for name in ("low", "high")]
    return [*fields, ("step", _exact(column.step)), ("rounding", _exact(column.rounding)), ("function", tree)]


def _written(column: Scale, number: Fraction) -> int | str:
    return column.show(number) if isinstance(column, Date) else _exact(number)


def _exact(number: Fraction) -> int | str:
    """A number in TOML: a whole number as it is, any other as text, so that every reader gets it exactly."""
    return int(number) if number.denominator == 1 else str(number)


def _value(value: Any) -> str:
    match value:
        case date():
            return value.isoformat()
        case Decimal():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{_value(name)} = {_value(each)}" for name, each in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
        case _:
            return _text(value)


def _text(value: Any) -> str:
    """A text in TOML. It is written as JSON, which is also TOML except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
