"""Whatever spends is done once for an idempotency key, however often it is sent.

A key is stored with a hash of its request before anything is done, and with the response afterwards. If a process dies
in between, the request is simply done again: the ledger charges nothing twice and gives the same answer. Refusals are
not stored, because nothing was charged.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Annotated

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
REPLAYED = {"Idempotency-Replayed": "true"}


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
    accept = request.headers.get("accept", "")
    digest = sha256(f"{request.url.path}\n{accept}\n{asked.model_dump_json()}".encode()).hexdigest()
    place = caller.name, of.name, key
    if (known := _known(of, place, digest)) is not None:
        return known.response(REPLAYED)
    made = await do()
    of.state.rows(
        "UPDATE noiseless_once SET status = ?, type = ?, body = ? WHERE owner = ? AND dataset = ? AND key = ?",
        *(made.status, made.media, b64encode(made.body).decode(), *place),
    )
    return made.response()


def _known(of: Served, place: tuple[str, str, str], digest: str) -> Written | None:
    """What was answered to the key. None if nothing was yet. Refused if the key belongs to another request."""
    inserted = of.state.rows(
        "INSERT INTO noiseless_once (owner, dataset, key, digest, made) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING RETURNING digest",
        *(*place, digest, now()),
    )
    if inserted:
        return None
    [(known, status, media, body)] = of.state.rows(
        "SELECT digest, status, type, body FROM noiseless_once WHERE owner = ? AND dataset = ? AND key = ?", *place
    )
    if known != digest:
        raise Problem(
            422,
            "idempotency-conflict",
            f"idempotency key {place[2]!r} belongs to another request",
            "use a new key for a new request",
        )
    return None if body is None else Written(b64decode(body), media, status)
