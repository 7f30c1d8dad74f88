"""The settings of a server: from `[service]` in the schema files, and from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal
from math import inf
from pathlib import Path
from secrets import token_hex
from typing import Any, Self
from urllib.parse import urlsplit

from noiseless.errors import SchemaError

ENVIRONMENT = "NOISELESS_SERVICE"
"""The variable in which the first process hands its settings to the worker processes."""
UNITS = {"ms": Decimal("0.001"), "s": Decimal(1), "min": Decimal(60)}


def seconds(given: object, name: str) -> float:
    """A time span in seconds: a number, or a text such as 200ms, 2s or 1min.

    >>> seconds("200ms", "answer_every"), seconds(2, "planning")
    (0.2, 2.0)
    """
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) ?(ms|s|min)?", str(given))
    if isinstance(given, bool) or found is None or Decimal(found[1]) == 0:
        raise SchemaError(f"{name}={str(given)[:40]!r} is not a span of time; write it as '200ms' or '2s'")
    return float(Decimal(found[1]) * UNITS[found[2] or "s"])


@dataclass(frozen=True, slots=True)
class SignIn:
    """Who issues OpenID Connect tokens, and what their claims mean."""

    issuer: str
    audience: str
    jwks: str
    name: str = "sub"
    """The claim that names the person. It must be one that people cannot choose themselves."""
    role: str = "roles"
    """The claim that holds roles of the issuer, as a text or a list; or its path, such as realm_access.roles."""
    roles: Mapping[str, str] | None = None
    """What these roles mean here, such as {"data-office": "custodian"}. Without it, the names are the same."""
    datasets: tuple[str, ...] = ("*",)
    client: str = ""
    """The id of the console at the issuer, for signing in with a browser."""
    authorize: str = ""
    """The URL where people sign in with the issuer."""
    token: str = ""
    """The URL where the issuer exchanges codes for tokens."""
    secret: str = ""
    """A file with the secret of the console at the issuer, if it has one."""
    scope: str = "openid"

    @property
    def in_browser(self) -> bool:
        """Whether people can sign in to the console."""
        return bool(self.client)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    files: tuple[str, ...] = ()
    key: str | None = None
    tables: str | None = None
    """The folder whose tables custodians may declare. Only the command line names it."""
    workers: int = 1
    server: str = field(default_factory=lambda: token_hex(6))
    """A random name, the same in all processes of a server."""
    rate: int = 50
    """Requests a second for each caller, over all workers."""
    largest_body: int = 1 << 20
    """The most bytes of a request."""
    largest_upload: int = 1 << 25
    """The most bytes of a request with files: exports of ledgers, and tables to compare."""
    patience: float = 10.0
    """Seconds for the body of a request to arrive."""
    planning: float = 10.0
    """Seconds for understanding and pricing a question."""
    waiting: int = 200
    """The most requests for one dataset that wait for each other, in one worker."""
    farewell: int = 30
    """Seconds for requests to end when the server stops."""
    answer_every: float | None = None
    """Answers are sent only at multiples of this many seconds after the request."""
    share_questions: bool = False
    """Whether analysts see the questions of others."""
    log_questions: bool = False
    confirm_above: float = 1.0
    """Above this price in bits, the console asks for a confirmation."""
    sign_in: SignIn | None = None

    @classmethod
    def of(cls, said: Mapping[str, Any], **more: Any) -> Self:
        """The settings that `[service]` says, with those of the command line, where given."""
        given: dict[str, Any] = dict(said)
        oidc = given.pop("oidc", None)
        known = {each.name for each in fields(cls)} - {"files", "key", "tables", "workers", "server", "sign_in"}
        if unknown := sorted(set(given) - known):
            raise SchemaError(
                f"[service] has an unknown field {unknown[0]!r}; use {', '.join(sorted({*known, 'oidc'}))}"
            )
        given |= {name: value for name, value in more.items() if value is not None}
        for name in ("answer_every", "patience", "planning"):
            if given.get(name) is not None:
                given[name] = seconds(given[name], name)
        for name in ("rate", "largest_body", "largest_upload", "waiting", "farewell", "workers"):
            _check(name, given, lambda value: type(value) is int and value > 0, "a whole number above 0")
        _check(
            "confirm_above", given, lambda value: type(value) in (int, float) and 0 <= value < inf, "a number of bits"
        )
        for name in ("share_questions", "log_questions"):
            _check(name, given, lambda value: type(value) is bool, "true or false")
        return cls(**given, sign_in=None if oidc is None else _sign_in(oidc))

    @classmethod
    def read(cls, files: Sequence[str | Path], **more: Any) -> Self:
        """The settings of a server of these schema files. The first one that has `[service]` decides."""
        from noiseless.curator.schema.declaration import Declaration

        said = [declared for file in files if (declared := Declaration.read(file).service) is not None]
        if any(each != said[0] for each in said):
            raise SchemaError("the schema files have different [service] sections; keep one, or make them equal")
        return cls.of(said[0] if said else {}, files=tuple(str(Path(file).absolute()) for file in files), **more)

    def write(self) -> str:
        """As a text that `parse` reads."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The settings that `write` wrote."""
        given = json.loads(text)
        signed = given.pop("sign_in")
        issuer = None if signed is None else SignIn(**{**signed, "datasets": tuple(signed["datasets"])})
        return cls(**{**given, "files": tuple(given["files"])}, sign_in=issuer)


def _check(name: str, given: Mapping[str, Any], holds: Any, what: str) -> None:
    if name in given and not holds(given[name]):
        raise SchemaError(f"{name}={str(given[name])[:40]!r} must be {what}; correct it in [service]")


def _sign_in(said: Any) -> SignIn:
    names = [each.name for each in fields(SignIn)]
    texts, roles = set(names) - {"roles", "datasets"}, {"custodian", "analyst", "auditor"}
    if not isinstance(said, dict) or not {"issuer", "audience", "jwks"} <= set(said) <= set(names):
        raise SchemaError(f"[service.oidc] needs issuer, audience and jwks; it may have {', '.join(names[3:])}")
    if wrong := [name for name in sorted(texts & set(said)) if not isinstance(said[name], str)]:
        raise SchemaError(f"{wrong[0]} in [service.oidc] must be a text; put it in quotes")
    meant = said.get("roles", {})
    if not isinstance(meant, dict) or any(each not in roles for each in meant.values()):
        raise SchemaError("[service.oidc.roles] must map to custodian, analyst or auditor; correct it")
    if not isinstance(datasets := said.get("datasets", ["*"]), list):
        raise SchemaError("datasets in [service.oidc] must be a list; write it as ['people']")
    if not _is_safe(said["jwks"]):
        raise SchemaError(
            "jwks in [service.oidc] must be a file, or a URL with https://; only loopback may use http://"
        )
    places = [said.get(name, "") for name in ("client", "authorize", "token")]
    if any(places) and not (all(places) and all("://" in place and _is_safe(place) for place in places[1:])):
        raise SchemaError(
            "client, authorize and token in [service.oidc] belong together: an id, and two URLs with https://; give all"
        )
    return SignIn(**{**said, "datasets": tuple(map(str, datasets))})


def _is_safe(place: str) -> bool:
    """Whether nobody on the network can replace what is read from this place."""
    parts = urlsplit(place)
    return "://" not in place or parts.scheme == "https" or (parts.scheme, parts.hostname) == ("http", "127.0.0.1")
