"""What is too large, too slow or too much is refused, and costs nothing."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from threading import Event

import pytest
import uvicorn
from tests.app.service.small import MEAN, listening, running, serving, token, write

from noiseless.app.service import heads
from noiseless.app.service.deadline import Deadline, Late
from noiseless.app.service.lane import Lane
from noiseless.app.service.pace import wait
from noiseless.app.service.problems import Problem
from noiseless.app.service.rate import Rate
from noiseless.app.service.turns import Turns, calls
from noiseless.curator.ledger.before_reading import planning_ends
from noiseless.errors import TimeLimitError


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served")), largest_body=2000) as found:
        yield found


def kind(response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["type"]


def test_a_large_body_is_refused_whether_it_says_so_or_not(served):
    header = served.tokens["analyst"] | {"Content-Type": "application/json"}
    large = json.dumps({"sql": MEAN + " " * 3000}).encode()
    whole = served.client.post("/datasets/people/ask", content=large, headers=header)
    parts = served.client.post("/datasets/people/ask", content=iter([large[:1500], large[1500:]]), headers=header)
    assert kind(whole) == kind(parts) == (413, "/problems/too-large")
    small = json.dumps({"sql": MEAN, "error": 5}).encode()
    assert served.client.post("/datasets/people/ask", content=iter([small[:9], small[9:]]), headers=header).is_success


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"sql": 1}', b'{"sql": "SELECT 1", "more": 1}', b"[" * 1500]
)
def test_a_malformed_body_is_refused_and_not_repeated(served, body):
    header = served.tokens["analyst"] | {"Content-Type": "application/json"}
    refused = served.client.post("/datasets/people/ask", content=body, headers=header)
    assert kind(refused) in ((422, "/problems/malformed"), (400, "/problems/malformed"))
    assert "more" not in refused.json()["rule"] or b"more" in body


def test_amounts_that_are_not_numbers_are_refused(served):
    for amount in ("much", "nan", -1, {"AVG(age)": "x"}, "1e9999", True, {"AVG(age)": True}):
        assert kind(served.ask(MEAN, error=amount))[0] == 422
    assert (
        served.client.post(
            "/datasets/people/ask",
            content=b'{"sql": "SELECT AVG(age) FROM people", "error": NaN}',
            headers=served.tokens["analyst"] | {"Content-Type": "application/json"},
        ).status_code
        == 422
    )


def test_a_caller_who_calls_too_often_must_wait(tmp_path):
    with running(write(tmp_path), rate=2) as served:
        found = [served.get("/datasets/people").status_code for _ in range(6)]
        assert (found[0], found[-1]) == (200, 429)
        late = served.get("/datasets/people")
        assert (kind(late), late.headers["retry-after"]) == ((429, "/problems/too-many-requests"), "1")
        assert served.get("/datasets/people", "custodian").status_code == 200
        assert [served.client.get("/datasets").status_code for _ in range(5)].count(429) >= 1


def test_the_callers_who_are_remembered_are_bounded():
    rate = Rate(1)
    for caller in range(10_010):
        rate.take(str(caller))
    assert len(rate._left) == 10_000


def answer_to(address: tuple[str, int], sent: bytes) -> bytes:
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(sent)
        found = b""
        while piece := connection.recv(65536):
            found += piece
        return found


def test_a_slow_client_is_told_so_and_holds_up_nobody(tmp_path):
    file = write(tmp_path)
    header = token(file, "ada")["Authorization"]
    with listening(file, patience="500ms") as address:
        head = f"POST /datasets/people/ask HTTP/1.1\r\nHost: x\r\nAuthorization: {header}\r\n"
        with socket.create_connection(address) as never_ends:
            never_ends.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            quick = f"GET /datasets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {header}\r\n\r\n"
            assert answer_to(address, quick.encode()).startswith(b"HTTP/1.1 200")
            never_ends.settimeout(20)
            assert never_ends.recv(65536).startswith(b"HTTP/1.1 408")
        assert answer_to(address, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400")


def test_a_body_with_two_ends_is_refused(tmp_path):
    """A proxy that believes the other one would take the rest for the next request, of somebody else."""
    with listening(write(tmp_path)) as address:
        head = b"POST /verify HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        answer = answer_to(address, head + b"0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_head_that_never_ends_is_not_waited_for(tmp_path, monkeypatch):
    """Neither the first of a connection nor a later one. What takes long to answer is waited for."""
    monkeypatch.setattr(heads, "PATIENCE", 0.6)
    file = write(tmp_path)
    header = token(file, "ada")["Authorization"]
    with listening(file, answer_every="1500ms") as address:
        assert answer_to(address, b"") == b""  # the server closes the connection
        assert answer_to(address, b"GET /health HTTP/1.1\r\nHost:") == b""
        with socket.create_connection(address, timeout=20) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
            connection.sendall(b"GET /he")
            while rest := connection.recv(65536):
                assert not rest.startswith(b"HTTP/1.1")
        slow = f"GET /datasets/people HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {header}\r\n\r\n"
        assert answer_to(address, slow.encode()).startswith(b"HTTP/1.1 200")


def test_what_is_sent_leaves_at_once_whoever_made_the_socket():
    """Worker processes share a socket that does not name its protocol, for which asyncio leaves the delay."""
    found = []

    class Noted(heads.Punctual):
        def connection_made(self, transport):
            super().connection_made(transport)
            shared = transport.get_extra_info("socket")
            found.append((shared.proto, shared.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=Noted, log_config=None, access_log=False, lifespan="off")
    with serving(config, [listener]) as address:
        assert answer_to(address, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 204")
    assert found == [(0, 1)]


def test_planning_is_interrupted_and_reading_is_not():
    def plans_for_ever() -> None:
        while True:
            pass

    def plans() -> None:
        for _ in range(5):
            deadline.check()
            sum(range(1000))

    def reads() -> str:
        planning_ends()
        plans()
        return "answered"

    async def tried() -> None:
        lane = Lane("tried", 0.1, 2)
        with pytest.raises(TimeLimitError, match=r"more than 0.1 seconds to plan; nothing was charged"):
            await lane.run(plans_for_ever)
        assert await lane.run(lambda: 7) == 7  # the thread goes on
        await lane.close()

    asyncio.run(tried())
    deadline = Deadline(0.0)
    assert deadline.run(reads) == "answered"
    with pytest.raises(TimeLimitError):  # the same work would have been interrupted while it planned
        deadline.run(plans)
    assert not issubclass(Late, Exception)  # so that nothing that plans can catch it


TRACED = """
import sys
from noiseless.app.service.deadline import Deadline, Late
from noiseless.errors import TimeLimitError

