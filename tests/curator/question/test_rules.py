"""The custodian's rules: enforced at planning, by public facts only."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question.rules import Rules
from noiseless.curator.schema.declaration import Declaration

SCHEMA = nl.Schema(
    x=nl.Integer(0, 7), y=nl.Integer(0, 3, missing="apart"), s=nl.Category("no", "yes"), g=nl.Public("a", "b", "c")
)
ROWS = [(k % 8, k % 4, ("no", "yes")[k % 2], "aab"[k % 3]) for k in range(30)] + [(7, None, "no", "c")] * 2
TYPES = pa.schema({"x": pa.int64(), "y": pa.int64(), "s": pa.string(), "g": pa.string()})


def opened(rows=ROWS, **policy):
    columns = dict(zip(TYPES.names, map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table(columns, schema=TYPES)
    return nl.Curator.open(table, SCHEMA, budget=60, table="t", store=":memory:", policy=policy or None)


def test_the_smallest_public_group():
    with opened(smallest_group=3) as curator:
        for sql in ("SELECT AVG(x) FROM t WHERE g = 'c'", "SELECT g, AVG(x) FROM t GROUP BY g"):
            with pytest.raises(nl.QuestionError, match="at least 3 rows in every public group"):
                curator.preview(sql, bits=2)
            with pytest.raises(nl.QuestionError, match="at least 3 rows"):
                curator.ask(sql, bits=2)
        with pytest.raises(nl.QuestionError, match="and a public group has fewer"):
            curator.preview("SELECT g, AVG(x) FROM t GROUP BY g", bits=2)
        assert len(curator.ask("SELECT g, AVG(x) FROM t WHERE g <> 'c' GROUP BY g", bits=2).rows) == 3
        assert curator.ask("SELECT g, COUNT(*) FROM t GROUP BY g").rows[2].value == 2  # which is public
        assert curator.ask("SELECT COUNT(*) FROM t WHERE x > 3").factor == 2
    with opened(smallest_group=11) as curator, pytest.raises(nl.QuestionError, match="and 2 public groups have fewer"):
        curator.preview("SELECT g, AVG(x) FROM t GROUP BY g", bits=2)
    with opened(smallest_group=2) as curator:
        assert curator.ask("SELECT AVG(x) FROM t WHERE g = 'c'", bits=2).factor == 4


def test_columns_that_conditions_may_not_name():
    with opened(no_conditions=["x"]) as curator:
        for where in ("x > 3", "g = 'a' AND NOT (s = 'yes' OR x = 2)"):
            with pytest.raises(nl.QuestionError, match="no conditions on 'x'"):
                curator.ask(f"SELECT COUNT(*) FROM t WHERE {where}")
        assert curator.ask("SELECT AVG(x) FROM t WHERE s = 'yes'", bits=4).factor > 1
        with pytest.raises(nl.QuestionError, match="no conditions on 'x'"):
            curator.batch(["SELECT COUNT(*) FROM t WHERE s = 'yes'", "SELECT COUNT(*) FROM t WHERE x > 3"])
        assert curator.sequence.spent() > 1


def test_the_most_a_single_question_may_cost():
    with opened(most_bits=2) as curator:
        assert curator.ask("SELECT AVG(x) FROM t", bits=2).cost == 2
        with pytest.raises(nl.BudgetExceededError, match="the policy allows 2"):
            curator.ask("SELECT AVG(x) FROM t", bits=3)
        with pytest.raises(nl.BudgetExceededError, match="the policy allows 2"):
            curator.preview("SELECT COUNT(*), AVG(x), AVG(y), MAX(x) FROM t WHERE s = 'yes'", bits=9)
        with pytest.raises(nl.BudgetExceededError, match="the policy allows 2"):
            curator.refine(curator.recall(1), error=0)


@pytest.mark.parametrize("step", [2, 5, 100])
def test_counts_in_steps(step):
    with opened(round_counts=step) as curator:
        truth = {"no": 17, "yes": 15}
        assert curator.preview("SELECT COUNT(*) FROM t WHERE x > 3").error == (step - 1) / 2
        answers = [curator.ask(f"SELECT COUNT(*) FROM t WHERE s = '{key}'") for key in truth]
        for answer, true in zip(answers, truth.values(), strict=True):
            row = answer.rows[0]
            assert row.lower <= true <= row.upper
            assert row.lower % step == 0
            assert row.upper == min(row.lower + step - 1, len(ROWS))
            assert nl.verify(answer.certificate).count == 2
        histogram = curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s")
        for row in histogram.rows:
            assert row.lower == truth[row["s"]] // step * step <= truth[row["s"]] <= row.upper
        assert nl.verify(histogram.certificate).count == 2
        assert str(curator.entries()[2].body["released"][0]["numbers"]) == str(17 // step)
        for sql in ("SELECT AVG(y) FROM t", "SELECT AVG(x) FROM t WHERE s = 'yes'"):
            with pytest.raises(nl.QuestionError, match=f"steps of {step}"):
                curator.ask(sql, bits=9)
        with pytest.raises(nl.QuestionError, match="larger error"):
            curator.ask("SELECT COUNT(*) FROM t WHERE x > 3", error=0)
        assert curator.ask("SELECT AVG(x) FROM t", bits=2).factor == 4  # of everybody


def test_an_error_that_rounded_counts_keep():
    with opened(round_counts=5) as curator:
        sql = "SELECT COUNT(*) FROM t WHERE x > 3"
        with pytest.raises(nl.QuestionError, match="can be off by 2; ask for a larger error"):
            curator.preview(sql, error="1.9")
        assert [curator.preview(sql, error=error).error for error in (2, 3)] == [2, 2]
        assert curator.preview("SELECT AVG(x) FROM t", error=1).error <= 1  # no count
        with pytest.raises(nl.QuestionError, match="steps of 5"):
            curator.preview("SELECT AVG(x), MAX(x) FROM t WHERE s = 'yes'", bits=9)


def test_a_rounded_count_costs_one_bit_and_not_less():
    with opened(round_counts=5) as curator:
        for ask in (curator.preview, curator.ask):
            with pytest.raises(nl.BudgetError, match="such a count costs one bit, more than bits="):
                ask("SELECT COUNT(*) FROM t WHERE x > 3", bits="0.5")
        assert curator.ask("SELECT SUM(x) FROM t", bits="0.5").factor < 2
        assert curator.ask("SELECT COUNT(*) FROM t WHERE x > 3", bits=1).factor == 2


def test_one_person_causes_no_more_rounded_counts_than_were_charged():
    """All values of one person: with a rounding a count has two answers at the most, and its rest tells no more."""
    asked = ["SELECT COUNT(*) FROM t WHERE x > 3", "SELECT COUNT(y) FROM t", "SELECT COUNT(*) FROM t WHERE y IS NULL"]
    for others in (ROWS[:4], ROWS[:9]):
        seen, spent = set(), set()
        for x, y, s in product([0, 7], [None, 3], ["no", "yes"]):
            with opened([*others, (x, y, s, "a")], round_counts=5) as curator:
                histogram = curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s")
                seen.add(str([curator.ask(sql).rows for sql in asked]) + str(histogram.rows))
                spent.add(curator.sequence.spent())
        [charged] = spent
        assert len(seen) <= charged


def test_rules_in_a_schema_file(tmp_path):
    pa.parquet = __import__("pyarrow.parquet", fromlist=["x"])
    pa.parquet.write_table(pa.table({"x": [1, 2]}), tmp_path / "t.parquet")
    text = 'source = "t.parquet"\nbudget = 9\n[columns.x]\nkind = "integer"\nlow = 0\nhigh = 9\n[policy]\n'
    path = tmp_path / "t.toml"
    path.write_text(text + "smallest_group = 3\n")
    with nl.Curator.open(path) as curator, pytest.raises(nl.QuestionError, match="at least 3 rows"):
        curator.ask("SELECT AVG(x) FROM t", bits=1)
    path.write_text(text + "smallest_group = 2\nmost_bits = 1.5\n")  # rules may change at any time
    with nl.Curator.open(path) as curator:
        assert curator.ask("SELECT AVG(x) FROM t", bits=1).factor == 2
    declared = Declaration.read(path)
    assert Declaration.parse(declared.write()).policy == declared.policy


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({"smalest_group": 3}, "unknown field 'smalest_group'; use"),
        ({"smallest_group": 0}, "smallest_group = 0 must be a whole number from 1"),
        ({"round_counts": 1.5}, "round_counts = 1.5 must be"),
        ({"round_counts": True}, "round_counts = .* must be a whole number"),
        ({"smallest_group": 10**9 + 1}, "must be a whole number from 1 to 1000000000"),
        (["smallest_group"], "with hold_above, hold_days, most_bits, no_conditions, round_counts, smallest_group"),
        ({"no_conditions": "x"}, "no_conditions is a list"),
        ({"no_conditions": 5}, "no_conditions is a list"),
        ({"no_conditions": ["x", 5]}, "no_conditions is a list"),
        ({"no_conditions": ["z"]}, "names 'z', which is not declared"),
        ({"most_bits": -1}, "most_bits"),
    ],
)
def test_rules_that_make_no_sense(policy, words):
    with pytest.raises(nl.SchemaError if "most_bits" not in policy else nl.InputError, match=words):
        Rules.of(policy, SCHEMA)


def test_rules_of_a_section():
    assert Rules.of(None, SCHEMA) == Rules.of({}, SCHEMA) == Rules() == Rules(1, (), 1, None)
    given = {"smallest_group": 10**9, "no_conditions": ("x", "g"), "round_counts": 1, "most_bits": "1.5"}
    assert Rules.of(given, SCHEMA) == Rules(10**9, ("x", "g"), 1, "1.5")
    with pytest.raises(nl.SchemaError, match="unknown field 'smalest_group'"):
        opened(smalest_group=3)


def test_what_follows_obeys_the_rules():
    """A question that the rules refuse is not answered for free either, and rounded counts stay rounded."""
    histogram, total = "SELECT x, COUNT(*) FROM t GROUP BY x", "SELECT SUM(x) FROM t WHERE x > 3"
    with opened() as curator:
        curator.ask(histogram)
        assert curator.ask(total).cost == 0  # it follows, without bits or an error
    with opened(no_conditions=["x"]) as curator:
        curator.ask(histogram)
        for ask in (curator.ask, curator.deduce):
            with pytest.raises(nl.QuestionError, match="no conditions on 'x'"):
                ask(total)
    with opened(smallest_group=3) as curator:
        curator.ask("SELECT x, COUNT(*) FROM t WHERE g <> 'c' GROUP BY x")
        with pytest.raises(nl.QuestionError, match="at least 3 rows"):
            curator.deduce("SELECT MAX(x) FROM t WHERE g = 'c'")
    with opened(round_counts=5) as curator:
        for key, rows in (("no", [15, 19]), ("yes", [15, 19])):
            [row] = curator.ask(f"SELECT COUNT(*) FROM t WHERE s = '{key}'").rows
            assert [row.lower, row.upper] == rows
            assert curator.preview(f"SELECT COUNT(*) FROM t WHERE s = '{key}'").deduced is None
        [row] = curator.deduce("SELECT COUNT(*) FROM t WHERE s = 'yes'").rows
        assert [row.lower, row.upper] == [15, 17]  # of 32 rows at least 15 are the others
