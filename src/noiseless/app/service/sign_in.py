"""OpenID Connect: bearer tokens of another issuer, checked with the issuer's published keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any
from urllib.request import urlopen

import jwt

from noiseless.app.service.roles import ROLES, Role
from noiseless.app.service.settings import SignIn
from noiseless.curator.ledger.entry import analyst_name
from noiseless.errors import InputError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
"""Signatures only: anyone who can check a shared secret can also make tokens with it."""
LARGEST = 1 << 20
PATIENCE = 5.0
SELDOM = 10.0
"""The least seconds between two readings of the issuer's keys, even if many tokens name unknown keys."""
LASTS = 300.0
"""Seconds after which the keys are read again, so that withdrawn keys are forgotten."""


class Keys:
    """The issuer's keys, by their ids."""

    def __init__(self, place: str) -> None:
        self._place, self._lock = place, Lock()
        self._known: dict[str | None, jwt.PyJWK] = {}
        self._read = float("-inf")

    def get(self, name: str | None) -> jwt.PyJWK | None:
        """The key with this id. The keys are read again if they are old, or if the id is unknown."""
        with self._lock:
            passed = monotonic() - self._read
            if passed > LASTS or (name not in self._known and passed > SELDOM):
                self._read = monotonic()
                with suppress(OSError, ValueError, jwt.PyJWTError):  # keep those that are known
                    self._known = {key.key_id: key for key in jwt.PyJWKSet.from_dict(json.loads(self._text())).keys}
            return self._known.get(name)

    def _text(self) -> bytes:
        if "://" not in self._place:
            return Path(self._place).read_bytes()
        with urlopen(self._place, timeout=PATIENCE) as response:
            return bytes(response.read(LARGEST))


class Issuer:
    """Finds out who holds a token, and which role the issuer gives them."""

    def __init__(self, said: SignIn) -> None:
        self._said, self._keys = said, Keys(said.jwks)

    def claims(self, text: str, audience: str) -> Mapping[str, Any] | None:
        """What a valid token of the issuer says; None if it is not one, or not for this audience."""
        try:
            key = self._keys.get(jwt.get_unverified_header(text).get("kid"))
            if key is None:
                return None
            needed: Any = {"require": ["exp", "iss", "aud"]}
            found: Mapping[str, Any] = jwt.decode(
                text, key, algorithms=ALGORITHMS, audience=audience, issuer=self._said.issuer, options=needed
            )
            return found
        except (jwt.PyJWTError, ValueError):
            return None

    def holder(self, text: str) -> tuple[str, Role] | None:
        """The name and the role. None if the token is not valid, or gives no role here."""
        claims = self.claims(text, self._said.audience)
        if claims is None:
            return None
        try:
            name = claims.get(self._said.name)
            role = self._role(_claim(claims, self._said.role))
            return None if role is None or not isinstance(name, str) or not name else (analyst_name(name), role)
        except (InputError, ValueError):
            return None

    def _role(self, said: object) -> Role | None:
        """The first of our roles that one of the issuer's roles stands for."""
        names = said.split() if isinstance(said, str) else said if isinstance(said, list) else []
        meant = self._said.roles
        found = {name if meant is None else meant.get(name) for name in names if isinstance(name, str)}
        return next((role for role in ROLES if role in found), None)


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """A claim by its name, or by its path, such as realm_access.roles."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found
