"""The server on this machine: previews, new questions and repeats a second, against the library's own calls."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
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
    with tempfile.TemporaryDirectory() as folder, nl.Curator.open(written(Path(folder))) as curator:
        calls: dict[str, Callable[[str], object]] = {
            "preview": lambda sql: curator.preview(sql, bits=3),
            "new question": lambda sql: curator.ask(sql, bits=3),
            "repeat": lambda sql: curator.ask(sql, bits=3),
        }
        library = {what: alone(call) for what, call in calls.items()}
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder))
        [(state, names)] = states_of([file])
        token, _ = Tokens(state).add("ada", "analyst", names)
        with serving(file) as server:
            ways = (("preview", "preview", 300), ("new question", "ask", 150), ("repeat", "ask", 500))
            return [row for way in ways for row in compared_over_http(server, token, *way, library[way[0]])]


@dataclass(frozen=True)
class Alone:
    """Calls one after another: the median of their seconds, and the seconds of the processor for each."""

    middle: float
    processor: float


@dataclass(frozen=True)
class Server:
    """A server, and its processes."""

    port: int
    process: int

    def processor(self) -> float:
        """The seconds that its processes had the processor."""
        return sum(map(_processor, _family(self.process)))


def compared_over_http(server: Server, token: str, what: str, path: str, wanted: int, library: Alone) -> Iterator[Row]:
    """Many clients at once; then one of them alone, against the library's call."""
    before = server.processor()
    rate, middle, late = together(server, token, path)
    spent = (server.processor() - before) / (EACH * CLIENTS)
    yield Row(
        f"{what}s over HTTP, {CLIENTS} clients, {WORKERS} workers",
        f"{rate:.0f} a second; p50 {shown(middle)}, p99 {shown(late)}; processor {shown(spent)} each",
        f"processor {shown(library.processor)} (the library's call)",
        f"{spent / library.processor:.2g}×",
        f"≥ {wanted} a second",
    )
    first = 1 if what == "repeat" else 1 + EACH * CLIENTS
    lone = sorted(client(server, token, path, range(first, first + EACH // 4)))
    yield Row(
        f"a {what} over HTTP, one client",
        f"p50 {shown(statistics.median(lone))}, p99 {shown(lone[int(0.99 * len(lone))])}",
        f"p50 {shown(library.middle)} (the library's call)",
        f"{statistics.median(lone) / library.middle:.2g}×",
        "the server's overhead",
    )


def alone(call: Callable[[str], object]) -> Alone:
    """What a call of the library takes."""
    before = time.process_time()
    times = [_seconds(lambda place=place: call(NEW.format(place))) for place in range(EACH)]  # type: ignore[misc]
    return Alone(statistics.median(times), (time.process_time() - before) / EACH)


def together(server: Server, token: str, path: str) -> tuple[float, float, float]:
    """Requests a second of all clients together, and the median and the 99th percentile of their seconds."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        began = time.perf_counter()
        places = [range(1 + number, 1 + EACH * CLIENTS, CLIENTS) for number in range(CLIENTS)]
        every = sorted(
            each for times in pool.map(lambda own: client(server, token, path, own), places) for each in times
        )
        passed = time.perf_counter() - began
    return len(every) / passed, statistics.median(every), every[int(0.99 * len(every))]


def client(server: Server, token: str, path: str, places: Iterable[int]) -> list[float]:
    """The seconds of requests over one connection, by a client that takes little of the processor itself."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=300)) as http:

        def ask(place: int) -> None:
            body = json.dumps({"sql": NEW.format(place), "bits": 3})
            http.request("POST", f"/datasets/people/{path}", body, headers)
            response = http.getresponse()
            text = response.read()
            assert response.status == 200, text

        ask(999)  # connect
        return [_seconds(lambda place=place: ask(place)) for place in places]  # type: ignore[misc]


def written(folder: Path) -> Path:
    """A small table with a large budget."""
    table = pa.table({"age": [7 * k % 1000 for k in range(10_000)], "region": ["north", "south"] * 5000})
    pq.write_table(table, folder / "people.parquet")
    file = folder / "people.toml"
    file.write_text(nl.Declaration(SCHEMA, "people.parquet", None, 9000).write() + SERVICE, encoding="utf-8")
    return file


@contextmanager
def serving(file: Path) -> Iterator[Server]:
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
        yield Server(port, server.pid)
    finally:
        server.terminate()
        server.wait()


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _family(process: int) -> list[int]:
    """A process, and those that it started."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [process, *(each for child in listed for each in _family(int(child)))]


def _processor(process: int) -> float:
    own = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(own[11]) + int(own[12])) / os.sysconf("SC_CLK_TCK")
