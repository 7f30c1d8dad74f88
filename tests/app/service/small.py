"""A small table that is served, in the process of the tests, with a token for every role."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq
import uvicorn
from starlette.testclient import TestClient

import noiseless as nl
from noiseless.app.service.application import application
from noiseless.app.service.heads import Punctual
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings
from noiseless.app.service.state import states_of
from noiseless.app.service.tokens import Tokens

SCHEMA = nl.Schema(age=nl.Integer(0, 100), smoker=nl.Category("no", "yes"), region=nl.Public("north", "south"))
MEAN = "SELECT AVG(age) FROM people"
COUNT = "SELECT COUNT(*) FROM people WHERE smoker = 'yes'"


def write(folder: Path, name: str = "people", budget: int = 12, more: str = "", rows: int = 200) -> Path:
    """A table of this number of people, with its schema file."""
    columns = {
        "age": [k * 37 % 101 for k in range(rows)],
        "smoker": ["yes" if k % 7 == 0 else "no" for k in range(rows)],
        "region": [("north", "south")[k * k % 3 % 2] for k in range(rows)],
    }
    pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    file = folder / f"{name}.toml"
    file.write_text(nl.Declaration(SCHEMA, f"{name}.parquet", None, budget).write() + more, encoding="utf-8")
    return file


def token(file: Path, name: str, role: str = "analyst", **more) -> dict[str, str]:
    """The header of a new token."""
    [(state, names)] = states_of([file])
    text, _ = Tokens(state).add(name, role, names, **more)
    state.close()
    return {"Authorization": f"Bearer {text}"}


@dataclass(frozen=True)
class Running:
    """A running application: its client, its schema file, and a token for every role."""

    client: TestClient
    file: Path
    tokens: dict[str, dict[str, str]]

    def get(self, path: str, role: str = "analyst", **more):
        return self.client.get(path, headers=self.tokens[role] | more.pop("headers", {}), **more)

    def post(self, path: str, body: object, role: str = "analyst", **more):
        return self.client.post(path, json=body, headers=self.tokens[role] | more.pop("headers", {}), **more)

    def ask(self, sql: str, role: str = "analyst", **more):
        headers = more.pop("headers", {})
        return self.post("/datasets/people/ask", {"sql": sql, **more}, role, headers=headers)


@contextmanager
def running(file: Path, *others: Path, **settings) -> Iterator[Running]:
    """The application of these schema files."""
    tokens = {role: token(file, f"the {role}", role) for role in ROLES}
    with TestClient(application(Settings.read([file, *others], **settings)), raise_server_exceptions=False) as client:
        yield Running(client, file, tokens)


def listening(file: Path, **settings) -> AbstractContextManager[tuple[str, int]]:
    """The same behind a real socket: its host and port."""
    app = application(Settings.read([file], **settings))
    return serving(uvicorn.Config(app, port=0, http=Punctual, log_config=None, access_log=False))


@contextmanager
def serving(config: uvicorn.Config, sockets: list[socket.socket] | None = None) -> Iterator[tuple[str, int]]:
    """A server in a thread of this process: its host and port."""
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            thread.join(0.01)
        yield server.servers[0].sockets[0].getsockname()
    finally:
        server.should_exit = True
        thread.join()
