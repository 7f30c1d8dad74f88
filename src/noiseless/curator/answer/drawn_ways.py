"""The ways of asking several questions, as a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.curator.answer.ways import IN_WORDS
from noiseless.curator.page import paragraph, table_of
from noiseless.exact.number import written
from noiseless.exact.plural import plural
from noiseless.exact.readable import bits_left_shown, bits_shown, number_shown

if TYPE_CHECKING:
    from rich.console import Group

    from noiseless.curator.answer.ways import BatchPreview, Way

MOST_DIGITS = 12
"""Counts with more digits than this are shown as a power of two."""


def ways_table(compared: BatchPreview) -> Group:
    """The ways of asking as a table for the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    heads, rows = _columns(compared)
    table = Table(*heads)
    for row in rows:
        table.add_row(*map(Text, row))
    return Group(table, *map(Text, _lines(compared)))


def ways_html(compared: BatchPreview) -> str:
    """The ways of asking as HTML for notebooks."""
    return table_of(*_columns(compared)) + "".join(map(paragraph, _lines(compared)))


def _columns(compared: BatchPreview) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows. Dearest prices have a column only if some way is charged by the answer."""
    loud = any(way.chance is not None for way in compared.ways)
    heads = ["asked", "answers", "charged", *(["if loud"] if loud else []), "largest error"]
    return heads, [_fields(way, loud) for way in compared.ways]


def _fields(way: Way, loud: bool) -> list[str]:
    too_much = "" if way.affordable else ": too much"
    dearest = [] if not loud else [bits_shown(way.dearest) if way.chance is not None else ""]
    return [IN_WORDS[way.name], _count(way.count), bits_shown(way.factor) + too_much, *dearest, _error(way.error)]


def _count(count: int) -> str:
    text = written(count)
    return text if len(text) <= MOST_DIGITS else f"2^{count.bit_length() - 1} or more"


def _error(error: object) -> str:
    if error is None:
        return "depends on private data"
    return "exact" if error == 0 else f"± {number_shown(error, 'upper')}"


def _lines(compared: BatchPreview) -> list[str]:
    """The lines below the table: which way is cheapest, what each way gives up, and what is left."""
    asked = f"{plural(len(compared.questions), 'question')}; {bits_left_shown(compared.remaining)} left"
    found = [compared.sentence, *(f"{IN_WORDS[way.name]}: {way.gives_up}" for way in compared.ways)]
    found += [f"the cross table: {way.question}" for way in compared.ways if way.question]
    return [*found, *([f"no cross table: {compared.no_cross_table}"] if compared.no_cross_table else []), asked]
