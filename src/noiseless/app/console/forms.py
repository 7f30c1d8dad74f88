"""What a form sent: one text for each field, or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request

from noiseless.app.service.problems import Problem
from noiseless.errors import QuestionError

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 100
LONGEST = 100_000
"""Characters of a question, as in the API."""


async def form_of(request: Request, most: int = MOST_FIELDS) -> dict[str, str]:
    """The fields of a form. If a field is sent twice, the last one counts."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise Problem(415, "unsupported-media-type", "the body is not a form of this type", f"send it as {FORM}")
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most))
    except ValueError:
        pass
    raise Problem(422, "malformed", "the form cannot be read", "send it again from the page")


def lists_of(fields: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """All texts of each field, in their order."""
    found: dict[str, list[str]] = {}
    for name, text in fields:
        found.setdefault(name, []).append(text)
    return found


def question_of(form: Mapping[str, str]) -> str:
    """The question that was typed."""
    sql = form.get("sql", "").strip()
    if len(sql) > LONGEST:
        raise QuestionError(f"the question has {len(sql)} characters; use at most {LONGEST}")
    return sql


def terms_of(form: Mapping[str, str]) -> dict[str, Any]:
    """How precise the answer should be: the error or the price that was typed."""
    precision, amount = form.get("precision", "error"), form.get("amount", "").strip()
    return {precision: amount} if precision in ("error", "bits") and amount else {}


def typed(form: Mapping[str, str]) -> dict[str, str]:
    """Everything about a question that was typed or chosen. The page keeps it, even after a refusal."""
    usual = {"sql": "", "precision": "error", "amount": "", "basket": ""}
    return {name: form.get(name, text) for name, text in usual.items()}
