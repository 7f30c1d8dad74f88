"""A running server: its datasets, and who calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from fastapi import Request
from starlette.types import Scope

from noiseless.app.service.caller import Caller, unknown_dataset_error
from noiseless.app.service.jobs import Jobs
from noiseless.app.service.lane import Lane
from noiseless.app.service.metrics import Metrics
from noiseless.app.service.rate import Rate
from noiseless.app.service.roles import ANY
from noiseless.app.service.served import Datasets, Served
from noiseless.app.service.settings import Settings
from noiseless.app.service.sign_in import Issuer
from noiseless.app.service.state import State
from noiseless.app.service.tokens import MARK, Tokens

KEPT = timedelta(days=30)
"""How long an idempotency key is known."""
UPLOADS = ("/verify/export", "/compare", "/console/verify", "/console/compare")
"""Paths that take files."""
OFTEN = 5.0
"""Seconds between two writings of counts."""
Identify = Callable[[Request, str | None], Awaitable[Caller | None]]
"""Finds out who sent a request about a dataset, or about none; None if this way does not know."""


class Service:
    """What every route finds at `request.app.state.service`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.datasets = Datasets(settings)
        self._first, self._process = next(iter(self.datasets.states.values())), token_hex(6)
        self.rate = Rate(settings.rate / settings.workers)
        self.metrics = Metrics()
        self.jobs = Jobs()
        self.aside = Lane("noiseless-aside", settings.planning, settings.waiting)
        """For work that needs no curator of this server, so that it waits for nobody's answer."""
        self.audits = Lane("noiseless-audits", settings.planning, settings.waiting)
        """For reading whole ledgers, which may take long."""
        self.issuer = None if settings.sign_in is None else Issuer(settings.sign_in)
        self.ways: list[Identify] = [self._by_token, self._by_issuer]
        """The ways to identify a caller, tried one after another. A console can add cookies."""

    async def identify(self, request: Request, dataset: str | None) -> Caller | None:
        """Who sent a request. Datasets that another process declared are opened first."""
        await self.datasets.look_again()
        for way in self.ways:
            if (caller := await way(request, dataset)) is not None:
                return caller
        return None

    async def upload(self, scope: Scope) -> int:
        """How many bytes a request may have beyond the usual limit: only known callers may send files."""
        if scope["path"] not in UPLOADS or await self.identify(Request(scope), None) is None:
            return 0
        return self.settings.largest_upload

    def forget(self) -> None:
        """Forget old idempotency keys with their answers, and what earlier servers counted."""
        until = (datetime.now(UTC) - KEPT).isoformat(timespec="seconds")
        for state in self.datasets.states.values():
            state.rows("DELETE FROM noiseless_once WHERE made < ?", until)
        self._first.rows("DELETE FROM noiseless_counts WHERE server <> ?", self.settings.server)

    async def counted(self) -> Metrics:
        """What all processes of this server have counted. The counts of others are a few seconds old."""
        self.write_counts()
        whole = Metrics()
        for (text,) in self._first.rows("SELECT counts FROM noiseless_counts WHERE server = ?", self.settings.server):
            whole.add(json.loads(text))
        return whole

    def write_counts(self) -> None:
        """Write what this process has counted, for the others."""
        self._first.rows(
            "INSERT INTO noiseless_counts VALUES (?, ?, ?) "
            "ON CONFLICT (server, process) DO UPDATE SET counts = excluded.counts",
            *(self.settings.server, self._process, json.dumps(self.metrics.fields())),
        )

    async def keep_counts(self) -> None:
        """Keep writing the counts, if there are other processes."""
        while self.settings.workers > 1:
            self.write_counts()
            await asyncio.sleep(OFTEN)

    async def close(self) -> None:
        """Finish what is being done, and close everything."""
        await self.jobs.close()
        await self.aside.close()
        await self.audits.close()
        await self.datasets.close()

    def dataset(self, name: str) -> Served:
        """The dataset of a request whose caller was already admitted."""
        served = self.datasets.get(name)
        if served is None:
            raise unknown_dataset_error(name)
        return served

    async def _by_token(self, request: Request, dataset: str | None) -> Caller | None:
        text = bearer(request)
        return None if text is None else self.holder(text, dataset)

    def holder(self, text: str, dataset: str | None) -> Caller | None:
        """The holder of a token. All states are searched, so that nobody learns which datasets others have."""
        served = None if dataset is None else self.datasets.get(dataset)
        first = () if served is None else (served.state,)
        for state in dict.fromkeys((*first, *self.datasets.states.values())):
            if (token := Tokens(state).holder(text)) is not None:
                return Caller(token.name, token.role, self.names(state, token.datasets))
        return None

    async def _by_issuer(self, request: Request, _: str | None) -> Caller | None:
        text = bearer(request)
        return None if text is None else await self.issued(text)

    async def issued(self, text: str) -> Caller | None:
        """The holder of a token that the issuer made."""
        issuer, said = self.issuer, self.settings.sign_in
        if issuer is None or said is None or text.startswith(MARK):
            return None
        found = await asyncio.to_thread(issuer.holder, text)  # it may read the issuer's keys
        names = tuple(each.name for each in self.datasets if ANY in said.datasets or each.name in said.datasets)
        return None if found is None else Caller(*found, names)

    def names(self, state: State, named: tuple[str, ...]) -> tuple[str, ...]:
        """The datasets of a state that a token is for. A token says nothing about those of another state."""
        own = [each.name for each in self.datasets if each.state is state]
        return tuple(name for name in own if ANY in named or name in named)


def bearer(request: Request) -> str | None:
    """The token in the header Authorization."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
