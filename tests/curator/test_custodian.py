"""What the custodian decides: holds, requests, a freeze, keys, an export. The laws of holds are in tests/laws."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta

import pytest
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.curator import asking
from noiseless.curator.certificate.exported import Export, read_export
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.ledger import decisions
from noiseless.curator.ledger.verify import spending, verify_ledger
from tests.curator.formats import make
from tests.curator.formats.test_old_formats import HERE

DEAR = ("SELECT AVG(age) FROM people", {"bits": 3})
CHEAP = "SELECT COUNT(*) FROM people WHERE age >= 40"
TOML = """
source = "people.csv"
budget = {budget}
[quotas]
ada = 5
"*" = 6
[policy]
hold_above = 2
hold_days = 7
[columns.age]
kind = "integer"
low = 0
high = 100
[columns.height]
kind = "integer"
low = 100
high = 200
[columns.region]
kind = "public"
keys = ["north", "south"]
"""


@pytest.fixture
def path(tmp_path):
    return written(tmp_path)


def written(folder, budget=10):
    rows = "".join(f"{20 + 7 * k % 60},{100 + 3 * k % 90},{('north', 'south')[k % 3 == 0]}\n" for k in range(90))
    (folder / "people.csv").write_text(f"age,height,region\n{rows}")
    (folder / "people.toml").write_text(TOML.format(budget=budget))
    return folder / "people.toml"


@pytest.fixture
def curator(path):
    with nl.Curator.open(path, analyst="ada") as opened:
        yield opened


def held(curator, question=DEAR, **more) -> int:
    with pytest.raises(nl.HeldError) as refused:
        curator.ask(question[0], **question[1], **more)
    return refused.value.hold


def test_a_question_waits_is_approved_and_is_asked(curator):
    number = held(curator)
    assert held(curator) == number  # the same question does not wait twice
    [hold] = curator.holds()
    assert (hold.analyst, hold.questions, hold.terms, hold.approved) == ("ada", (DEAR[0],), {"bits": "3"}, False)
    assert curator.remaining == 10 - hold.bits
    assert "1 on hold" in repr(curator.status())
    assert "waits for approval" in repr(hold)
    with pytest.raises(nl.QuestionError, match="not approved yet"):
        curator.collect(number)
    curator.approve(number, by="custodian")
    with pytest.raises(nl.QuestionError, match="approved already"):
        curator.approve(number)
    with pytest.raises(nl.QuestionError, match="somebody else's"):
        curator.collect(number, analyst="bob")
    assert curator.collect(number).factor == 2**hold.bits
    assert curator.remaining == 10 - hold.bits
    assert curator.ask(DEAR[0], bits=3).factor == 1
    assert curator.holds() == ()
    verify_ledger(curator.entries())
    assert [each.taken for each in spending(curator.entries())] == [hold.bits]


def test_it_can_be_refused_withdrawn_or_expire(curator, monkeypatch):
    curator.refuse(held(curator), "too early", by="custodian")
    assert curator.entries()[-1].body["reason"] == "too early"
    number = held(curator)
    with pytest.raises(nl.QuestionError, match="only its asker"):
        curator.withdraw(number, analyst="bob")
    curator.withdraw(number)
    assert curator.remaining == 10
    number = held(curator)
    assert decisions.expire(curator._account) == 0

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=8)

    monkeypatch.setattr(decisions, "datetime", Later)
    assert curator.holds() == ()
    assert (curator.entries()[-1].kind, curator.entries()[-1].body["hold"]) == ("expire", str(number))
    assert curator.remaining == 10
    for each in (curator.approve, curator.withdraw, curator.collect):
        with pytest.raises(nl.QuestionError, match="has ended"):
            each(number)
    with pytest.raises(nl.QuestionError, match="reason="):
        curator.refuse(number, " ")
    assert verify_ledger(curator.entries()) == 7


def test_what_has_expired_makes_room(curator, monkeypatch):
    number = held(curator, (DEAR[0], {"bits": 5}))
    large = ("SELECT AVG(height) FROM people", {"bits": 6})
    with pytest.raises(nl.BudgetExceededError, match="bits are left"):
        curator.ask(large[0], **large[1], analyst="bob")
    assert curator.holds()[0].number == number

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=8)

    monkeypatch.setattr(decisions, "datetime", Later)
    assert held(curator, large, analyst="bob") == number + 2
    assert [entry.kind for entry in curator.entries()] == ["open", "hold", "expire", "hold"]


def test_what_others_need_is_reserved(curator):
    number = held(curator, ("SELECT AVG(age) FROM people", {"bits": 4}))
    with pytest.raises(nl.BudgetExceededError):  # even for a hold there must be enough
        curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=7, analyst="bob")
    curator.withdraw(number)


def test_everything_that_is_charged_can_wait(curator):
    steps = "SELECT AVG(age) FROM people WHERE age >= 30"
    inner = "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)"
    for question in ((steps, {"error": 1}), (inner, {"error": {"AVG(age)": "0.1"}})):
        number = held(curator, question, analyst="bob")
        assert [entry.kind for entry in curator.entries()][-1] == "hold"
        curator.approve(number)
        answer = curator.collect(number, analyst="bob")
        assert answer.rows
        assert curator.holds() == ()
        verify_ledger(curator.entries())
        curator.grant(curator.request(10, "more", about="budget"))
        curator.grant(curator.request(10, "more", analyst="bob"))
    with pytest.raises(nl.HeldError) as together:
        curator.batch(["SELECT MIN(height) FROM people", "SELECT MAX(height) FROM people"], bits=2, analyst="bob")
    curator.approve(together.value.hold)
    assert len(curator.collect(together.value.hold, analyst="bob").answers) == 2
    coarse = curator.ask("SELECT SUM(height) FROM people WHERE region = 'south'", bits=2, analyst="bob")
    with pytest.raises(nl.HeldError) as finer:
        curator.refine(coarse, error=1, analyst="bob")
    curator.approve(finer.value.hold)
    found = curator.collect(finer.value.hold, analyst="bob").rows[0]
    assert found.upper - found.lower <= 2
    verify_ledger(curator.entries())


def test_nobody_fills_the_ledger_with_requests(curator):
    numbers = [curator.request(1, "more") for _ in range(decisions.MOST_OPEN)]
    with pytest.raises(nl.QuestionError, match="not decided yet"):
        curator.request(1, "and more")
    curator.withdraw(numbers[0])
    assert curator.request(1, "instead") > numbers[-1]
    assert curator.request(1, "somebody else's", analyst="bob") > 0


def test_the_refinement_of_one_of_a_batch_is_collected_for_that_one(path):
    """Not for the first of the batch, which nobody wanted finer and nobody approved."""
    path.write_text(TOML.format(budget=30).replace("= 5", "= 20"))
    with nl.Curator.open(path, analyst="ada") as curator:
        texts = [f"SELECT AVG(height) FROM people WHERE region = '{name}'" for name in ("north", "south")]
        batch = curator.batch(texts, bits=1)
        with pytest.raises(nl.HeldError) as held:
            curator.refine(batch[1], error="0.01")
        curator.approve(held.value.hold)
        assert curator.collect(held.value.hold).question == texts[1]
        assert curator.holds() == ()
        verify_ledger(curator.entries())


def test_what_became_cheap_is_asked_without_approval(curator):
    held(curator)
    with nl.Curator.open(curator._dataset.snapshot and written_again(curator), analyst="bob") as other:
        number = held(other)
        other.approve(number)
        other.collect(number)
    assert curator.ask(DEAR[0], bits=3).factor == 1
    assert len(curator.holds()) == 1  # it still waits, until it is withdrawn or expires


def written_again(curator):
    return curator._account._journal._place._path.replace("people.ledger.sqlite", "people.toml")


def test_a_process_that_dies_after_the_charge_gets_nothing_back(path, monkeypatch):
    with nl.Curator.open(path, analyst="ada") as curator:
        number = held(curator)
        curator.approve(number)
        monkeypatch.setattr(asking, "execute", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            curator.collect(number)
        left = curator.remaining
        for end in (curator.withdraw, lambda each: curator.refuse(each, "no")):
            with pytest.raises(nl.QuestionError):
                end(number)
    monkeypatch.undo()
    with nl.Curator.open(path, analyst="ada") as curator:
        assert curator.collect(number).factor == 1
        assert curator.remaining == left


def test_a_frozen_dataset_answers_what_is_free(curator):
    curator.ask(CHEAP)
    number = held(curator)
    curator.approve(number)
    curator.freeze("an audit", by="custodian")
    assert "frozen" in repr(curator.status())
    assert curator.ask(CHEAP).factor == 1
    assert curator.preview("SELECT COUNT(*) FROM people WHERE age >= 41").affordable
    for text, terms in (
        (DEAR),
        ("SELECT COUNT(*) FROM people WHERE age >= 41", {}),
        ("SELECT MAX(age) FROM people", {"bits": 4}),
    ):
        with pytest.raises(nl.FrozenError, match="nothing was charged"):
            curator.ask(text, **terms)
    with pytest.raises(nl.QuestionError, match="frozen already"):
        curator.freeze("twice")
    curator.unfreeze()
    with pytest.raises(nl.QuestionError, match="not frozen"):
        curator.unfreeze()
    assert curator.collect(number).rows
    verify_ledger(curator.entries())


def test_requests_raise_a_quota_or_the_budget(path):
    with nl.Curator.open(path, analyst="ada") as curator:
        for text in (f"SELECT COUNT(*) FROM people WHERE age > {age}" for age in (25, 31, 37, 43, 49)):
            curator.ask(text)
        with pytest.raises(nl.BudgetExceededError, match="quota"):
            curator.ask(CHEAP)
        first, second = curator.request(1, "one more"), curator.request(3, "for all", about="budget")
        assert [each.bits for each in curator.requests()] == ["1", "3"]
        curator.grant(first, by="custodian")
        curator.ask(CHEAP)
        with pytest.raises(nl.BudgetExceededError, match="quota"):
            curator.ask("SELECT COUNT(*) FROM people WHERE age > 55")
        left = curator.remaining
        curator.grant(second, bits=2)
        assert curator.remaining == left + 2
        for wrong in (
            lambda: curator.request(0, "x"),
            lambda: curator.grant(curator.request(9999, "x", about="budget")),
        ):
            with pytest.raises(nl.BudgetError):
                wrong()
        for wrong in (lambda: curator.request(1, "x", about="y"), lambda: curator.grant(first)):
            with pytest.raises(nl.QuestionError):
                wrong()
        curator.refuse(curator.requests()[0].number, "too much")
        assert curator.requests() == ()
    with nl.Curator.open(path) as curator:  # the declared budget is still the first one
        assert curator.remaining == left + 2
        assert verify_ledger(curator.entries()) == len(curator.entries())
    with nl.Curator.open(written(path.parent, budget=12)) as curator:  # and may now be declared
        assert curator.remaining == left + 2
    with pytest.raises(nl.SnapshotError, match="larger than the 12 bits"):
        nl.Curator.open(written(path.parent, budget=13))
    with nl.Curator.open(written(path.parent, budget=9)) as curator:  # or lowered
        assert curator.remaining == left - 1
        assert verify_ledger(curator.entries()) == len(curator.entries())


def test_a_grant_to_somebody_who_shares_a_quota(curator):
    assert curator.ask(CHEAP, analyst="bob").factor == 2
    curator.grant(curator.request(2, "a thesis", analyst="bob"))
    quotas = {each.name: each.left for each in curator.status().quotas}
    assert (quotas["all others"], quotas["bob"]) == (6, 1)  # what bob spent is what was granted


def test_processes_agree_on_holds(path):
    with ExitStack() as stack:
        many = [stack.enter_context(nl.Curator.open(path, analyst=f"a{k}")) for k in range(4)]

        def hold(curator):
            with suppress(nl.BudgetExceededError):
                return held(curator)

        with ThreadPoolExecutor(4) as pool:
            numbers = {number for number in pool.map(hold, many) if number}
        assert len(numbers) == 2  # the 6 bits that they share are enough for two of them
        assert {each.number for each in many[0].holds()} == numbers
        verify_ledger(many[0].entries())


def test_a_ledger_of_an_earlier_version_gets_holds(tmp_path):
    toml = make.restore("people", HERE / "10", tmp_path)
    toml.write_text(toml.read_text().replace("[columns", "[policy]\nhold_above = 1\n[columns", 1))
    with nl.Curator.open(toml, analyst="Zoë") as curator:
        before = curator.remaining
        held(curator, ("SELECT SUM(age) FROM people", {"error": 9}))
        assert [entry.kind for entry in curator.entries()][-2:] == ["change", "hold"]
        assert curator.entries()[-2].body["format"] == "5"
        assert curator.remaining < before
        verify_ledger(curator.entries())


def test_a_rotation_is_signed_by_both_keys_and_an_export_is_verified(path, tmp_path):
    old, new = (PrivateKey.new(tmp_path / name) for name in ("old.pem", "new.pem"))
    with nl.Curator.open(path, key=tmp_path / "old.pem", analyst="ada") as curator:
        first = curator.ask(CHEAP)
        curator.rotate_key(tmp_path / "new.pem")
        curator.rotate_key(tmp_path / "new.pem")  # twice is once
        with pytest.raises(nl.KeyFileError, match="signs now"):
            curator.rotate_key(tmp_path / "old.pem")
        rotations = curator.rotations()
    with nl.Curator.open(path, key=tmp_path / "new.pem", analyst="ada") as curator:
        second = curator.ask("SELECT COUNT(*) FROM people WHERE age >= 50").certificate
        export = curator.export(tmp_path / "all.jsonl")
    assert nl.verify(second, old.public, rotations=rotations).trusted
    assert nl.verify(first.certificate, old.public).trusted
    for certificate, key, told in ((second, old, ()), (first.certificate, new, rotations)):
        with pytest.raises(nl.CertificateError, match="another key"):
            nl.verify(certificate, key.public, rotations=told)
    forged = [{**rotations[0], "new": PrivateKey.new(tmp_path / "eve.pem").public}]
    with pytest.raises(nl.CertificateError, match="not signed by both"):
        nl.verify(second, old.public, rotations=forged)
    found = read_export(tmp_path / "all.jsonl")
    assert found == export
    assert found.verify(old.public) == len(export.entries) == 6
    assert len(found.certificates) == 2
    cut = Export(found.dataset, found.entries[:-1], found.certificates[:1], (), found.key, found.signature)
    for wrong, says in (
        (cut, "not the one that was signed"),
        (Export(found.dataset, found.entries[1:], (), ()), "another dataset"),
        (Export(found.dataset, found.entries[:4], found.certificates), "not of this ledger"),
    ):
        with pytest.raises(nl.NoiselessError, match=says):
            wrong.verify()
    with pytest.raises(nl.CertificateError, match="another key"):
        found.verify(PrivateKey.new(tmp_path / "other.pem").public)
    with pytest.raises(nl.CertificateError, match="not an export"):
        Export.read(["{}"])


def test_the_command_line(path, tmp_path, monkeypatch):
    monkeypatch.setenv("NOISELESS_KEY", str(tmp_path / "key.pem"))
    run = CliRunner()

    def said(*words: str, code: int = 0) -> str:
        found = run.invoke(app, list(words))
        assert found.exit_code == code, found.output
        return found.output

    schema, user = str(path), ("--analyst", "bob")
    pinned = said("keys", "new").split()[0]
    assert "hold 1" in said("ask", schema, DEAR[0], "--bits", "3", *user, code=3)
    assert "Hold 1 by bob" in said("custody", "list", schema)
    said("custody", "approve", schema, "1")
    assert "AVG(age)" in said("custody", "collect", schema, "1", *user)
    assert "request 5" in said("custody", "request", schema, "2", "more", "--budget", *user)
    said("custody", "grant", schema, "5", "--bits", "1")
    said("ask", schema, "SELECT AVG(height) FROM people", "--bits", "3", *user, code=3)
    said("custody", "refuse", schema, "7", "no")
    said("ask", schema, "SELECT AVG(height) FROM people", "--bits", "3", *user, code=3)
    said("custody", "withdraw", schema, "9", *user)
    assert "nothing is waiting" in said("custody", "list", schema)
    said("custody", "freeze", schema, "an audit")
    assert '"frozen": true' in said("custody", "list", schema, "--json")
    assert "frozen" in said("ask", schema, CHEAP, *user, code=3)
    said("custody", "unfreeze", schema)
    assert said("keys", "rotate", schema).strip() != pinned
    answer, export = str(tmp_path / "answer.json"), str(tmp_path / "all.jsonl")
    said("ask", schema, CHEAP, "--certificate", answer, *user)
    said("export", schema, export)
    assert '"entries": 16' in said("verify", export, "--key", pinned, "--json")
    said("verify", answer, "--key", pinned, code=4)
    assert "correct" in said("verify", answer, "--key", pinned, "--ledger", export)
    assert "not a view" in said("custody", "list", schema, "--view", "homes", code=1)


def test_a_rotation_that_was_interrupted_goes_on(tmp_path):
    key = tmp_path / "key.pem"
    old = PrivateKey.new(key)
    with pytest.raises(ZeroDivisionError):
        PrivateKey.rotate(key, lambda _: 1 / 0)
    assert PrivateKey.read(key).public == old.public
    told = []
    new = PrivateKey.rotate(key, lambda file: told.append(PrivateKey.read(file).public))
    assert told == [new.public]
    key.rename(tmp_path / "key.next.pem")  # it died before the last step
    assert PrivateKey.rotate(key).public == new.public
