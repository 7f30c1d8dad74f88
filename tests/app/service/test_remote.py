"""`nl.connect`: what a client gets is what the curator of the server says, bit for bit, and is verified."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from tests.app.service.small import COUNT, MEAN, listening, token, write

import noiseless as nl
from noiseless.app.carried import carried, uncarried
from noiseless.app.remote import connect as connecting
from noiseless.curator.certificate.keys import PrivateKey

QUESTIONS = [
    (MEAN, {"error": 1}),
    (MEAN, {"bits": "1/2"}),
    ("SELECT region, AVG(age) AS mean, COUNT(*) FROM people GROUP BY region", {"error": Fraction(1, 2)}),
    ("SELECT smoker, COUNT(*) FROM people GROUP BY smoker", {}),
    ("SELECT AVG(age) FROM people WHERE smoker = 'yes'", {"bits": {"AVG(age)": 6}}),
    ("SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)", {"error": 3}),
    ("SELECT CASE WHEN COUNT(*) > 28 THEN 'many' ELSE 'few' END AS n FROM people WHERE smoker = 'yes'", {"error": 1}),
]
LOCAL = ("widths", "promise", "certify", "note", "advise", "deduce")


@contextmanager
def serving(folder, more=""):
    """A server: its address, its key, and the text of a token for each role."""
    key = PrivateKey.new(folder / "key.pem")
    file = write(folder, more=more, budget=60)
    tokens = {
        role: token(file, f"the {role}", role)["Authorization"].removeprefix("Bearer ")
        for role in ("analyst", "custodian")
    }
    with listening(file, key=str(folder / "key.pem"), rate=10_000) as (host, port):
        yield f"http://{host}:{port}", key, tokens


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


def same(found, wanted) -> bool:
    """Equal but for what differs between two ledgers: the certificate's numbers and hashes."""
    plain = [
        {name: carried(getattr(each, name)) for name in (*each.__slots__, "guarantee") if name not in LOCAL}
        for each in (found, wanted)
    ]
    return plain[0] == plain[1]


def test_a_client_gets_what_a_curator_says(served, tmp_path):
    url, key, tokens = served
    local = nl.Curator.open(write(tmp_path, budget=60), analyst="the analyst")
    with local, nl.connect(url, tokens["analyst"], key=key.public) as remote:
        assert remote.name == "people"
        assert repr(remote.schema) == repr(local.schema)
        assert remote.public() == local.public()
        for sql, terms in QUESTIONS:
            price, wanted = remote.preview(sql, **terms), local.preview(sql, **terms)
            assert same(price, wanted)
            answer, known = remote.ask(sql, **terms), local.ask(sql, **terms)
            assert same(replace(answer, before=()), replace(known, before=()))
            assert repr(answer) == repr(known)
            assert answer.to_arrow().equals(known.to_arrow())
            assert answer.certificate.content["answer"] == known.certificate.content["answer"]
            assert nl.verify(answer.certificate, key.public).trusted
            if answer.entry:  # otherwise it follows from earlier ones
                assert same(remote.recall(answer.entry), local.recall(known.entry))
        together = ["SELECT MIN(age) FROM people", "SELECT AVG(age) FROM people WHERE region = 'south'"]
        assert repr(remote.preview_batch(together, bits=1)) == repr(local.preview_batch(together, bits=1))
        both = remote.batch(together, bits=1), local.batch(together, bits=1)
        assert repr(both[0]) == repr(both[1])
        assert repr(remote.refine(both[0][1], error=2)) == repr(local.refine(both[1][1], error=2))
        assert (remote.remaining, remote.status().questions) == (local.remaining, local.status().questions)


@pytest.fixture
def guarded(tmp_path):
    with serving(tmp_path, "[policy]\nhold_above = 4\n") as found:
        yield found


def test_custody_over_http(guarded):
    url, key, tokens = guarded
    dear = ("SELECT MEDIAN(age) FROM people", {"bits": 5})
    with nl.connect(url, tokens["analyst"], key=key.public) as ada, nl.connect(url, tokens["custodian"]) as custodian:
        with pytest.raises(nl.HeldError) as held:
            ada.ask(dear[0], **dear[1])
        number = held.value.hold
        [hold] = custodian.holds()
        assert (hold, hold.number, hold.questions) == (ada.holds()[0], number, (dear[0],))
        with pytest.raises(nl.ServiceError, match="may not do this"):
            ada.approve(number)
        custodian.approve(number)
        assert ada.collect(number).rows
        wish = ada.request(3, "a thesis", about="budget")
        left = ada.remaining
        assert [each.number for each in custodian.requests()] == [wish]
        custodian.grant(wish, bits=2)
        assert ada.remaining == left + 2
        custodian.freeze("an audit")
        with pytest.raises(nl.FrozenError):
            ada.ask("SELECT COUNT(*) FROM people WHERE age > 51")
        assert ada.status().frozen
        custodian.unfreeze()
        with pytest.raises(nl.HeldError) as held:
            ada.ask("SELECT MEDIAN(age) FROM people WHERE region = 'north'", bits=5)
        ada.withdraw(held.value.hold)
        with pytest.raises(nl.QuestionError, match="has ended"):
            custodian.refuse(held.value.hold, "too late")


