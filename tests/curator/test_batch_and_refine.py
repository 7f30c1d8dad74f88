"""Batches are counted together, refinements pay the difference; both stay within what was charged."""

from __future__ import annotations

from math import prod

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.small import OTHERS, fresh, prepared, rows_of, shown

N = 1000
AGES, PAY = [20 + 7 * k % 60 for k in range(N)], [k * 37 % 9000 for k in range(N)]
TABLE = pa.table({"age": AGES, "pay": PAY, "g": ["a", "b"] * 500})
SCHEMA = nl.Schema(age=nl.Integer(0, 100), pay=nl.Integer(0, 10_000), g=nl.Public("a", "b"))
MEANS = [f"SELECT AVG(age) FROM t WHERE g = '{group}'" for group in "ab"]
MEANS += ["SELECT AVG(age) FROM t", "SELECT MAX(age) FROM t"]


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", store=":memory:") as made:
        yield made


def test_a_batch_costs_less_than_its_questions_one_by_one(curator):
    one_by_one = nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", store=":memory:")
    apart = prod(one_by_one.ask(sql, bits=1).factor for sql in MEANS)
    batch = curator.batch(MEANS, bits=1)
    assert batch.factor == batch.count == 4  # one answer, and three jumps: of the group's mean, the mean, the maximum
    assert apart > batch.factor
    assert [answer.guarantee.count for answer in batch] == [2, 2, 2, 2]
    assert (batch.cost, batch.remaining, len(batch)) == (2.0, 28.0, 4)
    again = curator.batch(MEANS, bits=1)
    assert (again.factor, [answer.rows for answer in again]) == (1, [answer.rows for answer in batch])


def test_a_number_in_two_questions_is_released_once(curator):
    batch = curator.batch(["SELECT AVG(age) FROM t", "SELECT AVG(age), AVG(pay) FROM t"], bits=2)
    assert batch[0].rows[0]["AVG(age)"] == batch[1].rows[0]["AVG(age)"]


@pytest.mark.parametrize("where", ["", "WHERE x < 2", "WHERE x >= 1"])
def test_private_groups_in_bins_of_their_own_can_be_in_a_batch(where):
    """Each group is then a count under its own condition, which the other questions do not share."""
    table = pa.table({"x": [0, 2, 1] * 7, "c": ["u", "v", "u", "v", "u", "u", "u"] * 3})
    batch = [f"SELECT c, COUNT(*) AS n FROM t {where} GROUP BY c", "SELECT COUNT(*) AS n FROM t WHERE x >= 1"]
    schema = nl.Schema(x=nl.Integer(0, 2), c=nl.Category("u", "v"))
    with nl.Curator.open(table, schema, budget=20, table="t", store=":memory:") as curator:
        counts, whole = curator.batch(batch, error=5)
    kept = [row for row in table.to_pylist() if eval(where[6:] or "True", {}, row)]
    for row in counts.rows:
        assert row["n"].lower <= sum(each["c"] == row["c"] for each in kept) <= row["n"].upper
    assert whole.rows[0]["n"].lower <= 14 <= whole.rows[0]["n"].upper


def test_batches_that_are_refused_charge_nothing(curator):
    with pytest.raises(nl.QuestionError, match="at least one"):
        curator.batch([], bits=1)
    with pytest.raises(nl.QuestionError, match="JOIN"):
        curator.batch([MEANS[0], "SELECT AVG(age) FROM t, u"], bits=1)
    with pytest.raises(nl.BudgetExceededError, match="max_bits=1"):
        curator.batch(MEANS, bits=1, max_bits=1)
    assert curator.remaining == 30
    assert len(curator.entries()) == 1


BATCHES = [
    ("h", ["SELECT AVG(h) FROM t", "SELECT g, AVG(h) FROM t GROUP BY g", "SELECT MAX(h) FROM t WHERE k = 1"]),
    ("h a", ["SELECT SUM(h) FROM t", "SELECT AVG(a) FROM t WHERE h > 1", "SELECT COUNT(*) FROM t WHERE h > 1"]),
    ("x", ["SELECT AVG(x) FROM t", "SELECT COUNT(*) FROM t WHERE x > 0", "SELECT COUNT(x), MEDIAN(x) FROM t"]),
    (
        "h s",
        ["SELECT s, COUNT(*) FROM t GROUP BY s", "SELECT VAR_POP(h) FROM t", "SELECT COUNT(*) FROM t WHERE s = 'no'"],
    ),
]


@pytest.mark.parametrize(("columns", "batch"), BATCHES, ids=range(len(BATCHES)))
def test_one_person_causes_no_more_joint_answers_than_counted(columns, batch):
    for others in OTHERS[1:]:
        seen, counted = set(), set()
        for row in rows_of(columns):
            curator = fresh(prepared(row, *others))
            answers = curator.batch(batch, bits=2)
            seen.add(tuple(map(shown, answers)))
            counted.add((answers.count, answers.factor, curator.sequence.spent()))
        [(count, factor, spent)] = counted
        assert len(seen) <= min(count, factor, spent)


