"""The asynchronous client: the same methods, each awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from copy import copy
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from noiseless.app.remote.calls import Call, Calls, headers
from noiseless.app.remote.connect import (
    AGAIN,
    LISTED,
    PATIENCE,
    PAUSES,
    checked,
    http,
    is_here,
    opened,
    read,
    unreachable_error,
)
from noiseless.app.remote.trust import Trust
from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.custodian import OnHold, Request
from noiseless.curator.ledger.status import Status
from noiseless.curator.question.precision import Amount
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.errors import CertificateError
from noiseless.exact.number import Number

if TYPE_CHECKING:
    from noiseless.curator.answer.ways import BatchPreview

T = TypeVar("T")


class AsyncRemote:
    """A dataset of a server, asynchronously. Use `nl.connect_async`."""

    def __init__(self, url: str, token: str, key: str | None) -> None:
        self._http = http().AsyncClient(base_url=checked(url), timeout=PATIENCE, trust_env=not is_here(url))
        self._token = token
        self._calls = Calls("", Trust(key))
        self.name = ""
        self.schema: Schema
        self.views: dict[str, AsyncRemote] = {}
        """Its views with one row for each person, by their names."""

    async def open(self, dataset: str | None) -> None:
        """Find the dataset, and the keys that followed the pinned one."""
        listed = await self._send(LISTED)
        self._calls, self.name, views = opened(listed, dataset, self._calls.trust)
        await self._know()
        for name in views:
            view = copy(self)
            view._calls, view.name, view.views = self._calls.of_view(name), name, {}
            await view._know()
            self._calls.trust.include(view._calls.trust)
            self.views[name] = view

    async def _know(self) -> None:
        """Find out what certificates must be about, and who may sign them."""
        trust = self._calls.trust
        trust.tables[await self._send(self._calls.snapshot())] = self.name
        await self._keys_changed()
        self.schema = Declaration.parse(await self._send(self._calls.toml())).schema
        trust.unit = self.schema.unit

    async def _keys_changed(self) -> bool:
        """Read which keys followed the pinned one, and return whether that has changed."""
        trust, earlier = self._calls.trust, dict(self._calls.trust.rotations)
        for known, calls in self._calls.each():
            trust.rotations[known] = [*await self._send(calls.rotations())]
        return trust.rotations != earlier

    @property
    def dataset(self) -> str:
        """The random id of the snapshot."""
        return self._calls.trust.dataset

    async def remaining(self) -> float:
        """The bits left for everybody, rounded down."""
        return (await self.status()).remaining

    async def public(self) -> list[dict[str, Any]]:
        """Every combination of public keys that occurs, with its number of rows."""
        return await self._send(self._calls.public())

    async def status(self) -> Status:
        """What is left of the budget of every public group, and of your quota."""
        return await self._send(self._calls.status())

    async def preview(
        self,
        sql: Any,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Preview:
        """What a question would cost and how certain its answer would be. Free."""
        return await self._send(self._calls.preview(sql, bits=bits, error=error, stable=stable, dialect=dialect))

    async def preview_batch(
        self,
        questions: Iterable[Any],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> BatchPreview:
        """What several questions would cost one by one, as one batch, and as a cross table. Free."""
        return await self._send(
            self._calls.preview_batch(questions, bits=bits, error=error, stable=stable, dialect=dialect)
        )

    async def ask(
        self,
        sql: Any,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answer:
        """Answer a question truthfully. See `Curator.ask`."""
        terms = {"bits": bits, "error": error, "max_bits": max_bits, "stable": stable, "dialect": dialect}
        return await self._send(self._calls.ask(sql, **terms))

    async def deduce(self, sql: Any, *, dialect: str = "duckdb") -> Answer:
        """What already follows about a question from everything released before. Free."""
        return await self._send(self._calls.deduce(sql, dialect=dialect))

    async def batch(
        self,
        questions: Iterable[Any],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answers:
        """Answer several questions that are counted together. See `Curator.batch`."""
        terms = {"bits": bits, "error": error, "max_bits": max_bits, "stable": stable, "dialect": dialect}
        return await self._send(self._calls.batch(questions, **terms))

    async def refine(self, answer: Answer, *, error: Amount, max_bits: Number | None = None) -> Answer:
        """Narrow the intervals of an earlier answer. Only the difference is charged."""
        return await self._send(self._calls.refine(answer, error=error, max_bits=max_bits))

    async def recall(self, entry: int, place: int = 0) -> Answer:
        """Repeat the answer to a question in the ledger, by its number, for free."""
        return await self._send(self._calls.recall(entry, place))

    async def holds(self) -> tuple[OnHold, ...]:
        """Your questions that wait for the custodian, or are approved. The custodian sees all."""
        return await self._send(self._calls.holds())

    async def collect(self, hold: int) -> Answer | Answers:
        """Ask a question that was approved, by the number of its hold."""
        return await self._send(self._calls.collect(hold))

    async def withdraw(self, number: int) -> None:
        """Withdraw your question on hold, or your request."""
        await self._send(self._calls.decide(f"decisions/{int(number)}/withdraw"))

    async def requests(self) -> tuple[Request, ...]:
        """Your requests that are not decided. The custodian sees all."""
        return await self._send(self._calls.requests())

    async def request(self, bits: Number, reason: str, about: str = "quota") -> int:
        """Ask the custodian for more bits of your quota, or with about="budget" for everybody."""
        return await self._send(self._calls.request(bits, reason, about))

    async def approve(self, number: int) -> None:
        """For the custodian: allow a question on hold."""
        await self._send(self._calls.decide(f"decisions/{int(number)}/approve"))

    async def refuse(self, number: int, reason: str) -> None:
        """For the custodian: refuse a question on hold, or a request."""
        await self._send(self._calls.decide(f"decisions/{int(number)}/refuse", reason=reason))

    async def grant(self, number: int, bits: Number | None = None) -> None:
        """For the custodian: grant a request."""
        await self._send(self._calls.decide(f"decisions/{int(number)}/grant", bits=bits))

    async def freeze(self, reason: str) -> None:
        """For the custodian: answer only what costs nothing."""
        await self._send(self._calls.decide("freeze", reason=reason))

    async def unfreeze(self) -> None:
        """For the custodian: answer everything again."""
        await self._send(self._calls.decide("unfreeze"))

    async def rotations(self) -> list[dict[str, Any]]:
        """How one signing key followed another."""
        return await self._send(self._calls.rotations())

    def __repr__(self) -> str:
        return f"AsyncRemote {self.name!r} at {self._http.base_url}"

    async def close(self) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()

    async def _send(self, call: Call[T]) -> T:
        for pause in (*PAUSES, None):
            try:
                sent = {"json": call.body, "headers": headers(call, self._token)}
                found = await self._http.request(call.method, call.path, **sent)
            except http().TransportError:
                if pause is None:
                    raise unreachable_error() from None
            else:
                if found.status_code not in AGAIN or pause is None:
                    try:
                        return read(call, found)
                    except CertificateError:  # perhaps another key signs by now
                        if self._calls.trust.key is None or not await self._keys_changed():
                            raise
                    return read(call, found)
            await asyncio.sleep(pause)
        raise AssertionError
