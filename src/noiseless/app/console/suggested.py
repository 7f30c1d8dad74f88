"""A refusal for a page, in separate parts: the rule, the next step, and a question that would be accepted."""

from __future__ import annotations

from typing import Any

from noiseless.app.service.problems import Problem
from noiseless.curator.sql.example import SUGGESTED
from noiseless.errors import NoiselessError

NEEDS = "needs bits="
"""How a refusal says that the question has no precision. On a page, there is a field for the precision."""

NEEDED, NEXT = "needs an error, or a price in bits", "fill in 'How precise'; a larger error is cheaper"


def refused(wrong: NoiselessError | Problem) -> dict[str, Any]:
    """The fields of a refusal. The question in it can be put into the editor with one click."""
    if isinstance(wrong, Problem):
        return {**wrong.fields(), "instead": None}
    said, _, instead = str(wrong).partition(f" {SUGGESTED} ")
    rule, mark, step = said.rpartition("; ")
    if NEEDS in said:
        rule, mark, step = said.partition(NEEDS)[0] + NEEDED, "; ", NEXT
    fields = Problem.of(wrong).fields()
    return {**fields, "rule": rule if mark else step, "next_step": step if mark else None, "instead": instead or None}