def test_a_refinement_pays_the_difference(curator):
    coarse = curator.ask("SELECT AVG(pay) FROM t", bits=2)
    fine = curator.refine(coarse, error=coarse.widths[next(iter(coarse.widths))] / 8 / N)
    old, new = coarse.rows[0], fine.rows[0]
    assert old.lower <= new.lower <= new.upper <= old.upper
    assert new.upper - new.lower < (old.upper - old.lower) / 3
    [(release, width)] = coarse.widths.items()
    assert width % fine.widths[release] == 0
    assert fine.factor == width // fine.widths[release]
    anew = nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", store=":memory:")
    anew.ask("SELECT AVG(pay) FROM t WHERE g = 'a'", bits=2)
    assert curator.refine(coarse, error=10**6).factor == 1
    assert curator.refine(curator.recall(coarse.entry), error=coarse.rows[0].upper).rows == coarse.rows


def test_what_follows_from_narrower_bins_is_free(curator):
    fine = curator.ask("SELECT AVG(pay) FROM t", error="0.0315")
    assert [*fine.widths.values()] == [64]
    coarse = curator.ask("SELECT AVG(pay) FROM t", error="0.0635")
    assert ([*coarse.widths.values()], coarse.factor) == ([64], 1)  # narrower bins are known, and keep the error
    free = {bits: curator.preview("SELECT AVG(pay) FROM t", bits=bits).factor == 1 for bits in (2, 3, 4, 5, 6)}
    assert True in free.values()  # bins of a multiple of 64
    assert False in free.values()
    bits = next(bits for bits in free if free[bits])
    wide = curator.ask("SELECT AVG(pay) FROM t", bits=bits)
    assert [width % 64 for width in wide.widths.values()] == [0]
    assert wide.rows[0].lower <= fine.rows[0].lower <= fine.rows[0].upper <= wide.rows[0].upper


def test_what_cannot_be_refined_says_what_can(curator):
    median = curator.ask("SELECT MEDIAN(age) FROM t", bits=2)
    with pytest.raises(nl.BudgetError, match="only sums and means without a private condition can be refined"):
        curator.refine(median, error=1)
    exact = curator.ask("SELECT COUNT(*) FROM t WHERE age > 30")
    assert curator.refine(exact, error=0).factor == 1
    odd = curator.ask("SELECT SUM(age) FROM t", error=15)  # bins of 31 codes, a prime
    assert next(iter(odd.widths.values())) == 31
    with pytest.raises(
        nl.BudgetError, match=r"bins of 31 codes cannot be divided to reach error=3; possible errors are 0$"
    ):
        curator.refine(odd, error=3)
    assert curator.refine(odd, error=0).rows[0]["SUM(age)"].exact


def test_refined_transcripts_stay_within_what_was_charged():
    """Ask coarsely, then refine, or ask something else, depending on the answer."""
    for others in OTHERS[1:]:
        for bits in (2, 3, 4):
            seen = set()
            for row in rows_of("h"):
                curator = fresh(prepared(row, *others), bits)
                first = curator.ask("SELECT SUM(h) FROM t", bits=1)
                told = [shown(first)]
                try:
                    high = first.rows[0].value > 3
                    last = curator.ask("SELECT MAX(h) FROM t", bits=2) if high else curator.refine(first, error=2)
                    told.append(shown(last))
                except (nl.BudgetExceededError, nl.BudgetError) as refused:
                    told.append(type(refused).__name__)
                seen.add(tuple(told))
            assert len(seen) <= 2**bits


@pytest.mark.parametrize("cells", [1, 1000])
def test_totals_of_a_mixed_batch_can_be_refined(monkeypatch, cells):
    monkeypatch.setattr("noiseless.curator.question.price.MOST_CELLS", cells)
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t", store=":memory:") as curator:
        batch = curator.batch(["SELECT AVG(pay) FROM t", "SELECT g, AVG(pay) FROM t GROUP BY g"], bits=2)
        assert curator.refine(batch[0], error=1).factor > 1
        with pytest.raises(nl.BudgetError, match="at least 0"):
            curator.refine(batch[0], error=-1)
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t", store=":memory:") as other:
        foreign = other.ask("SELECT AVG(age) FROM t", bits=2)
        with pytest.raises(nl.BudgetError, match="of this dataset"):
            other.refine(type(foreign)(**{**_fields(foreign), "widths": {}}), error=1)


def _fields(answer):
    return {name: getattr(answer, name) for name in answer.__dataclass_fields__}


@pytest.mark.parametrize("statistic", ["CORR(age, pay)", "COVAR_POP(age, pay)", "REGR_SLOPE(pay, age)"])
def test_statistics_of_two_columns_are_not_refined(curator, statistic):
    """Their bins follow from a count, so there is nothing that narrower bins would divide."""
    answer = curator.ask(f"SELECT {statistic} FROM t", error=1000)
    before = curator.remaining
    with pytest.raises(nl.BudgetError, match="can be refined; ask again with error="):
        curator.refine(answer, error=0)
    assert curator.remaining == before
