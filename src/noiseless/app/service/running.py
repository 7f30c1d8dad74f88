"""A running server: its datasets, and who calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import Request

from noiseless.app.service.caller import Caller, unknown_dataset
from noiseless.app.service.roles import ANY
from noiseless.app.service.served import Datasets, Served
from noiseless.app.service.settings import Settings
from noiseless.app.service.state import State
from noiseless.app.service.tokens import Tokens

Identify = Callable[[Request, str | None], Awaitable[Caller | None]]
"""Finds out who sent a request about a dataset, or about none; None if this way does not know."""


class Service:
    """What every route finds at `request.app.state.service`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.datasets = Datasets(settings)
        self.ways: list[Identify] = [self._by_token]
        """The ways to identify a caller, tried one after another. A console can add cookies."""

    async def identify(self, request: Request, dataset: str | None) -> Caller | None:
        """Who sent a request."""
        for way in self.ways:
            if (caller := await way(request, dataset)) is not None:
                return caller
        return None

    def dataset(self, name: str) -> Served:
        """The dataset of a request, whose caller was already let in."""
        served = self.datasets.get(name)
        if served is None:
            raise unknown_dataset(name)
        return served

    async def _by_token(self, request: Request, dataset: str | None) -> Caller | None:
        text = bearer(request)
        if text is None:
            return None
        served = None if dataset is None else self.datasets.get(dataset)
        for state in self.datasets.states.values() if served is None else (served.state,):
            if (token := Tokens(state).holder(text)) is not None:
                return Caller(token.name, token.role, self._names(state, token.datasets))
        return None

    def _names(self, state: State, named: tuple[str, ...]) -> tuple[str, ...]:
        """The datasets of a state that a token is for. A token says nothing about those of another state."""
        own = [each.name for each in self.datasets if each.state is state]
        return tuple(name for name in own if ANY in named or name in named)


def bearer(request: Request) -> str | None:
    """The token in the header Authorization."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
