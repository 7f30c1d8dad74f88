"""A schema to fill in, from the names and types of a table's columns; no value is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from noiseless.app.guesses import kind_of, orders, people_keys
from noiseless.curator.schema.layout import Layout

HEAD = """\
# Fill in "# low =" and similar lines, and remove the "# " before them. Use public knowledge only,
# never the data: see docs/choosing.md. Remove the columns that should not be asked about.
"""
BOUNDS = "# low =\n# high =\n"
MISSING = '# missing = "apart"  # only if values may be missing\n'
KINDS = {
    "real": ("numbers from low to high, rounded to step", f'kind = "real"\n{BOUNDS}# step =\n{MISSING}'),
    "integer": ("whole numbers from low to high", f'kind = "integer"\n{BOUNDS}{MISSING}'),
    "date": ("days from low to high, such as 1999-12-31", f'kind = "date"\n{BOUNDS}{MISSING}'),
    "boolean": ("true or false", f'kind = "boolean"\n{MISSING}'),
    "text": (
        'one of values; or kind = "public" with keys',
        f'kind = "category"\n# values = []\n# other = "other"    # if other values can occur\n{MISSING}',
    ),
    "unknown": (
        "kind is real, integer, date (with low, high, step), boolean, category (values) or public (keys)",
        f"# kind =\n{BOUNDS}{MISSING}",
    ),
}
ORDERS = ("public: it orders the rows of a person", 'kind = "public"\n')


@dataclass(frozen=True, slots=True)
class Unit:
    """A person with several rows: the column that identifies them, how many rows are kept, and what orders them."""

    column: str
    rows: int
    order_by: str


Whose = Unit | Literal["each row", "not said"]
"""Who a person is, if the custodian said so."""


def template(source: str, table: str | None, columns: dict[str, Any], layout: Layout, whose: Whose) -> str:
    """The text of the schema file; the path of a source file is relative to it."""
    from noiseless.curator.schema.declaration import FORMAT

    fields = {"format": FORMAT, "source": source, "table": table, "delimiter": layout.delimiter}
    fields |= {"names": None if layout.names is None else list(layout.names)}
    fields |= {"header": layout.header if layout.names is not None else None}
    head = [f"{name} = {_text(value)}" for name, value in fields.items() if value is not None]
    head += ["# budget =  # bits per person, for all questions that will ever be asked", ""]
    body = [_column(name, given, columns, whose) for name, given in columns.items()]
    return "\n".join([HEAD, *head, *_unit(columns, whose), *(part for part in body if part)])


def _unit(columns: dict[str, Any], whose: Whose) -> list[str]:
    if isinstance(whose, Unit):
        says = [f"column = {_text(whose.column)}", f"rows = {whose.rows}", f"order_by = {_text(whose.order_by)}"]
        return ["[unit]  # who a person is; for each person, the first rows by order_by are kept", *says, ""]
    if whose == "each row":
        return ["# Each row is a different person.", ""]
    keys, places = people_keys(columns), orders(columns)
    return [
        "# Who is a person? For now each row is a different person, and the promise holds for each row.",
        "# If a person can have several rows, say so here:",
        "# [unit]",
        f"# column = {_likely(keys)}  # the column that identifies a person",
        "# rows =  # the most rows kept for one person",
        f"# order_by = {_likely(places)}  # a public column, different in every row of a person",
        "",
    ]


def _likely(names: list[str]) -> str:
    first, others = names[:1], names[1:]
    return "".join(map(_text, first)) + (f"  # or {' or '.join(map(_text, others))}" if others else "")


def _column(name: str, given: Any, columns: dict[str, Any], whose: Whose) -> str:
    head = f"[columns.{_text(name)}]"
    if isinstance(whose, Unit):
        if name == whose.column:
            return ""
        if name == whose.order_by:
            return f"{head}  # {ORDERS[0]}\n{ORDERS[1]}"
    if name in people_keys(columns):
        return f"# {head}  seems to identify a person: leave it out\n"
    kind = kind_of(name, given)
    words, lines = KINDS[kind]
    guessed = " (guessed from the name)" if given is None and kind != "unknown" else ""
    return f"{head}  # {words}{guessed}\n{lines}"


def _text(value: Any) -> str:
    """As JSON, which is also TOML except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
