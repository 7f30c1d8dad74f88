"""Tokens: 256 random bits, shown once; only their SHA-256 is stored."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from noiseless.app.service.roles import ANY, Role
from noiseless.app.service.state import State
from noiseless.curator.ledger.entry import analyst_name

MARK = "noiseless_"
FIELDS = "id, name, role, datasets, made, expires, revoked"
UNKNOWN = sha256(b"no token").hexdigest()


def now() -> str:
    """The current time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token: everything but its secret."""

    id: str
    name: str
    role: Role
    datasets: tuple[str, ...]
    made: str
    expires: str | None
    revoked: str | None

    @property
    def valid(self) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or now() < self.expires)


class Tokens:
    """The tokens that a state holds."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add(
        self, name: str, role: Role, datasets: Sequence[str] = (ANY,), expires: datetime | None = None
    ) -> tuple[str, Token]:
        """A new token: its text, which cannot be shown again, and what is known of it."""
        secret = secrets.token_urlsafe(32)
        until = None if expires is None else expires.astimezone(UTC).isoformat(timespec="seconds")
        token = Token(secrets.token_hex(6), analyst_name(name), role, tuple(datasets), now(), until, None)
        values = token.id, token.name, role, json.dumps(datasets), _digest(secret), token.made, until
        self._state.rows(
            "INSERT INTO noiseless_tokens (id, name, role, datasets, digest, made, expires) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            *values,
        )
        return f"{MARK}{token.id}_{secret}", token

    def listed(self) -> list[Token]:
        """All tokens, the oldest first."""
        return [_token(*row) for row in self._state.rows(f"SELECT {FIELDS} FROM noiseless_tokens ORDER BY made, id")]

    def revoke(self, which: str) -> list[Token]:
        """Revoke a token by its id, or all tokens of a name. Returns the tokens that were revoked now."""
        statement = f"""UPDATE noiseless_tokens SET revoked = ? WHERE (id = ? OR name = ?) AND revoked IS NULL
        RETURNING {FIELDS}"""
        return [_token(*row) for row in self._state.rows(statement, now(), which, which)]

    def holder(self, text: str) -> Token | None:
        """The valid token with this text. How long this takes does not depend on how much of the secret is right."""
        name, _, secret = text.removeprefix(MARK).partition("_")
        found = self._state.rows(f"SELECT digest, {FIELDS} FROM noiseless_tokens WHERE id = ?", name)
        digest = str(found[0][0]) if found else UNKNOWN
        same = hmac.compare_digest(digest, _digest(secret))
        if not (same and found and text.startswith(MARK)):
            return None
        token = _token(*found[0][1:])
        return token if token.valid else None


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()


def _token(
    id_: str, name: str, role: Role, datasets: str, made: str, expires: str | None, revoked: str | None
) -> Token:
    return Token(id_, name, role, tuple(json.loads(datasets)), made, expires, revoked)
