"""A small table of every kind of column, and for each person all that their row could be."""

from __future__ import annotations

from datetime import date
from functools import cache
from itertools import product
from math import inf, nan
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.deducing import Deducing
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.journal import MemoryJournal
from noiseless.curator.question import reading
from noiseless.curator.question.price import Prices
from tests.curator.worlds import worlds

SCHEMA = nl.Schema(
    h=nl.Real(0, 3, step=1, missing=0),
    x=nl.Real(-1, "0.5", step="0.5", missing="apart"),
    a=nl.Integer(2, 6, step=2, missing=4),
    d=nl.Date("2024-01-01", "2024-01-03", missing="apart"),
    s=nl.Category("no", "yes", missing="unknown", other="unknown"),
    b=nl.Boolean(missing="apart"),
    g=nl.Public("n", "s", "e"),
    k=nl.Public(1, 2),
)
TYPES = pa.schema(
    {
        "h": pa.float64(),
        "x": pa.float32(),
        "a": pa.int64(),
        "d": pa.date32(),
        "s": pa.string(),
        "b": pa.bool_(),
        "g": pa.string(),
        "k": pa.int64(),
    }
)
RAW: dict[str, list[Any]] = {
    "h": [0.0, 1.0, 2.0, 3.0, 1.4, -5.0, 1e308, nan, inf, None],
    "x": [-1.0, -0.5, 0.0, 0.5, 0.3, 7.0, nan, None],
    "a": [2, 4, 6, 3, 99, None],
    "d": [date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 3), date(1999, 1, 1), None],
    "s": ["no", "yes", "unknown", "ü", None],
    "b": [False, True, None],
}
"""Everything that a person's value can be, on the grid and off it."""
CODED = {"h": 4, "x": 4, "a": 3, "d": 3, "s": 3, "b": 2}
"""How many of them, the first, have codes of their own; the last is missing."""
OTHERS: list[list[tuple]] = [
    [],
    [(3.0, 0.5, 6, date(2024, 1, 3), "yes", True, "n", 1)],
    [(2.0, -1.0, 2, date(2024, 1, 1), "no", False, "n", 1), (0.0, 0.5, 4, date(2024, 1, 2), "yes", None, "s", 2)],
    [
        (1.0, None, 6, None, "no", True, "n", 2),
        (3.0, 0.0, 2, date(2024, 1, 3), None, False, "n", 1),
        (2.0, 0.5, 4, date(2024, 1, 2), "yes", True, "s", 1),
    ],
]
"""What everybody else's rows may be."""
AGES = [20, 30, 40, 70]
PEOPLE = {"age": AGES, "region": ["north", "south", "north", "north"], "unused": ["a", "b", "c", "d"]}
AGE = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "east", "south"))
"""Four people, and what is declared of them."""
FIRST = (1.0, 0.0, 4, date(2024, 1, 2), "no", True, "n", 1)
"""The person's row before anything is varied; the public columns stay."""


def table(rows) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(TYPES)
    return pa.table({name: list(column) for name, column in zip(TYPES.names, columns, strict=True)}, schema=TYPES)


def rows_of(columns: str) -> list[tuple]:
    """The person's row with the named columns running through all they can be; several only through different codes."""
    names = columns.split()
    domains = [RAW[name] if len(names) == 1 else [*RAW[name][: CODED[name]], None] for name in names]
    varied = [dict(zip(names, values, strict=True)) for values in product(*domains)]
    VARIED[:] = [tuple(values.get(n, v) for n, v in zip(TYPES.names, FIRST, strict=True)) for values in varied]
    return [*VARIED]


def opened(rows, budget=9000, schema=SCHEMA) -> nl.Curator:
    return nl.Curator.open(table(rows), schema, budget=budget, table="t", store=":memory:")


VARIED: list[tuple] = []
"""The rows that were last made for a person: they are prepared together."""


@cache
def opened_before() -> dict[tuple, nl.Curator]:
    """The tables that are prepared, by their schemas and rows. They stay open."""
    return {}


def prepared(*rows, schema=SCHEMA) -> nl.Curator:
    """Prepared once for all who ask anew, by way of `fresh`."""
    known, key = opened_before(), (id(schema), *rows)
    if key not in known:
        alone = rows[0] not in VARIED or list(rows[1:]) not in OTHERS
        keys = [key] if alone else [(id(schema), row, *others) for others in OTHERS for row in VARIED]
        anew = [each for each in dict.fromkeys(keys) if each not in known]
        datasets = worlds([table(made) for _, *made in anew], schema)
        known.update((each, nl.Curator(dataset, None)) for each, dataset in zip(anew, datasets, strict=True))
    return known[key]


def forget() -> None:
    """What was concluded about questions, by rules that a test has changed."""
    reading.PLANS.clear()
    for curator in opened_before().values():
        curator._dataset.understood.clear()
        curator._dataset.concluded.clear()


def fresh(curator: nl.Curator, bits: int = 9000) -> nl.Curator:
    """The same table with nothing asked yet."""
    account = Account(MemoryJournal(), Prices(curator._dataset))
    account.open(2**bits, {"id": "", "name": "t"})
    return nl.Curator(curator._dataset, account)


def shown(answer: nl.Answer) -> tuple:
    """All that an analyst sees of the data."""
    return tuple(tuple((label, row[label]) for label in answer.labels) for row in answer.rows)


def bought(curator: nl.Curator, sql: str, **terms: Any) -> nl.Answer:
    """An answer that is bought, even if it follows from earlier ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deducing, "says_something", lambda self, text: False)
        return curator.ask(sql, **terms)
