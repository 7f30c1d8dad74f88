"""How many values are missing is one fact, paid once; it lets errors of means be promised."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.state import State
from noiseless.curator.question.price import Prices
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.written import canonical
from tests.curator.small import fresh

SCHEMA = nl.Schema(
    x=nl.Integer(0, 3, missing="apart"),
    b=nl.Boolean("apart"),
    s=nl.Category("no", "yes", missing="?"),
    g=nl.Public("n", "s"),
)
TYPES = pa.schema({"x": pa.int64(), "b": pa.bool_(), "s": pa.string(), "g": pa.string()})
ROWS = [(1, True, "no", "n"), (None, None, None, "n"), (3, False, "yes", "s"), (None, True, None, "s")]
ROWS += [(0, None, "no", "s")]
TRUTH = {"x": 3, "b": 3, "s": 3}


def opened(rows=ROWS, budget=30):
    columns = zip(*rows, strict=True)
    table = pa.table(dict(zip(TYPES.names, map(list, columns), strict=True)), schema=TYPES)
    return nl.Curator.open(table, SCHEMA, budget=budget, table="t", store=":memory:")


@cache
def prepared(rows):
    """Opened once; `fresh` curators of it have nothing asked yet."""
    return opened(rows)


@pytest.mark.parametrize("name", ["x", "b", "s"])
def test_a_fact_is_paid_once_in_whatever_words(name):
    ways = {
        f"SELECT COUNT({name}) FROM t": TRUTH[name],
        f"SELECT COUNT(*) FROM t WHERE {name} IS NOT NULL": TRUTH[name],
        f"SELECT COUNT(*) FROM t WHERE {name} IS NULL": len(ROWS) - TRUTH[name],
        f"SELECT COUNT(*) FROM t WHERE NOT ({name} IS NULL)": TRUTH[name],
    }
    for order in permutations(ways):
        curator = fresh(prepared(tuple(ROWS)), 30)
        answers = {sql: curator.ask(sql) for sql in order}
        assert [answers[sql].factor for sql in order] == [2, 1, 1, 1]
        assert {sql: answer.rows[0].value for sql, answer in answers.items()} == ways
        assert all(nl.verify(answer.certificate).count == 2 for answer in answers.values())
        assert len(curator.entries()) == 3


def test_a_batch_pays_for_it_once():
    asked = ["SELECT COUNT(x) FROM t", "SELECT COUNT(*) FROM t WHERE x IS NULL"]
    with opened() as curator:
        assert curator.batch(asked).factor == 2
        assert [answer.rows[0].value for answer in curator.batch(asked)] == [3, 2]


def test_other_conditions_stay_other_facts():
    with opened() as curator:
        curator.ask("SELECT COUNT(x) FROM t")
        assert curator.ask("SELECT COUNT(x) FROM t WHERE g = 'n'").factor > 1
        assert curator.ask("SELECT COUNT(*) FROM t WHERE x >= 1").factor > 1
        assert curator.ask("SELECT COUNT(b) FROM t").factor > 1
        assert curator.ask("SELECT COUNT(*) FROM t WHERE s = 'yes'").factor > 1
    for kind in ("total", "filtered mean", "variance"):
        assert Release.of_kind(kind).fact({"kind": kind, "condition": ["missing", "x"]}, SCHEMA)[1] is False


def test_the_fact_of_a_count():
    """Only the last value of a category with missing values of its own stands for them."""
    schema = nl.Schema({**SCHEMA.columns, "c": nl.Category("no", "yes"), "d": nl.Category("no", "yes", missing="no")})

    def fact(*condition):
        found, rest = HeadCount.fact({"kind": "head count", "counted": "x", "condition": list(condition)}, schema)
        assert found.keys() == {"kind", "condition"}
        return found["condition"], rest

    assert fact("missing", "x") == (["within", "x", [["0", "3"]]], True)
    assert fact("missing", "b") == (["within", "b", [["0", "1"]]], True)
    assert fact("within", "s", [["2", "2"]]) == (["within", "s", [["0", "1"]]], True)
    others = {"x": ("3", "3"), "b": ("1", "1"), "s": ("1", "2"), "c": ("1", "1"), "d": ("1", "1"), "g": ("1", "1")}
    for name, ends in [*others.items(), ("s", ("1", "1")), ("s", ("0", "2")), ("z", ("0", "0"))]:
        assert fact("within", name, [list(ends)]) == (["within", name, [list(ends)]], False)
    assert fact("within", "s", [["0", "0"], ["2", "2"]])[1] is False


def test_a_rounded_count_does_not_tell_its_rest():
    family = {"kind": "head count", "condition": ["missing", "x"]}
    present = {"kind": "head count", "condition": ["within", "x", [["0", "3"]]]}
    with opened() as curator:
        state = State(Prices(curator._dataset))
        assert [state.fact(family) for _ in range(2)] == [(canonical(present), True)] * 2
        assert [state.fact(family, width) for width in (2, 5)] == [(canonical(family), False)] * 2
        assert state.fact(present, 1) == (canonical(present), False)


def test_a_mean_tells_its_count():
    with opened() as curator:
        curator.ask("SELECT AVG(x) FROM t", bits=3)
        for sql, value in (("SELECT COUNT(x) FROM t", 3), ("SELECT COUNT(*) FROM t WHERE x IS NULL", 2)):
            answer = curator.ask(sql)
            assert (answer.factor, answer.rows[0].value) == (1, value)


def test_other_numbers_do_not():
    for function in ("SUM", "MAX"):
        with opened() as curator:
            curator.ask(f"SELECT {function}(x) FROM t WHERE NOT b", bits=9)  # the code 3 of one row
            answer = curator.ask("SELECT COUNT(x) FROM t WHERE NOT b")
            assert (answer.factor, answer.rows[0].value) == (2, 1)


@pytest.mark.parametrize("name", ["x", "b", "s"])
@pytest.mark.parametrize("where", ["IS NULL", "IS NOT NULL"])
def test_a_mean_of_those_without_a_value_tells_how_many_they_are(name, where):
    """And so how many have one, without another charge."""
    table = pa.table({"x": [1, None, 0], "b": [True, None, False], "s": ["no", None, "yes"], "y": [1, 2, 3]})
    schema = nl.Schema({"y": nl.Integer(0, 3), **{each: SCHEMA.columns[each] for each in "xbs"}})
    with nl.Curator.open(table, schema, budget=30, table="t", store=":memory:") as curator:
        curator.ask(f"SELECT AVG(y) FROM t WHERE {name} {where}", bits=4)
        for sql, truth in ((f"COUNT({name}) FROM t", 2), (f"COUNT(*) FROM t WHERE {name} IS NULL", 1)):
            answer = curator.ask(f"SELECT {sql}")
            assert (answer.factor, answer.rows[0].value) == (1, truth)
            assert nl.verify(answer.certificate).count == 2


def test_transcripts_stay_within_what_was_charged():
    """All rows of one person, and every order of asking: never more transcripts than charged."""
    asked = ["SELECT COUNT(*) FROM t WHERE x IS NULL", "SELECT COUNT(x), AVG(x) FROM t", "SELECT AVG(x) FROM t"]
    for order in permutations(asked):
        for others in (ROWS[:1], ROWS[:2], ROWS):
            seen, charged = set(), set()
            for x, g in product([None, 0, 1, 2, 3], ["n"]):
                curator, shown = fresh(prepared((*others, (x, None, "no", g))), 30), []
                for sql in order:
                    try:
                        shown.append(str(curator.ask(sql, error=1 if "AVG" in sql else None).rows))
                    except nl.NoiselessError as refused:
                        shown.append(str(refused))
                seen.add((*shown, curator.remaining))
                charged.add(curator.sequence.spent())
            assert len(seen) <= max(charged)


def test_an_error_is_kept_once_the_count_is_known():
    with opened() as curator:
        curator.ask("SELECT COUNT(*) FROM t WHERE x IS NULL")
        preview = curator.preview("SELECT AVG(x) FROM t", error="0.5")
        row = curator.ask("SELECT AVG(x) FROM t", error="0.5").rows[0]
        assert (row.upper - row.lower) / 2 <= preview.error <= Fraction(1, 2)
        assert row.lower <= Fraction(4, 3) <= row.upper


@pytest.mark.parametrize("error", ["0", "0.3", "1"])
def test_or_asked_with_it(error):
    sql = "SELECT g, AVG(x), COUNT(x) FROM t GROUP BY g HAVING COUNT(x) > 0 ORDER BY 2 DESC"
    with opened() as curator:
        answer = curator.ask(sql, error=error)
        for row in answer.rows:
            number, truth = row["AVG(x)"], {"n": Fraction(1), "s": Fraction(3, 2)}[row["g"]]
            assert number.lower <= truth <= number.upper
            assert (number.upper - number.lower) / 2 <= Fraction(error)
        assert answer.factor == curator.sequence.spent()
        assert nl.verify(answer.certificate).count <= answer.factor
        assert curator.ask(sql, error=error).factor == 1
        assert curator.recall(answer.entry).rows == answer.rows


def test_max_bits_are_for_both_steps():
    sql = "SELECT COUNT(x), AVG(x) FROM t"
    with opened() as curator:
        price = curator.ask(sql, error=0).cost
    with opened() as curator:
        with pytest.raises(nl.BudgetExceededError, match="does not allow all steps of the question; nothing"):
            curator.ask(sql, error=0, max_bits=price - 0.2)
        assert curator.sequence.spent() == 1
        assert curator.ask(sql, error=0, max_bits=price).rows[0]["AVG(x)"].exact


def test_means_of_nobody():
    with opened([(None, None, None, "n")] * 3) as curator:
        assert curator.ask("SELECT COUNT(x), AVG(x) FROM t", error=0).rows[0]["AVG(x)"] is None


def test_together_is_never_dearer_than_the_product():
    """A condition on a column with missing values changes twice as values run up, and still has two answers.

    Two thresholds have three: below both, between them or missing, above both.
    """
    with opened() as curator:
        batch = curator.batch(["SELECT COUNT(*) FROM t WHERE x > 1", "SELECT COUNT(*) FROM t WHERE x > 2"])
        assert batch.factor == batch.count == 3
    with opened() as curator:
        answer = curator.batch(["SELECT COUNT(*) FROM t WHERE x > 1 AND g = 'n'", "SELECT COUNT(*) FROM t WHERE x > 2"])
        assert answer.factor == 3


@pytest.mark.parametrize("nothing", ["NULL + x", "NULLIF(1, 1)", "x * NULL"])
def test_values_that_are_missing_in_every_row_are_not_counted(nothing):
    curator = fresh(prepared(tuple(ROWS)), 30)
    answer = curator.ask(f"SELECT COUNT({nothing}) AS n FROM t WHERE g = 'n'")
    assert (answer.rows[0].value, answer.factor) == (0, 1)
    grouped = curator.ask(f"SELECT s, COUNT({nothing}) AS n, COUNT(2 + 1) AS k FROM t GROUP BY s")
    assert [(row["n"].value, row["k"].value) for row in grouped.rows] == [(0, 2), (0, 1), (0, 2)]
    assert nl.verify(grouped.certificate).count == 3
