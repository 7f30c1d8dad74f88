"""A schema to fill in, from the names and types of a table's columns; no value is looked at."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from noiseless.app.cli.guesses import kind_of, orders, people_keys
from noiseless.curator.schema.layout import Layout

HEAD = """\
# Fill in what follows "# low =" and the like, and remove the "# " before it. All of it comes from public knowledge,
# never from the data: docs/choosing.md says how. Remove the columns that nobody may ask about.
"""
BOUNDS = "# low =\n# high =\n"
MISSING = '# missing = "apart"  # if values may be missing\n'
KINDS = {
    "real": ("numbers from low to high, rounded to step", f'kind = "real"\n{BOUNDS}# step =\n{MISSING}'),
    "integer": ("whole numbers from low to high", f'kind = "integer"\n{BOUNDS}{MISSING}'),
    "date": ("days from low to high, such as 1999-12-31", f'kind = "date"\n{BOUNDS}{MISSING}'),
    "boolean": ("true or false", f'kind = "boolean"\n{MISSING}'),
    "text": (
        'one of values; or kind = "public" with keys',
        f'kind = "category"\n# values = []\n# other = "other"    # if others can occur\n{MISSING}',
    ),
    "unknown": (
        "kind is real, integer, date (with low, high, step), boolean, category (values) or public (keys)",
        f"# kind =\n{BOUNDS}{MISSING}",
    ),
}
ORDERS = ("public: it orders the rows of a person", 'kind = "public"\n')


@dataclass(frozen=True, slots=True)
class Unit:
    """Whose rows they are: the column that says so, how many rows of one person are kept, and what orders them."""

    column: str
    rows: int
    order_by: str


Whose = Unit | Literal["another person each", "not said"]
"""Who the rows are, if anybody said."""


def template(source: str, table: str | None, columns: dict[str, Any], layout: Layout, whose: Whose) -> str:
    """The text of the schema file; a source that is a file is given as seen from it."""
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
        return ["[unit]  # who a person is: the first rows of each, by order_by", *says, ""]
    if whose == "another person each":
        return ["# Every row is another person.", ""]
    keys, places = people_keys(columns), orders(columns)
    return [
        "# Who is a person? As this file stands, every row is another person, and the promise is made to each row.",
        "# If a person can have several rows, say so here:",
        "# [unit]",
        f"# column = {_likely(keys)}  # that says whose row it is",
        "# rows =  # of one person that are kept, at most",
        f"# order_by = {_likely(places)}  # a public column, different in all rows of a person",
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
        return f"# {head}  seems to say who a person is: nobody should ask about it\n"
    kind = kind_of(name, given)
    words, lines = KINDS[kind]
    guessed = " (guessed from the name)" if given is None and kind != "unknown" else ""
    return f"{head}  # {words}{guessed}\n{lines}"


def _text(value: Any) -> str:
    """As JSON, which is TOML too but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
