"""Answers as JSON or Arrow, as the request prefers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response

from noiseless.app.carried import MEDIA, carried
from noiseless.app.service.problems import Problem

JSON = "application/json"
ARROW = "application/vnd.apache.arrow.stream"


@dataclass(frozen=True, slots=True)
class Written:
    """The body of a response, and its media type."""

    body: bytes
    media: str = JSON
    status: int = 200

    def response(self, headers: Mapping[str, str] | None = None) -> Response:
        """The response. No cache may keep it."""
        return Response(self.body, self.status, {"Cache-Control": "no-store", **(headers or {})}, self.media)


def preferred(request: Request, offered: Sequence[str]) -> str:
    """The media type that a request prefers, of those offered; the first one if it does not say."""
    ranks = [rank for part in request.headers.get("accept", "").split(",") if (rank := _rank(part, offered))]
    if not ranks:
        if request.headers.get("accept", "").strip():
            rule, step = "none of the media types in Accept is offered", f"use {' or '.join(offered)}"
            raise Problem(406, "not-acceptable", rule, step, about="the header Accept")
        return offered[0]
    return max(ranks)[-1]


def _rank(part: str, offered: Sequence[str]) -> tuple[float, int, int, str] | None:
    """How much a request prefers a part of Accept: its weight, how exactly it is named, and its place here."""
    media, _, rest = part.strip().lower().partition(";")
    weight = next((each.strip()[2:] for each in rest.split(";") if each.strip().startswith("q=")), "1")
    try:
        quality = float(weight)
    except ValueError:
        return None
    for place, each in enumerate(offered):
        kind = each.partition("/")[0]
        if quality > 0 and media.strip() in (each, f"{kind}/*", "*/*"):
            return quality, -media.count("*"), -place, each
    return None


def as_json(fields: Any) -> Written:
    """Fields as JSON."""
    return Written(json.dumps(fields, ensure_ascii=False, default=str, allow_nan=False).encode())


def as_objects(value: Any) -> Written:
    """Objects of the library as they are, for `nl.connect`."""
    return Written(json.dumps(carried(value), ensure_ascii=False).encode(), MEDIA)


def as_arrow(table: Any, fields: Any) -> Written:
    """A table as an Arrow stream. Everything else is in the metadata of its schema, as JSON."""
    import pyarrow

    marked = table.replace_schema_metadata({**(table.schema.metadata or {}), "noiseless": as_json(fields).body})
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, marked.schema) as writer:
        writer.write_table(marked)
    return Written(sink.getvalue().to_pybytes(), ARROW)