in_time, late = Deadline(60), Deadline(0)
assert in_time.run(lambda: 7) == 7

def plans():
    late.check()
    sum(range(1000))

try:
    late.run(plans)
except TimeLimitError:
    print("late")
sys.settrace(lambda *given: None)
(lambda: None)()
"""


def test_python_looks_for_no_interruption_after_it_was_taken_back():
    """A flag that is left set slows the whole process down, and a traced call of CPython 3.11 never ends."""
    done = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "late\n"


def test_those_who_would_wait_too_long_are_refused_at_once():
    held = Event()

    async def tried() -> None:
        lane = Lane("tried", 60.0, 2)
        waiting = [asyncio.create_task(lane.run(held.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="more than 2 requests wait"):
            await lane.run(held.wait)
        held.set()
        assert await asyncio.gather(*waiting) == [True, True]
        await lane.close()

    asyncio.run(tried())


def test_nobody_waits_for_all_that_somebody_else_sent():
    """One piece of work of every other caller goes first, and one caller cannot fill the whole queue."""
    held, done = Event(), list[str]()

    async def sent(lane: Lane, name: str, work: Callable[[], object]) -> None:
        calls(name)

        def noted() -> None:
            work()
            done.append(name)

        await lane.run(noted)

    async def tried() -> None:
        lane = Lane("tried", 60.0, 8)
        tasks = [asyncio.create_task(sent(lane, "ada", held.wait)) for _ in range(8)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="more than 8"):
            await sent(lane, "bob", held.wait)
        tasks[7].cancel()
        await asyncio.wait([tasks[7]])
        tasks.pop()
        held.set()
        await asyncio.gather(*tasks)
        held.clear()
        tasks = [asyncio.create_task(sent(lane, "ada", held.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(sent(lane, name, held.wait)) for name in ("bob", "bob", "eve")]
        await asyncio.sleep(0)
        done.clear()
        held.set()
        await asyncio.gather(*tasks)
        await lane.close()

    asyncio.run(tried())
    assert done == ["ada", "ada", "ada", "bob", "eve", "ada", "bob", "ada"]


def test_one_caller_leaves_room_for_others():
    async def tried() -> None:
        turns = Turns(16)
        calls("ada")
        taken = [asyncio.create_task(turns.take()) for _ in range(14)]
        await asyncio.sleep(0)
        assert turns.full
        calls("bob")
        assert not turns.full
        for _ in taken:
            turns.give_back()
        await asyncio.gather(*taken)
        assert turns._taken == 0

    asyncio.run(tried())


def test_answers_leave_at_multiples_of_the_interval(tmp_path):
    assert [wait(each, 0.25) for each in (0.0, 0.125, 0.25, 0.375)] == [0.25, 0.125, 0.0, 0.125]
    with running(write(tmp_path), answer_every="300ms") as served:
        assert served.ask(MEAN, error=5).elapsed.total_seconds() >= 0.3
        assert served.ask("SELECT", error=5).elapsed.total_seconds() >= 0.3
        assert served.get("/datasets/people/public").elapsed.total_seconds() >= 0.3
