"""Questions charged by the answer, on the command line: the prices before, and what it was afterwards."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.app import running

import noiseless as nl
from noiseless.app.purchases import by_the_answer, by_the_answer_table
from noiseless.app.worth import worth
from noiseless.curator.answer.drawn import text_of
from noiseless.curator.ledger.verify import spending
from noiseless.exact.rounding import significant

MEAN = "SELECT AVG(age) FROM people"
NORTH = f"{MEAN} WHERE region = 'north'"
TABLE = pa.table({"age": [20 + 7 * k % 60 for k in range(200)], "region": ["north", "south"] * 100})
SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"))
# error=2: wide bins of 800 with guards of 100, and the sum of all ages is in a guard
# error=4: wide bins of 1600 with guards of 100, and it is in a wide bin


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOISELESS_KEY", str(tmp_path / "keys" / "key.pem"))
    pq.write_table(TABLE, tmp_path / "people.parquet")
    (tmp_path / "people.toml").write_text(nl.Declaration(SCHEMA, "people.parquet", None, 8).write())
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    done = running.run(*arguments)
    out, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, out + errors
    return " ".join((out if code == 0 else errors).split())


def test_the_prices_before_and_the_charge_afterwards(folder):
    shown = run("preview", "people.toml", MEAN, "--error", "2")
    assert "would be charged 0.17 bits if quiet, or 3.17 bits if loud (chance 11 %; this must be left)" in shown
    priced = json.loads(run("preview", "people.toml", MEAN, "--error", "2", "--json"))
    assert {name: priced[name] for name in ("factor", "dearest", "chance")} == {
        "factor": "9/8",
        "dearest": "9",
        "chance": "1/9",
    }
    assert 3.169 < priced["must_be_left"] < 3.17
    quiet = json.loads(run("ask", "people.toml", MEAN, "--error", "4", "--json"))
    assert (quiet["factor"], quiet["outcome"]) == ("17/16", "quiet")
    north = run("ask", "people.toml", NORTH, "--bits", "0.2")
    assert re.search(r"charged 0\.1\d+ bits to north for a quiet answer, which took 0\.1\d+ bits from", north)
    finer = json.loads(run("refine", "people.toml", "1", "--error", "0.5", "--json"))
    assert (finer["outcome"], int(finer["factor"]) > 1) == (None, True)
    ledger = run("ledger", "people.toml")
    assert re.search(r"SELECT │ 0\.088 │ everybody", ledger)
    assert ledger.count("quiet") == 2


def test_a_loud_answer_and_the_most_it_may_cost(folder):
    assert "may cost 1 bit, more than --max-bits 0.5" in run(
        "ask", "people.toml", MEAN, "--error", "2", "--max-bits", "0.5", code=3
    )
    assert "below one bit, and only sums" in run(
        "ask", "people.toml", "SELECT MEDIAN(age) FROM people", "--bits", "0.1", code=1
    )
    loud = run("ask", "people.toml", MEAN, "--error", "2", "--max-bits", "3")
    assert "charged 3 bits for a loud answer; 5 bits left" in loud
    assert re.search(r"3 │ everybody", ledger := run("ledger", "people.toml"))
    assert "loud" in ledger
    batch = json.loads(run("batch", "people.toml", NORTH, NORTH.replace("north", "south"), "--error", "8", "--json"))
    assert (batch["outcome"], Fraction(batch["factor"]) < 2) == ("quiet", True)


def test_the_plan_says_both_prices_and_the_chance(folder):
    with nl.Curator.open(TABLE, SCHEMA, 8, table="people") as curator:
        found = by_the_answer(curator)
        cheap = curator.preview(MEAN, bits="0.1")
        assert found["MEDIAN(age)"] == []  # it costs at least one bit
        assert found["AVG(age)"][1] == {
            "error": f"±{significant(cheap.error, 3, 'upper')}",
            "quiet": str(cheap.factor),
            "dearest": str(cheap.dearest),
            "chance": str(cheap.chance),
            "affordable": True,
        }
        shown = text_of(by_the_answer_table(found))
        assert f"{float(100 * cheap.chance):.2g} %" in shown
        assert any(f"if loud (chance {float(100 * cheap.chance):.2g} %)" in each for each in worth(curator))
        curator.ask(MEAN, bits="0.1")
        assert len(by_the_answer(curator)["AVG(age)"]) == 1  # what is known has no price


def test_what_was_never_answered_is_shown_as_reserved(folder):
    with nl.Curator.open("people.toml") as curator:
        curator.ask(MEAN, error=4)
        curator.ask(MEAN, error=2)
        entries = curator.entries()
    assert [each.outcome for each in spending(entries)] == ["quiet", "loud"]
    assert [each.outcome for each in spending(entries[:-1])] == ["quiet", "reserved"]
    assert [each.factor for each in spending(entries[:-1])] == [Fraction(17, 16), 9]


def test_options_by_name(folder):
    both = "SELECT AVG(age), COUNT(*) AS old FROM people WHERE age >= 50"
    priced = json.loads(run("preview", "people.toml", both, "--error", "AVG(age)=4", "--error", "9", "--json"))
    assert priced["shares"] == ["error 4 for AVG(age)", "error 9 for old"]
    shown = run("preview", "people.toml", both, "--bits", "avg( age )=3", "--bits", "1")
    assert "3 bits for 8 answers of AVG(age) 1 bit for 2 answers of old" in shown
    asked = run("ask", "people.toml", MEAN, "--bits", "AVG(age)=1")
    assert asked == run("ask", "people.toml", MEAN, "--bits", "1").replace("nothing charged", "charged 1 bit").replace(
        "known from an earlier answer: nothing was charged", "question 1 of the ledger"
    )
    batch = json.loads(run("batch", "people.toml", MEAN, NORTH, "--error", "2", "--error", "AVG(age)=1", "--json"))
    assert len(batch["answers"]) == 2
    assert "names 'hight'" in run("preview", "people.toml", both, "--error", "hight=4", "--error", "9", code=1)
    assert "--error is given twice for all others" in run(
        "preview", "people.toml", both, "--error", "4", "--error", "9", code=1
    )
    assert "given twice for 'old'" in run("ask", "people.toml", both, "--error", "old=1", "--error", "old=2", code=1)
    assert "not both" in run("ask", "people.toml", both, "--error", "old=1", "--bits", "2", code=1)
    json.loads(run("refine", "people.toml", "1", "--error", "AVG(age)=0.25", "--json"))
