"""What a budget buys: the errors at several prices, for every column and kind of question."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.app.names import quoted
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.errors import NoiselessError
from noiseless.exact.readable import bits_shown
from noiseless.exact.rounding import significant

if TYPE_CHECKING:
    from noiseless import Curator

BITS = (1, 2, 3, 4, 6, 8)
QUIET = ("0.01", "0.1")
"""Prices of quiet answers, below one bit."""
Purchases = list[tuple[str, dict[str, str]]]


def purchases(curator: Curator) -> Purchases:
    """The error of each number at several prices, as text; previews are free."""
    asked = _questions(curator)
    return [(what, {str(bits): _error(curator, sql, bits) for bits in BITS}) for what, sql in asked.items()]


def by_the_answer(curator: Curator) -> dict[str, list[dict[str, Any]]]:
    """The error, the quiet price, the loud price that must be left, and its chance, for quiet prices below one bit."""
    found: dict[str, list[dict[str, Any]]] = {}
    for what, sql in _questions(curator).items():
        found[what] = []
        for bits in QUIET:
            with suppress(NoiselessError):  # for example a median, which costs at least one bit
                preview = curator.preview(sql, bits=bits)
                prices = {"quiet": str(preview.factor), "dearest": str(preview.dearest), "chance": str(preview.chance)}
                if preview.chance is not None:  # otherwise it is known already
                    found[what].append({"error": _shown(preview.error), **prices, "affordable": preview.affordable})
    return found


def _questions(curator: Curator) -> dict[str, str]:
    """Short labels of some questions, with their SQL."""
    public, table = next(iter(curator.schema.public), None), quoted(curator.name)
    questions = {}
    for name, column in curator.schema.private.items():
        own = quoted(name)
        if isinstance(column, Scale) and not isinstance(column, Date):
            questions[f"AVG({name})"] = f"SELECT AVG({own}) FROM {table}"
            if public is not None:
                group = quoted(public)
                questions[f"AVG({name}) by {public}"] = f"SELECT {group}, AVG({own}) FROM {table} GROUP BY {group}"
        if isinstance(column, Scale):
            questions[f"MEDIAN({name})"] = f"SELECT MEDIAN({own}) FROM {table}"
        if isinstance(column, (Category, Boolean)):
            questions[f"COUNT(*) by {name}"] = f"SELECT {own}, COUNT(*) FROM {table} GROUP BY {own}"
    return questions


def _error(curator: Curator, sql: str, bits: int) -> str:
    try:
        return _shown(curator.preview(sql, bits=bits).error)
    except NoiselessError:
        return "—"


def _shown(error: Any) -> str:
    return "?" if error is None else "exact" if error == 0 else f"±{significant(Fraction(error), 3, 'upper')}"


def purchases_table(found: Purchases) -> Any:
    """The purchases as a table for the terminal."""
    from rich.table import Table
    from rich.text import Text

    table = Table("number", *(f"{bits} bit{'s' if bits > 1 else ''}" for bits in BITS))
    for what, errors in found:
        table.add_row(Text(what), *errors.values())
    return table


def by_the_answer_table(found: dict[str, list[dict[str, Any]]]) -> Any:
    """What a quiet answer costs, and what a loud one would."""
    from rich.table import Table
    from rich.text import Text

    table = Table("charged by the answer", "error", "if quiet", "if loud: must be left", "chance of loud")
    for what, prices in found.items():
        for each in prices:
            quiet, loud = (bits_shown(Fraction(each[name])) for name in ("quiet", "dearest"))
            table.add_row(Text(what), each["error"], quiet, loud, f"{100 * float(Fraction(each['chance'])):.2g} %")
    return table
