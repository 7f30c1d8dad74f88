"""Answers and previews as tables in which every interval is drawn."""

from __future__ import annotations

from datetime import date
from html import escape
from math import inf
from typing import TYPE_CHECKING, Any

from noiseless.curator.answer.frames import rounded
from noiseless.curator.releases.reported import Reported
from noiseless.exact.number import written
from noiseless.exact.readable import bits_left_shown, bits_shown, number_shown, printable
from noiseless.privacy.guarantee.explanation import STABLE

if TYPE_CHECKING:
    from rich.console import Group

    from noiseless.curator.answer.answer import Answer, Answers, Preview

MOST_ROWS = 60
LINE = 80
"""The width of a terminal, which tables keep to if they can."""
LONGEST_BAR, SHORTEST_BAR = 28, 8


def scale(answer: Answer, label: str) -> tuple[float, float]:
    """The smallest and the largest end in a column, with some space around them."""
    cells = [row[label] for row in answer.rows]
    numbers = [cell for cell in cells if isinstance(cell, Reported)]
    ends = [place(end) for number in numbers for end in (number.lower, number.upper)]
    finite = [end for end in ends if abs(end) < inf] or [0.0]
    low, high = min(finite), max(finite)
    air = (high - low) / 20 or max(abs(low), 1.0) / 2
    return low - air, high + air


def place(value: Any) -> float:
    """The place of a value on an axis."""
    return float(value.toordinal()) if isinstance(value, date) else rounded(value, "value")


def bar(number: Any, low: float, high: float, width: int = LONGEST_BAR) -> str:
    """The interval as a line of characters, with its middle marked."""
    if not isinstance(number, Reported):
        return ""

    def at(value: Any) -> int:
        share = (place(value) - low) / (high - low)
        return round(min(max(share, 0.0), 1.0) * (width - 1))

    line = ["·"] * width
    for column in range(at(number.lower), at(number.upper) + 1):
        line[column] = "━"
    line[at(number.value)] = "●"
    return "".join(line)


def answer_table(answer: Answer) -> Group:
    """For the terminal: the rows and what they cost."""
    from rich.console import Group
    from rich.text import Text

    return Group(answer_rows(answer), *map(Text, [*answer.computed, *cost_lines(answer)]))


def answer_rows(answer: Answer) -> Group:
    """The rows, with bars if there is room for them."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table, numeric = Table(), answer.numbers
    heads = [head for label in answer.labels for head in ((label, "certainly in") if label in numeric else (label,))]
    rows = answer.rows[:MOST_ROWS]
    texts = [[text for label in answer.labels for text in _texts(row[label], label in numeric)] for row in rows]
    for head in heads:
        table.add_column(Text(head), justify="right" if head in numeric else "left")
    room = LINE - 4 - sum(3 + max(map(len, column)) for column in zip(heads, *texts, strict=True))
    drawn = len(numeric) == 1 and room >= SHORTEST_BAR
    if drawn:
        table.add_column("")
    for row, fields in zip(rows, texts, strict=True):
        if drawn:
            fields.append(bar(row[numeric[0]], *scale(answer, numeric[0]), min(room, LONGEST_BAR)))
        table.add_row(*map(Text, fields))
    return Group(table, *_more(len(answer.rows)))


def answers_table(batch: Answers) -> Group:
    """A table for every question, and what they cost together."""
    from rich.console import Group
    from rich.text import Text

    shown = [part for answer in batch for part in (Text(answer.question), answer_rows(answer))]
    return Group(*shown, *batch_lines(batch))


def batch_lines(batch: Answers) -> list[str]:
    """The guarantee of a batch, and its charge."""
    return [f"{len(batch)} questions: {_promised(batch.count)} in all", charge_line(batch)]


def _promised(count: int) -> str:
    if count == 1:
        return "no person's data can change this (0 bits)"
    return f"one person's data can change this among at most {written(count)} answers ({bits_shown(count)})"


def text_of(shown: Any) -> str:
    """The plain text that a terminal would show."""
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=LINE, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(shown)
    return "\n".join(printable(line.rstrip()) for line in captured.get().split("\n")).rstrip("\n")


def _texts(cell: Any, numeric: bool) -> list[str]:
    if not numeric:
        return [number_shown(cell)]
    number = cell if isinstance(cell, Reported) else None
    return [number_shown(number.value), number.interval] if number else [number_shown(None), "no rows"]


def _more(rows: int) -> list[str]:
    return [f"and {rows - MOST_ROWS} more rows"] if rows > MOST_ROWS else []


def cost_lines(priced: Answer | Preview) -> list[str]:
    """The guarantee, the charge or price, and advice."""
    alone = "" if priced.per_row is None else f", {written(priced.per_row.count)} with one row"
    told = [priced.advice] if priced.advice else []
    return [_promised(priced.guarantee.count) + alone, charge_line(priced), *_stable_line(priced), *told]


def _stable_line(priced: Answer | Preview) -> list[str]:
    """What stable levels promise, and whether some numbers came at a coarser one than asked."""
    from noiseless.curator.answer.answer import Answer

    coarser = priced.coarser if isinstance(priced, Answer) else 0
    lines = [STABLE] if priced.guarantee.stable else []
    if coarser:
        numbers = "1 number is" if coarser == 1 else f"{coarser} numbers are"
        why = "too few rows count, or one person's data could have changed a finer value"
        lines.append(f"{numbers} less precise than asked: {why}")
    return lines


def charge_line(priced: Answer | Preview | Answers) -> str:
    """The charge, who pays it, and what is left for everybody."""
    left = f"{bits_left_shown(priced.remaining)} left"
    if priced.factor == 1:
        return f"nothing charged; {left}"
    price, by = f"charged {bits_shown(priced.factor)}", _by_the_answer(priced)
    if priced.paid_by == "everybody":
        return f"{price}{by}; {left}"
    if priced.paid_by == "nobody":
        return f"{price}{by} when it was first asked; {left}"
    return (
        f"{price} to {priced.paid_by}{by}, which took {bits_left_shown(priced.taken)} from the most charged group; "
        f"it has {left}"
    )


def _by_the_answer(priced: Answer | Preview | Answers) -> str:
    """What an answer in guarded bins was, or what it may be."""
    from noiseless.curator.answer.answer import Answer, Preview

    if isinstance(priced, Preview):
        if priced.chance is None:
            return ""
        chance = f"{float(100 * priced.chance):.2g} %"
        return f" if quiet, or {bits_shown(priced.dearest)} if loud (chance {chance}; this must be left)"
    outcome = (priced if isinstance(priced, Answer) else priced.answers[0]).outcome
    return "" if outcome is None else f" for a {outcome} answer"


def preview_table(preview: Preview) -> Group:
    """For the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for label in preview.labels:
        table.add_column(Text(label))
    for row in preview.rows[:MOST_ROWS]:
        table.add_row(*(Text(_expected(row, label)) for label in preview.labels))
    lines = _would(cost_lines(preview))
    afford = [] if preview.affordable else ["the budget does not allow it; ask with fewer bits or a larger error"]
    more = [*preview.shares, *preview.computed, *_steps(preview)]
    return Group(table, *_more(len(preview.rows)), *lines, *afford, *map(Text, more), preview.rule)


