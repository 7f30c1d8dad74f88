"""Designs: what they choose, how they are shown and carried out, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.designing.division import Division

SCHEMA = nl.Schema(
    height=nl.Integer(150, 199, missing="apart"),
    born=nl.Date("2000-01-01", "2000-12-31"),
    smoker=nl.Category("no", "yes", "it's over"),
    ill=nl.Boolean(missing="apart"),
    region=nl.Public("north", "south"),
)
N = 300
TABLE = pd.DataFrame(
    {
        "height": pd.array([None if k % 31 == 0 else 150 + 7 * k % 50 for k in range(N)], "Int64"),
        "born": [f"2000-{1 + k % 12:02d}-{1 + k % 28:02d}" for k in range(N)],
        "smoker": [("no", "no", "yes", "it's over")[k % 4] for k in range(N)],
        "ill": [(True, False, None)[k % 3] for k in range(N)],
        "region": [("north", "south")[k % 2] for k in range(N)],
    }
)
WORKLOAD = [
    "SELECT AVG(height) FROM people WHERE smoker = 'yes'",
    "SELECT region, COUNT(*) FROM people WHERE height >= 180 GROUP BY region",
    "SELECT COUNT(*) FROM people WHERE born < DATE '2000-07-01' AND NOT ill",
    "SELECT MEDIAN(height) FROM people",
]


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=12, table="people") as curator:
        yield curator


def test_a_workload_is_answered_for_nothing(curator):
    plan = curator.design(WORKLOAD, bits=9)
    assert curator.remaining == 12
    published = plan.publish()
    assert published.base.cost == published.cost <= 9
    left = curator.remaining
    for each in plan.served:
        answer = curator.deduce(each.wish.text)
        assert answer.facts == (1,)
        for row in answer.rows:
            width = [float(row[label].upper - row[label].lower) for label in answer.numbers]
            assert each.share == 0.5 or max(width) / 2 <= float(each.error) + 1e-9
    assert curator.remaining == left


def test_more_bits_are_never_worse_and_beat_one_by_one(curator):
    found = [curator.design(WORKLOAD, bits=bits) for bits in (3, 6, 9)]
    losses = [(each.largest, sum(one.share for one in each.served)) for each in found]
    assert losses == sorted(losses, reverse=True)
    assert found[-1].ways[0].name == "one by one"
    assert found[-1].ways[0].largest > found[-1].largest


def test_weights_and_wanted_errors_decide(curator):
    height, ill = "SELECT AVG(height) FROM people", "SELECT COUNT(*) FROM people WHERE ill"
    heavy = curator.design({height: 100, ill: 1}, bits=3)
    assert heavy.served[0].share < curator.design({height: 1, ill: 1}, bits=3).served[0].share
    enough = curator.design({height: {"error": 12.5}, ill: 1}, bits=3)
    assert enough.served[0].error <= 12.5
    assert enough.served[1].share == 0
    assert all(each.loss == 0 for each in enough.served)


def test_a_prior_makes_cells_small_where_much_is_expected(curator):
    plan = curator.design(["SELECT AVG(height) FROM people"], bits=3, prior={"height": "normal(160, 2)"})
    [cells] = plan.base.divisions
    starts = cells.starts(SCHEMA.private["height"])
    assert max(starts) < 175
    assert plan.served[0].expected < 0.05
    assert "columns unrelated" in repr(plan).replace("\n", " ")


def test_public_facts_need_nothing(curator):
    plan = curator.design(["SELECT region, COUNT(*) FROM people GROUP BY region"], bits=2)
    assert not plan.base.divisions
    assert plan.cost == 0
    assert plan.served[0].share == 0
    assert plan.publish().base is None


def test_a_design_shows_itself(curator):
    plan = curator.design(WORKLOAD, bits=6)
    for text in (repr(plan), plan._repr_html_()):
        assert "one by one" in text
        assert "nothing was spent yet" in text
    assert plan.fields()["base"]["question"] == plan.question
    assert "refused" not in repr(plan.publish())


def test_a_design_is_refused_if_questions_came_between(curator):
    plan = curator.design(WORKLOAD, bits=12)
    curator.ask("SELECT born, COUNT(*) FROM people GROUP BY born")
    left = curator.remaining
    with pytest.raises(nl.errors.BudgetExceededError, match="nothing was charged: design again"):
        plan.publish()
    assert curator.remaining == left


def test_a_time_limit_ends_the_search(curator):
    plan = curator.design(WORKLOAD, bits=9, seconds="0.000001")
    assert plan.stopped
    assert "time limit" in repr(plan)
    assert plan.publish().cost <= 9


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"bits": 13}, "more than the 12"),
        ({"bits": -1}, "negative"),
        ({"seconds": 0}, "above 0"),
        ({"prior": {"pay": {}}}, "not a private column"),
        ({"questions": ["SELECT nothing"]}, "names no table"),
        ({"questions": ["SELECT AVG(pay) FROM people"]}, "pay"),
        ({"questions": "SELECT 1"}, "list of questions"),
    ],
)
def test_wrong_arguments_are_refused_and_nothing_is_charged(curator, given, words):
    questions = given.pop("questions", WORKLOAD)
    with pytest.raises(nl.errors.InputError, match=words):
        curator.design(questions, **given)
    assert curator.remaining == 12
    assert len(curator.entries()) == 1


def test_a_design_without_a_copy_has_nothing_to_write(curator, tmp_path):
    with pytest.raises(nl.errors.SourceError, match="copy=True"):
        curator.design(WORKLOAD, bits=3).publish(tmp_path / "o.parquet")


@pytest.mark.parametrize("seed", range(12))
def test_every_division_is_written_as_it_is_meant(curator, seed):
    """The cells of the question are the labels, for every value that a row can have."""
    import random

    chance = random.Random(seed)
    for name, column in SCHEMA.private.items():
        labels = [chance.randrange(3) for _ in range(min(column.values, 60))] + [1] * max(0, column.values - 60)
        known: dict[int, int] = {}
        division = Division(name, tuple(known.setdefault(label, len(known)) for label in labels))
        if division.cells == 1 or division.whole:
            continue
        text, label = division.key(curator._dataset)
        from noiseless.curator.sql.read import read

        plan = read(f"SELECT {text} AS {label}, COUNT(*) FROM people GROUP BY {label}", SCHEMA, "people", {})
        [group] = plan.groups
        codes = [*range(column.top + 1), *([None] if column.apart else [])]
        words = division.words(column)
        assert [group.function.value({name: code}) for code in codes] == [words[each] for each in division.labels]


def test_the_example_workload_is_the_committed_one():
    from noiseless.curator.designing.workload import in_file

    assert len(in_file(Path("examples/survey/workload.sql"))) == 60
