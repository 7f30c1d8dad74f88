"""Answers as one page for readers who did not ask: the questions, pictures, charges and guarantees."""

from __future__ import annotations

from html import escape

from noiseless.curator.answer.answer import Answer, Answers
from noiseless.curator.answer.drawn import batch_lines, cost_lines
from noiseless.curator.answer.drawn_html import rows_html
from noiseless.curator.page import page, paragraph

CERTAIN = "Every true number is in its interval. A number without one is exact."


def report(answered: Answer | Answers, title: str) -> str:
    """A self-contained HTML page, without scripts, about one question or a batch."""
    answers = [answered] if isinstance(answered, Answer) else list(answered)
    sections = [(_heading(place, answers), _asked(answer)) for place, answer in enumerate(answers, start=1)]
    lines = cost_lines(answered) if isinstance(answered, Answer) else batch_lines(answered)
    sections.append(("What it cost", "".join(map(paragraph, [CERTAIN, *lines]))))
    sections += [("What is promised", answers[0].guarantee._repr_html_())] if len(answers) == 1 else []
    return page(title, sections)


def _heading(place: int, answers: list[Answer]) -> str:
    return "The answer" if len(answers) == 1 else f"Question {place} of {len(answers)}"


def _asked(answer: Answer) -> str:
    notes = "".join(map(paragraph, answer.computed))
    return f"<p><code>{escape(answer.question)}</code></p>{rows_html(answer)}{notes}"
