"""Tokens for a dataset: who has one, a new one, and revoking one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AwareDatetime, BaseModel, Field

from noiseless.app.service import models
from noiseless.app.service.parameters import Custodian, OfDataset
from noiseless.app.service.problems import Problem
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.roles import Role
from noiseless.app.service.served import Served
from noiseless.app.service.tokens import Token, Tokens

router = APIRouter(tags=["tokens"])
PLAIN = r"^[^\x00-\x1f\x7f]+$"
"""Texts without control characters."""


class TokenFacts(BaseModel):
    """What is known of a token: everything but the token."""

    id: str
    name: str
    role: Role
    datasets: list[str]
    made: str
    expires: str | None
    revoked: str | None
    valid: bool


class NewToken(TokenFacts):
    """A new token. It is never shown again."""

    token: str


class ToGrant(models.Given):
    """Who gets a token, and for what."""

    name: str = Field(min_length=1, max_length=200, pattern=PLAIN)
    role: Role = "analyst"
    expires: AwareDatetime | None = None
    quota: models.Number | None = Field(None, description="the bits that this analyst may spend")
    project: str | None = Field(None, min_length=1, max_length=200, pattern=PLAIN)
    project_quota: models.Number | None = Field(None, description="the bits that the members of the project share")


class Quota(BaseModel):
    """What an analyst, or the members of a project together, may spend."""

    name: str
    bits: str
    members: list[str]


class ToAllow(models.Given):
    """The quota of an analyst, their project, and its quota. Give what should change."""

    name: str = Field(min_length=1, max_length=200, pattern=PLAIN)
    quota: models.Number | None = Field(None, description="the bits that this analyst may spend")
    project: str | None = Field(None, min_length=1, max_length=200, pattern=PLAIN)
    project_quota: models.Number | None = Field(None, description="the bits that the members of the project share")


@router.get("/datasets/{dataset}/quotas")
async def quotas(caller: Custodian, of: OfDataset) -> list[Quota]:
    """The quotas that were set here or with tokens. The schema file may declare others; the status lists them all."""
    return quotas_of(of)


@router.post("/datasets/{dataset}/quotas")
async def allow(caller: Custodian, of: OfDataset, given: ToAllow) -> list[Quota]:
    """Set the quota of an analyst or of a project, from the next question on."""
    set_quotas(of, given)
    return quotas_of(of)


def quotas_of(of: Served) -> list[Quota]:
    """The quotas of a dataset that the state holds."""
    grants = Quotas(of.state, of.name).grants()
    return [Quota(name=each.name, bits=str(each.bits), members=sorted(each.members)) for each in grants]


def set_quotas(of: Served, given: ToAllow) -> None:
    """Set what is given. Nothing is set if anything is wrong."""
    if given.project_quota is not None and given.project is None:
        raise Problem(422, "malformed", "project_quota= needs project=", "name the project")
    if given.quota is None and given.project is None:
        raise Problem(422, "malformed", "nothing was given to set", "give quota=, or project=")
    Quotas(of.state, of.name).set_all(given.name, given.quota, given.project, given.project_quota)


@router.get("/datasets/{dataset}/tokens")
async def listed(caller: Custodian, of: OfDataset) -> list[TokenFacts]:
    """The tokens for this dataset, the oldest first."""
    return [_facts(each) for each in Tokens(of.state).listed() if of.name in each.datasets or "*" in each.datasets]


@router.post("/datasets/{dataset}/tokens", status_code=201)
async def add(caller: Custodian, of: OfDataset, given: ToGrant) -> NewToken:
    """A new token for this dataset alone. It is shown once; only its SHA-256 is stored."""
    until = _to_come(given.expires)
    if given.project_quota is not None and given.project is None:
        raise Problem(422, "malformed", "project_quota= needs project=", "name the project")
    Quotas(of.state, of.name).set_all(given.name, given.quota, given.project, given.project_quota)
    text, token = Tokens(of.state).add(given.name, given.role, [of.name], until)
    return NewToken(token=text, **_facts(token).model_dump())


@router.delete("/datasets/{dataset}/tokens/{token}")
async def revoke(caller: Custodian, of: OfDataset, token: Annotated[str, Path(max_length=100)]) -> TokenFacts:
    """Revoke a token by its id, at once and for ever. It must be for this dataset alone."""
    if (found := _alone(of, token)) is None:
        raise Problem(
            404,
            "unknown-token",
            f"no valid token for this dataset alone has the id {token!r}",
            "GET …/tokens lists them; `noiseless keys revoke` also revokes those for several datasets",
        )
    Tokens(of.state).revoke(found.id)
    return _facts(next(each for each in Tokens(of.state).listed() if each.id == token))


def _to_come(given: datetime | None) -> datetime | None:
    """The moment in UTC. Refused if it is in the past, or after the year 9999."""
    if given is None:
        return None
    with suppress(OverflowError):
        if (found := given.astimezone(UTC)) > datetime.now(UTC):
            return found
    raise Problem(
        422,
        "malformed",
        f"expires={given.isoformat()} is in the past, or after the year 9999",
        "name a moment in between",
    )


def _alone(of: Served, which: str) -> Token | None:
    tokens = (each for each in Tokens(of.state).listed() if each.id == which)
    return next((each for each in tokens if each.datasets == (of.name,) and each.revoked is None), None)


def _facts(token: Token) -> TokenFacts:
    return TokenFacts(**{**asdict(token), "datasets": list(token.datasets)}, valid=token.valid)
