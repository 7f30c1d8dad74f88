"""Servers that are killed in the middle of an answer: nothing is lost, refunded or charged twice, on any ledger.

NOISELESS_KILLS=200 kills more often than the suite does.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import httpx2
from tests.app.service.small import token, write
from tests.app.service.test_serve import free_port, is_ready, serving

import noiseless as nl
from noiseless.curator.ledger.verify import spending, verify_ledger

KILLS = int(os.environ.get("NOISELESS_KILLS", "5"))
AGES = 101


def one_bit(place: int) -> str:
    """One of 202 questions that cost one bit each, and reveal nothing about each other."""
    return f"SELECT COUNT(*) FROM people WHERE smoker = '{('yes', 'no')[place // AGES]}' AND age = {place % AGES}"


class Killable:
    """A server, and how to kill and start it."""

    def __init__(self, file) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "tests.app.service.killable", str(file), str(self.port)]
        self._parent = subprocess.Popen(
            command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.url, self._server = f"http://127.0.0.1:{self.port}", 0

    def start(self) -> None:
        self._parent.stdin.write("start\n")
        self._parent.stdin.flush()
        self._server = int(self._parent.stdout.readline())
        deadline = time.monotonic() + 120
        while not is_ready(self.url):
            assert time.monotonic() < deadline

    def kill(self) -> None:
        """Kill the server, and wait until it is gone and its port is free."""
        with suppress(ProcessLookupError):
            os.kill(self._server, signal.SIGKILL)
            while True:
                os.kill(self._server, 0)
                time.sleep(0.002)

    def close(self) -> None:
        self.kill()
        self._parent.kill()
        self._parent.communicate()


@contextmanager
def killable(file):
    server = Killable(file)
    try:
        server.start()
        yield server
    finally:
        server.close()


def ask(url: str, header: dict[str, str], sql: str, key: str) -> httpx2.Response | None:
    """The response, or None if the server died first."""
    with suppress(httpx2.TransportError), httpx2.Client(timeout=120) as client:
        headers = header | {"Idempotency-Key": key}
        return client.post(f"{url}/datasets/people/ask", json={"sql": sql}, headers=headers)
    return None


def test_a_server_that_is_killed_loses_and_refunds_nothing(tmp_path):
    """The server is killed at any moment of a question. Asked again with its key, it has one answer and one charge."""
    file = write(tmp_path, budget=KILLS + 1)
    header, choice = token(file, "ada"), random.Random(7)
    outcomes = {"before": 0, "after": 0}
    with killable(file) as server, ThreadPoolExecutor(1) as pool:
        known, usual = ask(server.url, header, one_bit(201), "first"), 0.05
        assert known.status_code == 200
        for place in range(KILLS):
            sql, key = one_bit(place), f"question-{place}"
            asked = pool.submit(ask, server.url, header, sql, key)
            time.sleep(choice.uniform(0, 1.5 * usual))
            server.kill()
            first = asked.result()
            server.start()
            began = time.monotonic()
            again = ask(server.url, header, sql, key)
            usual = (usual + time.monotonic() - began) / 2
            assert again.status_code == 200, again.text
            outcomes["before" if first is None else "after"] += 1
            if first is not None:
                assert first.json()["rows"] == again.json()["rows"]
                assert first.json()["certificate"] == again.json()["certificate"]
            conflict = ask(server.url, header, one_bit(place + 1), key)
            assert (conflict.status_code, conflict.json()["type"]) == (422, "/problems/idempotency-conflict")
            repeated = ask(server.url, header, sql, key)
            assert repeated.content == again.content
    print(outcomes)
    with nl.Curator.open(file, analyst="ada") as curator:
        entries = curator.entries()
        verify_ledger(entries)
        assert [each.factor for each in spending(entries)] == [2] * (KILLS + 1)
        assert curator.remaining == 0
        truth = known.json()["rows"]
        assert curator.recall(1).certificate.content["answer"] == truth


def many_clients(url: str, header: dict[str, str]) -> list[int]:
    """The statuses of sixteen clients who ask three different questions each, all at once."""

    def client(number: int) -> list[int]:
        return [ask(url, header, one_bit(3 * number + k), f"{number}-{k}").status_code for k in range(3)]

    with ThreadPoolExecutor(16) as pool:
        return [status for each in pool.map(client, range(16)) for status in each]


def exactly(file, budget: int) -> None:
    header = token(file, "ada")
    with serving(file, "--workers", 2) as (url, _):
        statuses = many_clients(url, header)
    assert (statuses.count(200), statuses.count(402)) == (budget, 48 - budget)
    with nl.Curator.open(file) as curator:
        assert curator.remaining == 0
        assert verify_ledger(curator.entries()) == 1 + 2 * budget


def test_sixteen_clients_on_two_workers_get_exactly_the_budget(tmp_path):
    exactly(write(tmp_path, budget=10, more="\n[service]\nrate = 100000\n"), 10)


def test_the_same_with_a_ledger_on_postgres(tmp_path, postgres):
    """Two separate servers, with one ledger and one list of tokens."""
    file = write(tmp_path, name="people", budget=9, more="\n[service]\nrate = 100000\n")
    file.write_text(f'ledger = "{postgres}"\n' + file.read_text())
    header = token(file, "ada")
    nl.Curator.open(file, new=True).close()
    with serving(file) as (one, _), serving(file) as (two, _), ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda url: many_clients(url, header), (one, two)))
    statuses = [status for each in found for status in each]
    assert statuses.count(200) in range(9, 19)  # the same question of two servers is charged once
    assert set(statuses) == {200, 402}
    with nl.Curator.open(file) as curator:
        assert curator.remaining == 0
        assert len(list(spending(curator.entries()))) == 9
        verify_ledger(curator.entries())


def test_a_hold_survives_a_kill(tmp_path):
    file = write(tmp_path, budget=8, more="\n[policy]\nhold_above = 0\n")
    header, custodian = token(file, "ada"), token(file, "bob", "custodian")
    with killable(file) as server:
        held = ask(server.url, header, one_bit(1), "a")
        assert (held.status_code, held.json()["type"]) == (409, "/problems/held")
        server.kill()
        server.start()
        number = ask(server.url, header, one_bit(1), "a").json()["hold"]
        assert number == held.json()["hold"]
        httpx2.post(f"{server.url}/datasets/people/decisions/{number}/approve", json={}, headers=custodian, timeout=60)
        assert ask(server.url, header, one_bit(1), "a").status_code == 200
