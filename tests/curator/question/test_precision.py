"""An amount for every number of a question: which number gets it, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question.understand import Wanted, understand
from tests.curator.small import bought

TABLE = pa.table(
    {
        "age": [20 + (53 * k) % 61 for k in range(1000)],
        "income": [k % 90 for k in range(1000)],
        "smoker": ["yes" if k % 7 == 0 else "no" for k in range(1000)],
        "region": ["north" if k % 3 else "south" for k in range(1000)],
    }
)
SCHEMA = nl.Schema(
    age=nl.Integer(0, 120),
    income=nl.Integer(0, 100),
    smoker=nl.Category("no", "yes"),
    region=nl.Public("north", "south"),
)
BOTH = "SELECT AVG(age), SUM(income) AS total FROM people"


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="people") as opened:
        yield opened


def widths(curator, sql, **given):
    """The widths of a question, by what is released in which words."""
    found = understand(sql, curator._dataset, Wanted(**given)).widths
    return [found[release] for release in found]


def errors(told):
    return [row["errors"] for row in told.rows]


@pytest.mark.parametrize("name", ["AVG(age)", "avg( AGE )", 'Avg("age")', " AVG ( age ) "])
def test_a_function_is_named_as_sql_writes_it(curator, name):
    alone = [
        curator.preview(f"SELECT {one} FROM people", error=error)
        for one, error in (("AVG(age)", "0.1"), ("SUM(income)", 5000))
    ]
    both = curator.preview(BOTH, error={name: "0.1", "*": 5000})
    assert errors(both) == [{"AVG(age)": alone[0].error, "total": alone[1].error}]
    assert errors(both) == errors(curator.preview(BOTH, error={"total": 5000, name: "0.1"}))
    assert errors(both) == errors(curator.preview(BOTH, error={"sum(income)": 5000, name: "0.1"}))


def test_the_bins_are_those_of_each_error_by_itself(curator):
    # a mean of 1000 ages within ±1: 2·1·1000 + 1 codes, a sum within ±5000: 2·5000 + 1,
    # and both rounded down to five binary digits
    assert [wide(each) for each in widths(curator, BOTH, error={"AVG(age)": 1, "total": 5000})] == [31 * 64, 19 * 512]
    assert [wide(each) for each in widths(curator, BOTH, error={"AVG(age)": 2, "total": 5000})] == [31 * 128, 19 * 512]


def wide(width):
    return width if isinstance(width, int) else width.wide


def test_one_amount_for_all_is_the_amount_of_a_star(curator):
    for name, amount in (("error", 5), ("bits", 3), ("bits", "0.1")):
        assert widths(curator, BOTH, **{name: amount}) == widths(curator, BOTH, **{name: {"*": amount}})


def test_bits_by_name_are_those_of_each_number_alone(curator):
    own = (
        widths(curator, "SELECT AVG(age) FROM people", bits=2),
        widths(curator, "SELECT SUM(income) FROM people", bits=1),
    )
    assert widths(curator, BOTH, bits={"AVG(age)": 2, "*": 1}) == [*own[0], *own[1]]
    told = curator.preview(BOTH, bits={"AVG(age)": 2, "*": 1})
    assert told.shares == ("2 bits for 4 answers of AVG(age)", "1 bit for 2 answers of total")
    assert told.count == 8  # different columns multiply


def test_the_preview_says_how_bits_are_shared(curator):
    told = curator.preview(BOTH, bits=4)
    assert told.shares == ("4 bits shared by 4 answers of AVG(age), 4 answers of total",)
    assert "4 bits shared by 4 answers of AVG(age)" in repr(told)
    assert "4 bits shared by 4 answers of AVG(age)" in told._repr_html_()
    assert curator.preview("SELECT AVG(age) FROM people", bits=4).shares == ()
    assert curator.preview(BOTH, error=4).shares == ()
    by_name = curator.preview(BOTH, error={"total": 500, "*": "0.5"})
    assert by_name.shares == ("error 0.5 for AVG(age)", "error 500 for total")
    quiet = curator.preview(BOTH, bits={"total": "0.2", "*": 2}).shares
    assert quiet == ("2 bits for 4 answers of AVG(age)", "0.2 bits for a quiet answer of total")


def test_a_count_without_an_error_stays_exact(curator):
    sql = "SELECT COUNT(*), AVG(age) FROM people WHERE smoker = 'no'"
    answer = curator.ask(sql, error={"AVG(age)": 2})
    assert answer.rows[0]["COUNT(*)"].exact
    mean = answer.rows[0]["AVG(age)"]
    assert mean.upper - mean.lower <= 4
    rounded = bought(curator, sql.replace("'no'", "'yes'"), error=9)  # it would follow from the other count
    assert not curator.recall(rounded.entry).rows[0]["COUNT(*)"].exact


def test_a_ratio_has_its_own_error_or_those_of_its_parts(curator):
    sql = "SELECT SUM(income) / SUM(age) AS per_year, SUM(age) FROM people"
    asked = curator.ask(sql, error={"PER_YEAR": "0.5", "SUM(age)": 50})
    parts = curator.preview(sql, error={"sum(income)": 1000, "*": 50})
    assert asked.rows[0]["SUM(age)"].upper - asked.rows[0]["SUM(age)"].lower <= 100
    assert parts.rows[0]["errors"].keys() == {"SUM(age)"}  # the ratio follows from its parts
    alone = curator.ask("SELECT SUM(income) / SUM(age) AS r FROM people WHERE region = 'north'", error={"r": "0.5"})
    assert alone.rows[0]["r"].upper - alone.rows[0]["r"].lower <= 1


def test_groups_keep_the_error_of_their_function(curator):
    sql = "SELECT region, AVG(age), MEDIAN(income) FROM people GROUP BY region"
    answer = curator.ask(sql, error={"AVG(age)": "0.5", "*": 500})
    for row in answer.rows:
        assert row["AVG(age)"].upper - row["AVG(age)"].lower <= 1
        assert row["MEDIAN(income)"].upper - row["MEDIAN(income)"].lower <= 1000 or answer.coarser
    assert nl.verify(answer.certificate).count == answer.guarantee.count


def test_asking_again_and_recalling_are_free(curator):
    sql, given = "SELECT AVG(age), SUM(income) AS total FROM people WHERE smoker = 'no'", {"AVG(age)": 2, "*": 5000}
    first = curator.ask(sql, error=given)
    again = curator.ask(sql, error=dict(reversed(given.items())))
    assert again.factor == 1
    assert again.rows == first.rows == curator.recall(first.entry).rows


def test_a_crash_between_steps_is_repaired_by_asking_again(tmp_path, monkeypatch):
    from noiseless.curator.asking import Asking

    stores = {"store": tmp_path / "codes.duckdb", "ledger": tmp_path / "ledger.sqlite", "table": "people"}
    sql, given = "SELECT AVG(age), SUM(income) AS total FROM people WHERE smoker = 'no'", {"AVG(age)": 2, "*": 5000}
    path = tmp_path / "people.csv"
    import pyarrow.csv

    pyarrow.csv.write_csv(TABLE, path)
    computed = Asking._compute
    calls = []

    def crash(self, *args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        computed(self, *args)

    with nl.Curator.open(path, SCHEMA, 60, **stores) as curator:
        monkeypatch.setattr(Asking, "_compute", crash)
        with pytest.raises(KeyboardInterrupt):
            curator.ask(sql, error=given)
        monkeypatch.undo()
    with nl.Curator.open(path, SCHEMA, 60, **stores) as curator:
        left = curator.remaining
        repaired = curator.ask(sql, error=given)
        assert repaired.factor == 1
        assert curator.remaining == left
        assert curator.recall(repaired.entry).rows == repaired.rows


def test_a_name_may_belong_to_one_question_of_a_batch(curator):
    batch = ["SELECT AVG(age) FROM people", "SELECT SUM(income) AS total FROM people WHERE smoker = 'no'"]
    mean, total = curator.batch(batch, error={"AVG(age)": 1, "total": 5000})
    assert mean.rows[0].upper - mean.rows[0].lower <= 2
    assert total.rows[0].upper - total.rows[0].lower <= 10_000
    with pytest.raises(nl.BudgetError, match="'hight', which the question does not have; name 'AVG\\(age\\)', 'total'"):
        curator.batch(batch, error={"hight": 1, "*": 5000})


def test_a_batch_shares_less_than_a_bit_name_by_name(curator):
    batch = ["SELECT AVG(age) FROM people", "SELECT SUM(income) AS total FROM people"]
    together = curator.batch(batch, bits={"AVG(age)": "0.1", "total": "0.2"})
    mean, total = (list(answer.widths.values()) for answer in together)
    assert mean == widths(curator, batch[0], bits="0.1")
    assert total == widths(curator, batch[1], bits="0.2")


def test_only_the_named_number_is_refined(curator):
    answer = curator.ask(BOTH, bits=4)
    finer = curator.refine(answer, error={"total": 500})
    assert finer.rows[0]["AVG(age)"] == answer.rows[0]["AVG(age)"]
    assert finer.rows[0]["total"].upper - finer.rows[0]["total"].lower <= 1000
    with pytest.raises(nl.BudgetError, match="names 'MEDIAN"):
        curator.refine(answer, error={"MEDIAN(age)": 5})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"error": {"AVG(hight)": 1, "*": 1}}, "'AVG\\(hight\\)', which the question does not have; name 'AVG"),
        ({"error": {"age": 1, "*": 1}}, "'age', which the question does not have"),
        ({"error": {"AVG(age), SUM(income)": 1, "*": 1}}, "which the question does not have"),
        ({"error": {"AVG(age) FROM people WHERE age > 3 --": 1, "*": 1}}, "which the question does not have"),
        ({"error": {"AVG(age)": 1}}, "gives none for SUM"),
        ({"bits": {"AVG(age)": 1}}, "SUM needs bits="),
        ({"error": {"AVG(age)": -1, "*": 1}}, "for 'AVG\\(age\\)', error=-1 must be at least 0"),
        ({"error": {"AVG(age)": 1, "*": -1}}, "^error=-1 must be at least 0"),
        ({"bits": {"AVG(age)": -1, "*": 1}}, "for 'AVG\\(age\\)', bits=-1 is negative"),
        ({"error": {"AVG(age)": "much", "*": 1}}, "is not a number"),
        ({"error": {"AVG(age)": None, "*": 1}}, "is not a number"),
        ({"error": {"AVG(age)": {"*": 1}}}, "must be one number"),
        ({"error": {}}, "by name needs functions and numbers"),
        ({"error": {5: 1}}, "by name needs functions and numbers"),
        ({"error": [1, 2]}, "is not a number"),
        ({"error": "AVG(age)"}, "is not a number"),
        ({"error": {"AVG(age)": 1, "avg(AGE)": 1, "*": 1}}, "names one number twice"),
        ({"error": {"total": 1, "SUM(income)": 1, "*": 1}}, "names one number twice"),
        ({"error": {"AVG(age)": 1}, "bits": {"*": 1}}, "not both"),
        ({"error": 1, "bits": {"AVG(age)": 1}}, "not both"),
    ],
)
def test_bad_input_is_refused_and_costs_nothing(curator, given, words):
    for ask in (curator.preview, curator.ask, lambda sql, **more: curator.batch([sql], **more)):
        with pytest.raises(nl.NoiselessError, match=words):
            ask(BOTH, **given)
    assert curator.remaining == 60
    assert len(curator.entries()) == 1  # the beginning of the ledger


def test_bits_below_one_and_above_are_not_mixed_for_means_under_conditions(curator):
    sql = "SELECT AVG(age), SUM(income) FROM people WHERE smoker = 'no'"
    with pytest.raises(nl.BudgetError, match="cannot be mixed"):
        curator.preview(sql, bits={"AVG(age)": 2, "*": "0.1"})
    assert curator.preview(sql, bits={"AVG(age)": "0.1", "*": 2}).affordable


def test_a_label_that_reads_like_another_function_goes_first(curator):
    sql = 'SELECT AVG(age) AS "SUM(income)", SUM(income) AS b FROM people'
    told = errors(curator.preview(sql, error={"SUM(income)": 1, "b": 5000}))[0]
    assert told["SUM(income)"] <= 1 < told["b"]


def test_the_policy_compares_the_errors_of_counts_only(curator):
    policy = {"round_counts": 11}
    sql = "SELECT COUNT(*), AVG(age) FROM people WHERE smoker = 'no' GROUP BY region"
    with nl.Curator.open(TABLE, SCHEMA, 60, table="people", policy=policy) as rounding:
        sums = "SELECT COUNT(*), SUM(age) FROM people WHERE smoker = 'no'"
        assert errors(rounding.preview(sums, error={"SUM(age)": 3, "COUNT(*)": 5}))[0]["COUNT(*)"] == Fraction(5)
        with pytest.raises(nl.QuestionError, match="rounds counts"):
            rounding.preview(sums, error={"SUM(age)": 3, "COUNT(*)": 4})
        with pytest.raises(nl.QuestionError, match="would show the exact"):
            rounding.preview(sql, error={"AVG(age)": 3, "*": 9})
