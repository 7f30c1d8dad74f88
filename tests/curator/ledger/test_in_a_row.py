"""Advice on several questions in a row about one column: when it comes, what it says, and what it follows from."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger import in_a_row
from noiseless.curator.ledger.in_a_row import ROW

SCHEMA = nl.Schema(
    age=nl.Integer(0, 120),
    income=nl.Integer(0, 100),
    smoker=nl.Category("no", "yes"),
    region=nl.Public("north", "south"),
)


def table(shift: int = 0) -> pa.Table:
    return pa.table(
        {
            "age": [(20 + (53 * k + shift) % 61) for k in range(200)],
            "income": [(k + shift) % 90 for k in range(200)],
            "smoker": ["yes" if (k + shift) % 7 == 0 else "no" for k in range(200)],
            "region": ["north" if k % 2 else "south" for k in range(200)],
        }
    )


def opened(shift: int = 0, **more):
    return nl.Curator.open(table(shift), SCHEMA, 60, table="people", **more)


@pytest.fixture
def curator():
    with opened(analyst="ann") as found:
        yield found


def older(place: int) -> str:
    return f"SELECT COUNT(*) FROM people WHERE age >= {20 + 5 * place}"


def test_the_tenth_question_on_a_column_comes_with_what_a_batch_costs(curator):
    with opened() as another:
        together = another.batch([older(place) for place in range(ROW)])
    assert together.count == ROW + 1
    answers = [curator.ask(older(place)) for place in range(ROW - 1)]
    assert {each.advice for each in answers} == {""}
    priced = curator.preview(older(ROW - 1))
    tenth = curator.ask(older(ROW - 1))
    assert (
        priced.advice
        == tenth.advice
        == (
            "this question and the 9 before it are all about age: 10 bits one by one; declared together, as one batch, "
            "they would have cost 3.46 bits"  # log2 of 11
        )
    )
    for shown in (repr(tenth), repr(priced), tenth._repr_html_(), priced._repr_html_()):
        assert "they would have cost 3.46 bits" in " ".join(shown.split())
    assert curator.ask(older(ROW - 1)).advice == ""  # a repeat is free


def test_advice_is_the_same_whatever_the_data(curator):
    with opened(shift=17, analyst="ann") as other:
        for place in range(ROW + 1):
            assert curator.preview(older(place)).advice == other.preview(older(place)).advice
            assert curator.ask(older(place)).advice == other.ask(older(place)).advice
        assert curator.preview(older(ROW + 1)).advice != ""


@pytest.mark.parametrize(
    "between",
    [
        lambda curator: curator.ask("SELECT AVG(income) FROM people", bits=1),
        lambda curator: curator.ask("SELECT COUNT(*) FROM people WHERE age = 3", analyst="bob"),
        lambda curator: curator.batch(["SELECT COUNT(*) FROM people WHERE age = 3", older(30)]),
    ],
)
def test_another_column_another_analyst_or_a_batch_ends_the_row(curator, between):
    for place in range(ROW - 2):
        curator.ask(older(place))
    between(curator)
    assert [curator.ask(older(place)).advice for place in (18, 19)] == ["", ""]


def test_a_repeat_in_between_does_not_end_it(curator):
    for place in range(ROW - 1):
        curator.ask(older(place))
    curator.ask(older(0))
    assert curator.ask(older(ROW - 1)).advice


def test_different_public_groups_do_not_add_up(curator):
    """Five questions about each of two regions: nobody pays for more than five."""
    for place in range(ROW):
        region = ("north", "south")[place % 2]
        last = curator.ask(f"{older(place)} AND region = '{region}'")
    assert "all about age: 5 bits one by one" in last.advice
    assert "would have cost 2.585 bits" in last.advice  # log2 of 6


def test_charged_by_the_answer_it_says_both_prices(curator):
    sql = "SELECT COUNT(*) FROM people WHERE income >= {}"
    told = [curator.ask(sql.format(8 * place + 8), error=1).advice for place in range(ROW)]
    assert told[:-1] == [""] * (ROW - 1)
    assert "if quiet, or" in told[-1]


def test_questions_that_cost_the_same_together_get_no_advice(curator):
    """How many different ages there are among different rows: these multiply, in a batch, too."""
    for place in range(ROW):
        last = curator.ask(f"SELECT COUNT(DISTINCT age) FROM people WHERE income >= {5 * place + 5}")
    assert last.cost == 1
    assert last.advice == ""


def test_a_question_with_very_many_groups_is_not_read_again(curator, monkeypatch):
    """It would take seconds, and no printed answer waits for advice."""
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    for place in range(ROW - 2):
        curator.ask(f"{older(place)} AND income > 5")
    monkeypatch.setattr(in_a_row, "question_of", lambda *_: pytest.fail("the groups are read again"))
    with pytest.raises(pytest.fail.Exception):
        str(curator.preview(f"{older(ROW)} AND income > 5"))
    monkeypatch.setattr(in_a_row, "MOST_NUMBERS", 100)
    assert curator.preview(f"{older(ROW)} AND income > 5").advice == ""


def test_advice_is_priced_when_somebody_looks_also_after_the_curator_was_closed(monkeypatch, tmp_path):
    with opened(analyst="ann", ledger=tmp_path / "ledger.sqlite", store=tmp_path / "codes.duckdb") as curator:
        monkeypatch.setattr(in_a_row, "question_of", lambda *_: pytest.fail("priced before anybody looks"))
        answers = [curator.ask(older(place)) for place in range(ROW)]
        preview = curator.preview(older(ROW))
        monkeypatch.undo()
        later = curator.ask(older(ROW))
    assert "they would have cost 3.46 bits" in answers[-1].advice
    assert preview.advice == later.advice != ""
