"""Answers and previews as tables for a terminal, in which numbers are drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from noiseless.curator.answer.pictures import Axis, Picture
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.releases.reported import Reported
from noiseless.exact.number import written
from noiseless.exact.readable import bits_left_shown, bits_shown, number_shown, printable, shown_in
from noiseless.privacy.guarantee.explanation import STABLE

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, Group

    from noiseless.curator.answer.answer import Answer, Answers, Preview, Row

MOST_ROWS = 60
LINE = 80
"""The width of a terminal. Tables are no wider if possible."""
MOST_FACTS = 6
"""At most this many questions are named."""
LONGEST, SHORTEST = 28, 8
"""How many characters a picture has."""


def answer_table(answer: Answer) -> Group:
    """An answer for the terminal: the rows and what they cost."""
    from rich.console import Group
    from rich.text import Text

    return Group(Rows(answer), *map(Text, [*answer.computed, *cost_lines(answer)]))


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of an answer, with pictures if the terminal has room for them."""

    answer: Answer

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Group]:
        yield _rows(self.answer, min(LINE, options.max_width))


def _rows(answer: Answer, line: int) -> Group:
    """A table, no wider than this if possible, with a line between the groups of the first key."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    rows, keys = answer.rows[:MOST_ROWS], [label for label in answer.labels if label not in answer.numbers]
    columns = [_column(answer, label, rows) for label in answer.labels]
    room = line - 1 - sum(3 + max(map(len, texts)) for each in columns for texts in each)
    drawn = _drawn(answer, room)
    table = Table()
    for label, column in zip(answer.labels, columns, strict=True):
        for place, (head, *_) in enumerate(column):
            table.add_column(Text(head), justify="right" if label in answer.numbers and not place else "left")
        if label in drawn:
            table.add_column("")
    for place, row in enumerate(rows):
        cells: list[Any] = []
        for label, column in zip(answer.labels, columns, strict=True):
            cells += [Text(texts[place + 1]) for texts in column]
            cells += [Picture(row[label], *drawn[label])] if label in drawn else []
        follows = len(keys) > 1 and place + 1 < len(rows) and row[keys[0]] != rows[place + 1][keys[0]]
        table.add_row(*cells, end_section=follows)
    return Group(table, *_more(len(answer.rows)))


def _drawn(answer: Answer, room: int) -> dict[str, tuple[Axis, int]]:
    """The numbers that are drawn, each with its axis and its width: all of them if there is room, or the first."""
    axes = {label: axis for label in answer.numbers if (axis := axis_of(answer, label)) is not None}
    for labels in (list(axes), list(axes)[:1]):
        if labels and (each := room // len(labels) - 3) >= SHORTEST:
            return {label: (axes[label], min(each, LONGEST)) for label in labels}
    return {}


def axis_of(answer: Answer, label: str) -> Axis | None:
    """The axis on which a number is drawn. None if it is exact and there is no other to compare it with."""
    alone = len(answer.rows) < 2 and all_exact(row[label] for row in answer.rows)
    return None if alone else Axis.of(answer, label)


def all_exact(cells: Iterable[Any]) -> bool:
    """Whether every number is exact. Missing numbers do not matter."""
    return all(cell is None or (isinstance(cell, Reported) and cell.exact) for cell in cells)


def headed(answer: Answer, label: str) -> str:
    """The head of a column of numbers. It says if all of them are exact, so that the rows need not."""
    cells = [row[label] for row in answer.rows]
    known = any(cell is not None for cell in cells)
    return f"{label} exactly" if known and all_exact(cells) else label


def key_shown(cell: Any) -> str:
    """A key, or every text that an uncertain text may be."""
    return str(cell) if isinstance(cell, OneOf) else number_shown(cell)


def _column(answer: Answer, label: str, rows: Sequence[Row]) -> list[list[str]]:
    """The head and the cells of a key, or of a number. Its intervals are a second column, unless all are exact."""
    cells = [row[label] for row in rows]
    if label not in answer.numbers:
        return [[label, *map(key_shown, cells)]]
    numbers = [number_shown(cell.value if isinstance(cell, Reported) else None) for cell in cells]
    if all_exact(row[label] for row in answer.rows):
        return [[headed(answer, label), *numbers]]
    intervals = [cell.interval if isinstance(cell, Reported) else "no number" for cell in cells]
    return [[label, *numbers], ["certainly in", *intervals]]


def answers_table(batch: Answers) -> Group:
    """A table for every question, and what they cost together."""
    from rich.console import Group
    from rich.text import Text

    shown = [part for answer in batch for part in (Text(answer.question), Rows(answer))]
    return Group(*shown, *batch_lines(batch))


def batch_lines(batch: Answers) -> list[str]:
    """The guarantee of a batch, and its charge."""
    return [f"{len(batch)} questions: {_promised(batch.count)} in all", charge_line(batch)]


def _promised(count: int) -> str:
    if count == 1:
        return "no person's data can change this (0 bits)"
    return f"one person's data can change this among at most {written(count)} answers ({bits_shown(count)})"


class _InAscii(StringIO):
    """A file that makes rich use ASCII only."""

    encoding = "ascii"


def text_of(shown: Any) -> str:
    """The plain text that a terminal would show, in characters that the output of this process can show."""
    from rich.console import Console

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    file = StringIO() if encoding.lower().startswith("utf") else _InAscii()
    console = Console(file=file, width=LINE, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(shown)
    text = "\n".join(printable(line.rstrip()) for line in captured.get().split("\n")).rstrip("\n")
    return shown_in(encoding, text) if isinstance(file, _InAscii) else text


def _more(rows: int) -> list[str]:
    return [f"and {rows - MOST_ROWS} more rows"] if rows > MOST_ROWS else []


def cost_lines(priced: Answer | Preview) -> list[str]:
    """The guarantee, the charge or price, and advice."""
    alone = "" if priced.per_row is None else f", {written(priced.per_row.count)} with one row"
    more = [*(getattr(priced, "notes", ())), *([priced.advice] if priced.advice else []), *_facts_line(priced)]
    return [_promised(priced.guarantee.count) + alone, charge_line(priced), *_stable_line(priced), *more]


def _facts_line(priced: Answer | Preview) -> list[str]:
    """The questions that an answer follows from, or that made its intervals narrower. For a preview, what is known."""
    from noiseless.curator.answer.answer import Answer

    if isinstance(priced, Answer):
        if not priced.facts:
            return []
        named = questions_named(priced.facts)
        return [f"its intervals are narrower for {named}" if priced.entry else f"it follows from {named}"]
    known = priced.deduced
    return [] if known is None else [f"{known_already(known)}, for free: deduce shows it"]


def questions_named(numbers: Sequence[int]) -> str:
    """Questions of the ledger by their numbers.

    >>> questions_named((3,)), questions_named((1, 2, 3)), questions_named(range(1, 12))
    ('question 3', 'questions 1, 2, 3', 'questions 1, 2, 3, 4, 5, 6 and 5 others')
    """
    shown, more = [*map(str, numbers[:MOST_FACTS])], len(numbers) - MOST_FACTS
    rest = f" and {more} others" if more > 1 else f", {numbers[-1]}" if more == 1 else ""
    return f"question{'s' if len(numbers) > 1 else ''} {', '.join(shown)}{rest}"


def known_already(known: Answer) -> str:
    """What follows already, in one line: a single number, or how many numbers are known and how many exactly."""
    cells = [row[label] for row in known.rows for label in known.numbers]
    if len(cells) == 1:
        return f"already certain: {known.numbers[0]} is {cells[0]!r}" if cells[0] is not None else "already certain"
    exact = sum(isinstance(cell, Reported) and cell.exact for cell in cells)
    return f"already certain: intervals for {len(cells)} numbers, {exact} of them exact"


def _stable_line(priced: Answer | Preview) -> list[str]:
    """What stable levels promise, and how many numbers came at a coarser level than asked."""
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
    """Whether an answer that is charged by the answer was quiet or loud, or what a preview says of both."""
    from noiseless.curator.answer.answer import Answer, Preview

    if isinstance(priced, Preview):
        if priced.chance is None or priced.dearest == priced.factor:
            return ""
        chance = f"{float(100 * priced.chance):.2g} %"
        return f" if quiet, or {bits_shown(priced.dearest)} if loud (chance {chance}; this must be left)"
    outcome = (priced if isinstance(priced, Answer) else priced.answers[0]).outcome
    return "" if outcome is None else f" for a {outcome} answer"


def preview_table(preview: Preview) -> Group:
    """A preview as a table for the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for label in preview.labels:
        table.add_column(Text(label))
    for row in preview.rows[:MOST_ROWS]:
        table.add_row(*(Text(expected(row, label)) for label in preview.labels))
    lines = would(cost_lines(preview))
    afford = [] if preview.affordable else ["the budget does not allow it; ask with fewer bits or a larger error"]
    more = [*preview.shares, *preview.computed, *steps_of(preview)]
    return Group(table, *_more(len(preview.rows)), *lines, *afford, *map(Text, more), preview.rule)


def steps_of(preview: Preview) -> list[str]:
    """The steps of a question, one line each."""
    return [f"step {place}: {words}" for place, words in enumerate(preview.steps, start=1)]


def would(lines: list[str]) -> list[str]:
    """Lines about a charge, rewritten as lines about a price."""
    return [line.replace("charged", "would be charged", 1).replace("took", "would take") for line in lines]


def expected(row: Any, label: str) -> str:
    """What a preview shows in a cell: a key, or the error of a number."""
    if label in row["keys"]:
        return number_shown(row["keys"][label])
    if label not in row["errors"]:
        return "follows from its parts"
    error = row["errors"][label]
    if error is None:
        return "depends on private data"
    return "exact" if error == 0 else f"± {number_shown(error, 'upper')}"
