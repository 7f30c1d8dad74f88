"""Who calls, and what they may do: the one dependency that every route has."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from noiseless.app.service.problems import Problem
from noiseless.app.service.roles import ROLES, Role
from noiseless.app.service.turns import calls


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a token: the name in the ledger, the role, and the datasets it is for."""

    name: str
    role: Role
    datasets: tuple[str, ...]

    def may_see(self, dataset: str) -> bool:
        """Whether the token is for this dataset."""
        return dataset in self.datasets


class Allowed:
    """Admits only some roles, and only to the datasets of their token."""

    def __init__(self, *roles: Role) -> None:
        self.roles = frozenset(roles)

    async def __call__(self, request: Request) -> Caller:
        """The caller. Refused if the caller cannot be identified or has no permission."""
        service, dataset = request.app.state.service, request.path_params.get("dataset")
        caller: Caller | None = await service.identify(request, dataset)
        address = request.client and request.client.host
        service.rate.take(f"address {address}" if caller is None else f"name {caller.name}")
        if caller is None:
            raise Problem(
                401,
                "unauthenticated",
                "the request has no valid token",
                "send a token in the header Authorization: Bearer …; the custodian makes one with `noiseless keys add`",
                headers={"WWW-Authenticate": "Bearer"},
                about="the header Authorization",
            )
        if caller.role not in self.roles:
            raise Problem(
                403,
                "forbidden",
                f"a token with the role {caller.role} may not do this",
                f"use a token of one of the roles {', '.join(sorted(self.roles))}",
                about=f"role {caller.role!r}",
            )
        if dataset is not None and not caller.may_see(dataset):
            raise unknown_dataset_error(dataset)
        request.state.caller = caller
        calls(caller.name)
        return caller


def allowed(*roles: Role) -> Allowed:
    """The dependency of a route that only these roles may use. Without roles: all of them."""
    return Allowed(*(roles or ROLES))


async def no_token_needed() -> None:
    """The dependency of a route that needs no token."""


def unknown_dataset_error(name: str) -> Problem:
    """The error for an unknown dataset. It is the same if the token is not for the dataset."""
    return Problem(
        404,
        "unknown-dataset",
        f"dataset {name[:100]!r} does not exist, or your token is not for it",
        "GET /datasets lists yours",
    )
