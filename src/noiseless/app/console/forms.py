"""What a form sent: one text for each field."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from noiseless.app.service.problems import Problem

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 100


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form. The last one counts if one is sent twice."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise Problem(415, "unsupported-media-type", "the form has another type", f"send it as {FORM}")
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        pass
    raise Problem(422, "malformed", "the form cannot be read", "send it again from the page")
