"""Errors as problem+json (RFC 9457): what the error is about, the rule that is broken, and the next step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from noiseless import errors

MEDIA = "application/problem+json"
ABOUT = re.compile(
    r"(?:^|\s)([a-z_]+=(?:'[^']*'|about \S+|[^\s,;]+)|(?:[a-z]+ )?'[^']*'|(?:entry|question|hold|request) -?\d+)"
)
THE_REQUEST, SEE = "the request", "see /docs for what may be sent"
"""The subject and the next step of a problem whose message names none."""
STATUS: Mapping[type[errors.NoiselessError], int] = {
    errors.BudgetExceededError: 402,
    errors.HeldError: 409,
    errors.FrozenError: 409,
    errors.TimeLimitError: 503,
    errors.LedgerError: 503,
    errors.EngineError: 503,
    errors.MissingExtraError: 501,
    errors.InputError: 422,
}


class ProblemDetails(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(description="what kind of problem, such as /problems/budget-exceeded")
    title: str
    status: int
    detail: str = Field(description="the whole message")
    about: str = Field(description="the argument or thing, with its value if the message names it")
    rule: str = Field(description="the rule that is broken")
    next_step: str = Field(description="what to do")
    hold: int | None = Field(None, description="the number of the hold, if the question waits for the custodian")


class Problem(Exception):  # noqa: N818  it is what the caller gets
    """A response that says what went wrong."""

    def __init__(
        self,
        status: int,
        kind: str,
        rule: str,
        next_step: str,
        headers: Mapping[str, str] | None = None,
        about: str | None = None,
    ) -> None:
        super().__init__(rule)
        self.status, self.kind, self.rule, self.next_step, self.about = status, kind, rule, next_step, about
        self.headers = dict(headers or {})
        self.hold: int | None = None

    @classmethod
    def of(cls, error: errors.NoiselessError) -> Problem:
        """The problem that stands for an error of the library."""
        status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422)
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower()
        rule, mark, step = str(error).rpartition("; ")
        found = cls(status, words, rule if mark else step, step if mark else SEE)
        found.hold = error.hold if isinstance(error, errors.HeldError) else None
        return found

    def fields(self) -> dict[str, Any]:
        """The fields of the JSON."""
        found = ABOUT.search(self.rule)
        about = self.about or (found[1] if found else THE_REQUEST)
        detail = self.rule if self.next_step == SEE else f"{self.rule}; {self.next_step}"
        return {
            "type": f"/problems/{self.kind}",
            "title": self.kind.replace("-", " "),
            "status": self.status,
            "detail": detail,
            "about": about,
            "rule": self.rule,
            "next_step": self.next_step,
            "hold": self.hold,
        }

    def response(self) -> JSONResponse:
        """The HTTP response."""
        return JSONResponse(self.fields(), self.status, self.headers, MEDIA)
