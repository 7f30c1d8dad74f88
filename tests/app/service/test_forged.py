"""A server that lies: it answers another question, truthfully and with the custodian's signature."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import contextmanager
from typing import Any

import pytest
from tests.app.service.small import COUNT, MEAN, listening, token, write
from tests.app.service.test_remote import QUESTIONS, serving

import noiseless as nl
from noiseless.app.remote.calls import Call
from noiseless.curator.certificate.keys import PrivateKey

NORTH, SOUTH = (f"{MEAN} WHERE region = '{name}'" for name in ("north", "south"))
INNER = "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people{})"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@contextmanager
def swapping(served, changes: dict[str, str]):
    """A client, and what happens to its questions on the way."""
    url, key, tokens = served
    with nl.connect(url, tokens["analyst"], key=key.public) as remote:
        sent = remote._http.request

        def swapped(method, path, json, headers):
            for name in ("sql", "questions"):
                if json is not None and name in json:
                    given = json[name]
                    found = [changes.get(each, each) for each in ([given] if name == "sql" else given)]
                    json = json | {name: found[0] if name == "sql" else found}
            return sent(method, path, json=json, headers=headers)

        remote._http.request = swapped
        yield remote


@pytest.mark.parametrize(
    ("asked", "answered", "terms"),
    [
        (NORTH, SOUTH, {"bits": 1}),
        (COUNT, COUNT.replace("yes", "no"), {}),
        (MEAN, "SELECT AVG(age) FROM people WHERE age >= 1", {"bits": 2}),
        ("SELECT MIN(age) AS a FROM people", "SELECT MAX(age) AS a FROM people", {"bits": 3}),
        (INNER.format(""), INNER.format(" WHERE region = 'south'"), {"error": 3}),
        (INNER.format(""), "SELECT COUNT(*) FROM people WHERE age > 50", {"error": 3}),
    ],
)
def test_an_answer_to_another_question_is_refused(served, asked, answered, terms):
    with (
        swapping(served, {asked: answered}) as remote,
        pytest.raises(nl.CertificateError, match="a question other than"),
    ):
        remote.ask(asked, **terms)


def test_so_are_batches_in_another_order_and_other_deductions(served):
    with swapping(served, {NORTH: SOUTH, SOUTH: NORTH}) as remote:
        with pytest.raises(nl.CertificateError, match="a question other than"):
            remote.batch([NORTH, SOUTH], bits=1)
        with pytest.raises(nl.CertificateError, match="a question other than"):
            remote.deduce(NORTH)
    unreadable = "SELECT RANDOM() FROM people"
    refused = pytest.raises(nl.CertificateError, match="cannot read the question")
    with swapping(served, {unreadable: MEAN}) as remote, refused:
        remote.ask(unreadable, bits=2)


def test_the_question_shown_is_the_one_that_is_proved(served):
    """Recalled answers come without a question from here, but name one."""
    url, key, tokens = served
    with nl.connect(url, tokens["analyst"], key=key.public) as remote:
        known = remote.ask("SELECT MAX(age) FROM people", bits=2)
        read = remote._calls._verified

        def renamed(plain, asked=()):
            return read({"Answer": plain["Answer"] | {"question": "SELECT MIN(age) FROM people"}}, asked)

        with pytest.raises(nl.CertificateError, match="a question other than"):
            remote._send(Call("GET", f"/datasets/people/questions/{known.entry}", renamed))


def test_questions_of_every_kind_are_recognised(served):
    url, key, tokens = served
    every: list[Any] = [
        *QUESTIONS,
        ("SELECT `smoker`, COUNT(*) AS `n` FROM people GROUP BY `smoker`", {"dialect": "spark"}),
        ("SELECT region, AVG(age) FROM people GROUP BY region HAVING AVG(age) > 10 ORDER BY 2 LIMIT 1", {"bits": 2}),
        ("WITH p AS (SELECT * FROM people WHERE age > 20) SELECT AVG(age) FROM p", {"bits": 2}),
        ("SELECT COUNT(*) FROM people WHERE age IN (SELECT MAX(age) FROM people GROUP BY region)", {"bits": 4}),
    ]
    with nl.connect(url, tokens["analyst"], key=key.public) as remote:
        for sql, terms in every:
            assert remote.ask(sql, **terms).rows
            if "(SELECT" not in sql:
                assert remote.deduce(sql, dialect=terms.get("dialect", "duckdb")).rows


def test_a_key_that_follows_is_trusted_while_a_client_is_connected(tmp_path):
    (tmp_path / "old").mkdir()
    old, file = PrivateKey.new(tmp_path / "old" / "key.pem"), write(tmp_path, budget=60)
    PrivateKey.new(tmp_path / "new.pem")
    shutil.copy(tmp_path / "old" / "key.pem", tmp_path / "now.pem")
    (tmp_path / "now.pem").chmod(0o600)
    text = token(file, "ada")["Authorization"].removeprefix("Bearer ")
    with listening(file, key=str(tmp_path / "now.pem")) as (host, port):
        remote = nl.connect(f"http://{host}:{port}", text, key=old.public)
        assert asyncio.run(connected(f"http://{host}:{port}", text, old.public))
        assert remote.ask(COUNT).rows
    with nl.Curator.open(file, key=tmp_path / "now.pem") as curator:
        curator.rotate_key(tmp_path / "new.pem")
    with listening(file, key=str(tmp_path / "new.pem")) as (host, port), remote:
        remote._http.base_url = f"http://{host}:{port}"
        assert remote.ask(COUNT).rows
        with nl.connect(f"http://{host}:{port}", text, key=PrivateKey.read(tmp_path / "new.pem").public) as later:
            assert later.ask(COUNT).rows


async def connected(url: str, text: str, key: str) -> bool:
    async with await nl.connect_async(url, text, key=key) as remote:
        return bool((await remote.ask(COUNT)).rows)