def _steps(preview: Preview) -> list[str]:
    """The steps of a question, one line each."""
    return [f"step {place}: {words}" for place, words in enumerate(preview.steps, start=1)]


def _would(lines: list[str]) -> list[str]:
    """What an answer did, as what a question would do."""
    return [line.replace("charged", "would be charged", 1).replace("took", "would take") for line in lines]


def _expected(row: Any, label: str) -> str:
    if label in row["keys"]:
        return number_shown(row["keys"][label])
    if label not in row["errors"]:
        return "follows from its parts"
    error = row["errors"][label]
    if error is None:
        return "± depends on private data"
    return "exact" if error == 0 else f"± {number_shown(error, 'upper')}"


def answers_html(batch: Answers) -> str:
    """For notebooks."""
    tables = "".join(f"<p><code>{escape(answer.question)}</code></p>{_rows_html(answer)}" for answer in batch)
    return f"{tables}<p>{escape('; '.join(batch_lines(batch)))}</p>"


def answer_html(answer: Answer) -> str:
    """For notebooks."""
    return f"{_rows_html(answer)}<p>{escape('; '.join(cost_lines(answer)))}</p>"


def _rows_html(answer: Answer) -> str:
    head = "".join(f"<th>{escape(label)}</th>" for label in answer.labels)
    body = "".join(
        "<tr>" + "".join(f"<td>{_field(answer, row[label], label)}</td>" for label in answer.labels) + "</tr>"
        for row in answer.rows[:MOST_ROWS]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _field(answer: Answer, cell: Any, label: str) -> str:
    if not isinstance(cell, Reported):
        return escape(number_shown(cell))
    low, high = scale(answer, label)
    left, right, middle = (
        min(max(200 * (place(end) - low) / (high - low), 0.0), 200.0) for end in (cell.lower, cell.upper, cell.value)
    )
    drawn = (
        f'<svg width="200" height="14" role="img"><line x1="0" x2="200" y1="7" y2="7" stroke="#d5d8dc"/>'
        f'<line x1="{left:.1f}" x2="{max(right, left + 1):.1f}" y1="7" y2="7" stroke="#2471a3" stroke-width="6"/>'
        f'<circle cx="{middle:.1f}" cy="7" r="3.5" fill="#1b2631"/></svg>'
    )
    return f"{escape(number_shown(cell.value))} {drawn} <small>{escape(cell.interval)}</small>"


def preview_html(preview: Preview) -> str:
    """For notebooks."""
    head = "".join(f"<th>{escape(label)}</th>" for label in preview.labels)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_expected(row, label))}</td>" for label in preview.labels) + "</tr>"
        for row in preview.rows[:MOST_ROWS]
    )
    afford = (
        "" if preview.affordable else " <b>The budget does not allow it; ask with fewer bits or a larger error.</b>"
    )
    lines = [*_would(cost_lines(preview)), *preview.shares, *preview.computed, *_steps(preview)]
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p>{escape('; '.join(lines))}.{afford} {escape(preview.rule)}</p>"
    )