def test_asynchronously(served):
    url, key, tokens = served

    async def asked():
        async with await nl.connect_async(url, tokens["analyst"], key=key.public) as remote:
            answers = await asyncio.gather(*(remote.ask(COUNT) for _ in range(4)))
            with pytest.raises(nl.QuestionError):
                await remote.ask("SELECT age FROM people")
            return answers, await remote.remaining(), await remote.preview(MEAN, error=2)

    answers, left, price = asyncio.run(asked())
    assert len({repr(each.rows) for each in answers}) == 1
    assert left > 0
    assert price.affordable


def test_a_wrong_certificate_is_refused(served, monkeypatch, tmp_path):
    url, key, tokens = served
    other = PrivateKey.new(tmp_path / "other.pem")
    with nl.connect(url, tokens["analyst"], key=other.public) as remote, pytest.raises(nl.CertificateError):
        remote.ask(COUNT)
    (tmp_path / "key.pub").write_text(f"{key.public} of the custodian")
    with nl.connect(url, tokens["analyst"], key=tmp_path / "key.pub") as remote:
        answer = remote.ask(COUNT)

        def lying(changed):
            plain = carried(changed)
            return lambda given: remote._calls._verified(plain)

        one: Any = answer.rows[0]["COUNT(*)"]
        row = replace(answer.rows[0], fields={"COUNT(*)": replace(one, value=one.value + 1)})
        for changed in (
            replace(answer, rows=(row,)),
            replace(answer, promise=lambda: replace(answer.guarantee, count=99)),
            replace(answer, certify=lambda: replace(answer.certificate, signature="00" * 64)),
            replace(
                answer, certify=lambda: replace(answer.certificate, content=answer.certificate.content | {"rows": "9"})
            ),
        ):
            with pytest.raises(nl.CertificateError):
                lying(changed)(None)


def test_refusals_and_wrong_addresses(served, monkeypatch):
    url, _, tokens = served
    monkeypatch.setattr(connecting, "PAUSES", (0.0,))
    for wrong, says in (
        (("http://data.example", "t"), "https"),
        (("http://127.0.0.1:1", "t"), "cannot be reached"),
        ((url, "t"), "no valid token"),
        ((url, tokens["analyst"], "others"), "not one of people"),
        ((url, tokens["analyst"], None, "no key"), "neither a public key"),
    ):
        with pytest.raises(nl.NoiselessError, match=says):
            nl.connect(*wrong)
    with nl.connect(url, tokens["analyst"]) as remote:
        with pytest.raises(nl.BudgetError, match="needs bits="):
            remote.ask(MEAN)
        with pytest.raises(nl.BudgetExceededError):
            remote.ask("SELECT SUM(age) FROM people WHERE region = 'south'", error=1, max_bits="0.001")


@pytest.mark.parametrize("said", [None, 5, "x", [], {}, [5], ["x"], [{}], [{"name": "people"}], {"name": 5}])
def test_a_server_that_says_something_else_is_refused_in_our_words(served, said):
    """Whatever it says in place of any response, the error is one of ours."""
    url, _, tokens = served
    with nl.connect(url, tokens["analyst"]) as remote:
        calls = remote._calls
        every: tuple[Any, ...] = (
            calls.ask(MEAN, error=9),
            calls.batch([MEAN], error=9),
            calls.status(),
            calls.holds(),
            calls.toml(),
        )
        for call in (*every, calls.requests(), calls.snapshot(), connecting.LISTED):
            response = SimpleNamespace(status_code=200, content=b"x", json=lambda: said)
            with suppress(nl.NoiselessError):
                connecting.read(call, response)


def test_only_known_classes_are_carried():
    assert uncarried(json.loads(json.dumps(carried({"a": (1, Fraction(1, 3), 0.1, None, [True])})))) == {
        "a": (1, Fraction(1, 3), 0.1, None, [True])
    }
    with pytest.raises(TypeError):
        carried({1, 2})
    for wrong in ({"Popen": {"args": "ls"}}, {"int": "x"}, {}, 3, {"Answer": {}}):
        with pytest.raises(nl.CertificateError, match="not an answer"):
            uncarried(wrong)
