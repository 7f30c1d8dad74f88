"""Private groups with bins of their own: the checker takes those apart that the curator took apart, and no others."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl

SCHEMA = nl.Schema(x=nl.Integer(0, 1), y=nl.Integer(0, 299), k=nl.Public(1, 2))
MANY = "SELECT y AS of, COUNT(*) AS n FROM t GROUP BY y UNION ALL SELECT x, AVG(y) FROM t GROUP BY x"


def opened(rows: int) -> nl.Curator:
    numbers = range(rows)
    table = pa.table({"x": [k % 2 for k in numbers], "y": [7 * k % 300 for k in numbers], "k": [1 for _ in numbers]})
    return nl.Curator.open(table, SCHEMA, budget=99, table="t", store=":memory:")


@pytest.mark.parametrize("rows", [1, 4, 400])
@pytest.mark.parametrize("number", ["COUNT(*)", "AVG(y)", "STDDEV_SAMP(y)", "VAR_POP(x)"])
@pytest.mark.parametrize("group", ["k < x", "k <= x", "k > x", "k + 1 = x"])
def test_public_columns_may_decide_in_which_group_a_row_is(rows, number, group):
    sql = f"SELECT ({group}) AS is_in, {number} AS a FROM t GROUP BY is_in"
    with opened(rows) as curator:
        for error in (40, 2, "0.3"):
            answer = curator.ask(sql, error=error)
            assert nl.verify(answer.certificate).count == answer.guarantee.count
        assert nl.verify(curator.deduce(sql).certificate).count == 1


@pytest.mark.parametrize("error", [60, 2])
def test_a_union_takes_some_groups_apart_and_others_not(error):
    with opened(400) as curator:
        answer = curator.ask(MANY, error=error)
        assert nl.verify(answer.certificate).count == answer.guarantee.count
        assert answer.certificate.content["centred"] == [False, True]
        assert nl.verify(curator.deduce("SELECT AVG(y) FROM t").certificate).count == 1


@pytest.mark.parametrize("forged", [True, [True, True], [True, False], [False], [0, 1], [False, True, True], "yes"])
def test_other_groups_apart_are_refused(forged):
    with opened(400) as curator:
        certificate = curator.ask(MANY, error=60).certificate
    certificate.content["centred"] = forged
    with pytest.raises(nl.CertificateError):
        nl.verify(certificate)


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_a_person_may_have_more_rows_than_there_are(rows):
    schema = nl.Schema(x=nl.Integer(0, 2), b=nl.Boolean(), t=nl.Public(), unit="who", rows=4, order_by="t")
    places = list(range(rows))
    table = pa.table({"x": [1] * rows, "b": [True] * rows, "t": places, "who": places})
    with nl.Curator.open(table, schema, budget=99, table="t", store=":memory:") as curator:
        for error in (9, 5, 3, 1):
            answer = curator.ask("SELECT b, SUM(x * x), SUM(x) FROM t GROUP BY b", error=error)
            assert nl.verify(answer.certificate).count == answer.guarantee.count
