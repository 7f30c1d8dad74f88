"""The console of a small table, with a signed-in browser for every role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.testclient import TestClient
from tests.app.service.small import token

from noiseless.app.console.console import with_console
from noiseless.app.console.session import NAME
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings

ORIGIN = {"origin": "http://testserver"}


@dataclass(frozen=True)
class Console:
    """The running console: its client, and the token of every role."""

    client: TestClient
    file: Path
    tokens: dict[str, str]

    def cookie(self, role: str | None = "analyst") -> dict[str, str]:
        """The header that a signed-in browser sends."""
        return {"cookie": f"{NAME}={self.tokens[role]}"} if role else {}

    def get(self, path: str, role: str | None = "analyst"):
        self.client.cookies.clear()
        return self.client.get(path, headers=self.cookie(role), follow_redirects=False)

    def post(self, path: str, form: dict[str, str], role: str | None = "analyst", headers=ORIGIN):
        self.client.cookies.clear()
        return self.client.post(path, data=form, headers=headers | self.cookie(role), follow_redirects=False)

    def ask(self, sql: str, role: str = "analyst", **form: str):
        return self.post("/console/d/people", {"sql": sql, "action": "ask", "precision": "exact", **form}, role)


@contextmanager
def console(file: Path, **settings) -> Iterator[Console]:
    """The application with its console."""
    tokens = {role: token(file, f"the {role}", role)["Authorization"].split()[1] for role in ROLES}
    with TestClient(with_console(Settings.read([file], **settings)), raise_server_exceptions=False) as client:
        yield Console(client, file, tokens)
