"""Whatever spends is done once for an idempotency key, however often it is sent.

A key is stored with a hash of its request before anything is done, and with the response afterwards. If a process dies
in between, the request is simply done again: the ledger charges nothing twice and gives the same answer. Refusals are
not stored, because nothing was charged. If a key is sent twice at once, both get the same bytes: in one process the
second waits for the first, and of several processes the response that was stored first counts.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Annotated
from weakref import WeakValueDictionary

from fastapi import Header, Request, Response
from pydantic import BaseModel

from noiseless.app.service.caller import Caller
from noiseless.app.service.problems import Problem
from noiseless.app.service.served import Served
from noiseless.app.service.tokens import now
from noiseless.app.service.written import Written

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        pattern="^[!-~]+$",
        description="a text of your choice; the same request with the same key is done once, and has the same answer",
    ),
]
OF_KEY = "FROM noiseless_once WHERE owner = ? AND dataset = ? AND key = ?"
REPLAYED = {"Idempotency-Replayed": "true"}
Place = tuple[str, str, str]
"""Whose key it is, for which dataset, and the key."""
UNDER_WAY: WeakValueDictionary[tuple[int, Place], asyncio.Lock] = WeakValueDictionary()
"""A lock for each key that this process works on, by the state that holds it. A second request with the key waits."""


async def once(
    request: Request,
    of: Served,
    caller: Caller,
    key: str | None,
    asked: BaseModel,
    do: Callable[[], Awaitable[Written]],
) -> Response:
    """The response to a request, or the earlier one if the key is known."""
    request.state.questions = asked.model_dump(include={"sql", "questions"})
    if key is None:
        return (await do()).response()
    digest, place = digest_of(request, asked), (caller.name, of.name, key)
    async with UNDER_WAY.setdefault((id(of.state), place), asyncio.Lock()):
        if (known := await asyncio.to_thread(_known, of, place, digest)) is not None:
            return known.response(REPLAYED)
        made = await do()
        first = await asyncio.to_thread(_stored, of, place, made)
    return made.response() if first is None else first.response(REPLAYED)


def digest_of(request: Request, asked: BaseModel) -> str:
    """A hash that says whether two requests are the same: their path, their body, and what they accept."""
    accept = request.headers.get("accept", "")
    place = f"{request.url.path}?{query}" if (query := request.url.query) else request.url.path
    return sha256(f"{place}\n{accept}\n{asked.model_dump_json()}".encode()).hexdigest()


def name_of(request: Request, of: Served, caller: Caller, key: str | None, asked: BaseModel) -> str | None:
    """A name for the work that a request begins. It is the same for every request with this key. None without a key."""
    if key is None:
        return None
    return sha256("\n".join((caller.name, of.name, key, digest_of(request, asked))).encode()).hexdigest()[:16]


def _stored(of: Served, place: Place, made: Written) -> Written | None:
    """Store a response. Returns the response of another process if that one was faster."""
    changed = of.state.rows(
        "UPDATE noiseless_once SET status = ?, type = ?, body = ? "
        "WHERE owner = ? AND dataset = ? AND key = ? AND body IS NULL RETURNING key",
        *(made.status, made.media, b64encode(made.body).decode(), *place),
    )
    found = [] if changed else of.state.rows(f"SELECT body, type, status {OF_KEY}", *place)
    return next((Written(b64decode(body), media, status) for body, media, status in found if body is not None), None)


def _known(of: Served, place: Place, digest: str) -> Written | None:
    """The earlier response to the key, or None if there is none yet. A key of another request is refused."""
    inserted = of.state.rows(
        "INSERT INTO noiseless_once (owner, dataset, key, digest, made) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING RETURNING digest",
        *(*place, digest, now()),
    )
    if inserted:
        return None
    [(known, status, media, body)] = of.state.rows(f"SELECT digest, status, type, body {OF_KEY}", *place)
    if known != digest:
        raise Problem(
            422,
            "idempotency-conflict",
            f"idempotency key {place[2]!r} belongs to another request",
            "use a new key for a new request",
        )
    return None if body is None else Written(b64decode(body), media, status)
