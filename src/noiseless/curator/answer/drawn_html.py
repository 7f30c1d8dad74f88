"""Answers and previews as HTML, for notebooks and pages: tables in which numbers are drawn, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from noiseless.curator.answer.drawn import (
    MOST_ROWS,
    all_exact,
    axis_of,
    batch_lines,
    cost_lines,
    expected,
    headed,
    key_shown,
    steps_of,
    would,
)
from noiseless.curator.answer.pictures import WIDE, Axis
from noiseless.curator.releases.reported import Reported
from noiseless.exact.readable import number_shown

if TYPE_CHECKING:
    from noiseless.curator.answer.answer import Answer, Answers, Preview


ONE_LINE = 'style="white-space:nowrap"'
NARROW, MOST_ACROSS = 80, 8
"""The width of a picture in a cross table, and the most columns of such a table."""
SHARED = 300
"""The total width of several pictures beside each other."""


def answers_html(batch: Answers) -> str:
    """A batch of answers as HTML for notebooks."""
    tables = "".join(f"<p><code>{escape(answer.question)}</code></p>{rows_html(answer)}" for answer in batch)
    return f"{tables}<p>{escape('; '.join(batch_lines(batch)))}</p>"


def answer_html(answer: Answer) -> str:
    """An answer as HTML for notebooks."""
    return f"{rows_html(answer)}<p>{escape('; '.join(cost_lines(answer)))}</p>"


def rows_html(answer: Answer) -> str:
    """A cross table of one number of two keys, or a table with a row for every row."""
    keys = [label for label in answer.labels if label not in answer.numbers]
    if len(keys) == 2 and len(answer.numbers) == 1 and (crossed := _crossed(answer, keys[0], keys[1])):
        return crossed
    rows = answer.rows[:MOST_ROWS]
    axes = {label: axis_of(answer, label) for label in answer.numbers}
    exact = {label: all_exact(row[label] for row in answer.rows) for label in answer.numbers}
    wide = _width(sum(axis is not None for axis in axes.values()))
    head = "".join(
        f'<th colspan="{2 + (axes[label] is not None) - exact[label]}">{escape(headed(answer, label))}</th>'
        if label in axes
        else f"<th>{escape(label)}</th>"
        for label in answer.labels
    )
    body = "".join(
        "<tr>"
        + "".join(
            _number(row[label], axes[label], exact[label], wide)
            if label in axes
            else f"<td>{escape(key_shown(row[label]))}</td>"
            for label in answer.labels
        )
        + "</tr>"
        for row in rows
    )
    more = f"<p>and {len(answer.rows) - MOST_ROWS} more rows</p>" if len(answer.rows) > MOST_ROWS else ""
    return _table(f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>") + more


def _table(inside: str) -> str:
    """A table as wide as it needs. If it is wider than the page, it scrolls."""
    return f'<div style="overflow-x:auto"><table style="width:auto">{inside}</table></div>'


def _width(pictures: int) -> int:
    """The width of each picture, if a row has this number of pictures."""
    return WIDE if pictures < 2 else max(NARROW, SHARED // pictures)


def _number(cell: Any, axis: Axis | None, exact: bool, wide: int) -> str:
    """A number, its picture, and its interval, each in its own cell, so that pictures begin below each other."""
    number = cell if isinstance(cell, Reported) else None
    shown = f'<td style="text-align:right">{escape(number_shown(number and number.value))}</td>'
    drawn = "" if axis is None else f"<td>{'' if number is None else axis.svg(number, wide)}</td>"
    interval = "no number" if number is None else number.interval
    return shown + drawn + ("" if exact else f"<td {ONE_LINE}><small>{escape(interval)}</small></td>")


def _crossed(answer: Answer, down: str, across: str) -> str:
    """A cross table: one key down, the other across. Empty if a cell would be missing or it would be too wide."""
    [number] = answer.numbers
    cells = {(row[down], row[across]): row[number] for row in answer.rows}
    heads, sides = (list(dict.fromkeys(pair[place] for pair in cells)) for place in (1, 0))
    if not 1 < len(heads) <= MOST_ACROSS or not 1 < len(sides) <= MOST_ROWS or len(cells) < len(heads) * len(sides):
        return ""
    axis, exact = Axis.of(answer, number), all_exact(cells.values())
    top = "".join(f'<th colspan="2">{escape(number_shown(head))}</th>' for head in heads)
    body = "".join(
        f"<tr><th>{escape(number_shown(side))}</th>"
        + "".join(_crossing(cells[side, head], axis, exact) for head in heads)
        + "</tr>"
        for side in sides
    )
    caption = f'<caption style="text-align:left">{escape(headed(answer, number))}</caption>'
    corner = f"<th {ONE_LINE}>{escape(down)} ↓ {escape(across)} →</th>"
    return _table(f"{caption}<thead><tr>{corner}{top}</tr></thead><tbody>{body}</tbody>")


def _crossing(cell: Any, axis: Axis, exact: bool) -> str:
    number = cell if isinstance(cell, Reported) else None
    drawn = "" if number is None else axis.svg(number, NARROW)
    interval = "" if exact or number is None else f"<br><small>{escape(number.interval)}</small>"
    shown = escape(number_shown(number and number.value))
    return f'<td style="text-align:right">{shown}</td><td {ONE_LINE}>{drawn}{interval}</td>'


def preview_html(preview: Preview) -> str:
    """A preview as HTML for notebooks."""
    head = "".join(f"<th>{escape(label)}</th>" for label in preview.labels)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(expected(row, label))}</td>" for label in preview.labels) + "</tr>"
        for row in preview.rows[:MOST_ROWS]
    )
    afford = (
        "" if preview.affordable else " <b>The budget does not allow it; ask with fewer bits or a larger error.</b>"
    )
    lines = [*would(cost_lines(preview)), *preview.shares, *preview.computed, *steps_of(preview)]
    return (
        _table(f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>")
        + f"<p>{escape('; '.join(lines))}.{afford} {escape(preview.rule)}</p>"
    )
