"""The server on this machine: previews, new questions and repeats a second, against the library's own calls."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pyarrow as pa
import pyarrow.parquet as pq

import noiseless as nl
from benchmarks.measure import Row, shown
from noiseless.app.service.state import states_of
from noiseless.app.service.tokens import Tokens

SCHEMA = nl.Schema(age=nl.Integer(0, 1000), region=nl.Public("north", "south"))
NEW = "SELECT AVG(age) FROM people WHERE age > {}"
EACH, CLIENTS, WORKERS = 200, 4, 2
SERVICE = "\n[service]\nrate = 1000000\n"


def rows() -> list[Row]:
    found = list[Row]()
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder))
        with nl.Curator.open(file) as curator:
            library = {
                "preview": timed(lambda place: curator.preview(NEW.format(place), bits=3)),
                "new question": timed(lambda place: curator.ask(NEW.format(place), bits=3)),
                "repeat": timed(lambda place: curator.ask(NEW.format(place), bits=3)),
            }
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder))
        [(state, names)] = states_of([file])
        token, _ = Tokens(state).add("ada", "analyst", names)
        with serving(file) as url:
            for what, path, wanted in (
                ("preview", "preview", 300),
                ("new question", "ask", 150),
                ("repeat", "ask", 500),
            ):
                rate, middle, late = measured(url, token, path)
                base = statistics.median(library[what])
                found.append(
                    Row(
                        f"{what}s over HTTP, {CLIENTS} clients, {WORKERS} workers",
                        f"{rate:.0f} a second; p50 {shown(middle)}, p99 {shown(late)}",
                        f"{shown(base)} (the library's call, alone)",
                        f"{middle / base:.2g}×",
                        f"≥ {wanted} a second",
                    )
                )
    return found


def written(folder: Path) -> Path:
    """A small table with a large budget."""
    table = pa.table({"age": [7 * k % 1000 for k in range(10_000)], "region": ["north", "south"] * 5000})
    pq.write_table(table, folder / "people.parquet")
    file = folder / "people.toml"
    file.write_text(nl.Declaration(SCHEMA, "people.parquet", None, 9000).write() + SERVICE, encoding="utf-8")
    return file


def timed(work: Callable[[int], object]) -> list[float]:
    """The seconds of every call."""
    return [_seconds(lambda place=place: work(place)) for place in range(EACH)]  # type: ignore[misc]


def measured(url: str, token: str, path: str) -> tuple[float, float, float]:
    """Requests a second of all clients together, and the median and the 99th percentile of their seconds."""

    def client(number: int) -> list[float]:
        with httpx2.Client(headers={"Authorization": f"Bearer {token}"}, timeout=300) as http:

            def ask(place: int) -> None:
                sql = NEW.format(1 + (place * CLIENTS + number) % 990)
                response = http.post(f"{url}/datasets/people/{path}", json={"sql": sql, "bits": 3})
                assert response.status_code == 200, response.text

            return [_seconds(lambda place=place: ask(place)) for place in range(EACH)]  # type: ignore[misc]

    with ThreadPoolExecutor(CLIENTS) as pool:
        began = time.perf_counter()
        every = sorted(each for times in pool.map(client, range(CLIENTS)) for each in times)
        passed = time.perf_counter() - began
    return len(every) / passed, statistics.median(every), every[int(0.99 * len(every))]


@contextmanager
def serving(file: Path) -> Iterator[str]:
    """A server on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    code = "from noiseless.app.cli.main import app; app()"
    command = [sys.executable, "-c", code, "serve", str(file), "--port", str(port), "--workers", str(WORKERS)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ})
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                if httpx2.get(f"{url}/ready", timeout=60).status_code == 200:
                    break
            except httpx2.TransportError:
                assert server.poll() is None
                time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
