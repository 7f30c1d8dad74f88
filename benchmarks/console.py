"""Pages of a dataset of 300 columns whose ledger has 10^5 entries, from the request to the last byte of the page."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from starlette.testclient import TestClient

import noiseless as nl
from benchmarks.ledger import _asked_often, _sql
from benchmarks.measure import Row, seconds, shown
from noiseless.app.console.console import with_console
from noiseless.app.console.session import NAME
from noiseless.app.service.settings import Settings
from noiseless.app.service.state import states_of
from noiseless.app.service.tokens import Tokens

COLUMNS, ENTRIES, TIMES = 300, 100_001, 5
PAGES = {
    "all datasets": "/console",
    "ask": "/console/d/people",
    "about the data": "/console/d/people/about",
    "the ledger": "/console/d/people/ledger",
    "the ledger, filtered to nothing": "/console/d/people/ledger?text=nothing",
    "custody": "/console/d/people/keeping",
    "what waits": "/console/d/people/waiting",
    "published": "/console/d/people/published",
    "the budget over time": "/console/d/people/spending",
    "copies": "/console/d/people/copies",
}
"""What a custodian opens, who sees the most."""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder))
        [(state, names)] = states_of([file])
        token, _ = Tokens(state).add("carl", "custodian", names)
        state.close()
        with TestClient(with_console(Settings.read([file]))) as client:
            client.headers["cookie"] = f"{NAME}={token}"
            return [opened(client, words, path) for words, path in PAGES.items()]


def opened(client: TestClient, words: str, path: str) -> Row:
    """The median time of a page, after the first."""

    def get() -> None:
        assert client.get(path).status_code == 200

    first = seconds(get, repeat=1)
    again = statistics.median(seconds(get, repeat=1) for _ in range(TIMES))
    return Row(
        f"{words}: {COLUMNS} columns, {ENTRIES} entries", f"{shown(again)}; first {shown(first)}", "", "", "< 1 s"
    )


def written(folder: Path) -> Path:
    """A served table with many columns, which was asked for years."""
    columns: dict[str, list[Any]] = {f"c{place}": [float(k % 100) for k in range(1000)] for place in range(COLUMNS - 2)}
    columns |= {"age": [k * 7 % 1000 for k in range(1000)], "region": ["north", "south"] * 500}
    pq.write_table(pa.table(columns), folder / "people.parquet")
    private = {name: nl.Real(0, 100, step="0.5") for name in columns if name.startswith("c")}
    schema = nl.Schema({**private, "age": nl.Integer(0, 1000), "region": nl.Public("north", "south")})
    file = folder / "people.toml"
    file.write_text(nl.Declaration(schema, "people.parquet", None, 9000).write(), encoding="utf-8")
    with nl.Curator.open(file) as curator:
        curator.ask(_sql(0))
        _asked_often(curator, ENTRIES)
    return file
