"""Every kind of question gives a certificate that the checker derives anew, to the last letter."""

from __future__ import annotations

from datetime import date, timedelta

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings

import noiseless as nl
from tests.curator.certificate.forging import SCHEMA, TABLE, opened
from tests.curator.certificate.questions import QUESTIONS
from tests.curator.small import fresh
from tests.curator.test_truth import TABLES, answer_to, opened_together, questions, written


@pytest.fixture(scope="module")
def curator():
    with opened() as curator:
        yield curator


@pytest.mark.parametrize(("sql", "given"), QUESTIONS, ids=[sql for sql, _ in QUESTIONS])
def test_every_kind_of_question(curator, sql, given):
    answer = curator.ask(sql, **given)
    assert nl.verify(answer.certificate.to_json()).count == answer.guarantee.count
    assert answer.certificate is answer.certificate


@pytest.mark.parametrize(("sql", "given"), QUESTIONS, ids=[sql for sql, _ in QUESTIONS])
def test_the_question_shown_means_the_same(curator, sql, given):
    """The words of a certificate are SQL that can be asked, and give the same rows."""
    answer = curator.ask(sql, **given)
    again = curator.ask(answer.certificate.content["question"], **given)
    assert (again.rows, again.labels) == (answer.rows, answer.labels)


@pytest.fixture(scope="module", params=[1, 3, 80])
def people(request):
    """Three rows each, of which so many count."""
    table = TABLE.append_column("who", pa.array([k // 3 for k in range(TABLE.num_rows)]))
    table = table.append_column("turn", pa.array([k % 3 for k in range(TABLE.num_rows)]))
    schema = nl.Schema({**SCHEMA.columns, "turn": nl.Public()}, unit="who", rows=request.param, order_by="turn")
    with nl.Curator.open(table, schema, budget=9000, table="t", store=":memory:") as curator:
        yield curator


@pytest.mark.parametrize(("sql", "given"), QUESTIONS, ids=[sql for sql, _ in QUESTIONS])
def test_several_rows_per_person(people, sql, given):
    answer = fresh(people).ask(sql, **({"bits": 600} if "bits" in given else given))
    assert nl.verify(answer.certificate).count == answer.guarantee.count


@pytest.fixture(scope="module")
def nobody():
    with nl.Curator.open(TABLE.slice(0, 0), SCHEMA, budget=99, table="t", store=":memory:") as curator:
        yield curator


@pytest.mark.parametrize(("sql", "given"), QUESTIONS, ids=[sql for sql, _ in QUESTIONS])
def test_nobody_at_all(nobody, sql, given):
    answer = fresh(nobody).ask(sql, **given)
    assert nl.verify(answer.certificate).count == answer.guarantee.count == 1


@settings(max_examples=150 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(questions())
def test_random_tables_schemas_and_questions(asked):
    schema, tables, about = asked
    for curator, (function, column, text, _, grouped, bits) in zip(opened_together(schema, tables), about, strict=True):
        answer = answer_to(curator, written(function, column, text, grouped), bits=bits)
        if answer is not None:
            assert nl.verify(answer.certificate).count == answer.guarantee.count


def test_batches_refinements_and_recalled_answers(curator):
    batch = ["SELECT AVG(age) FROM t", "SELECT region, AVG(age), COUNT(*) FROM t WHERE well GROUP BY region"]
    for answer in curator.batch(batch, bits=5):
        assert nl.verify(answer.certificate).count == answer.guarantee.count
    coarse = curator.ask("SELECT AVG(age) FROM t WHERE year = 2024", bits=1)
    fine = curator.refine(coarse, error=1)
    assert nl.verify(fine.certificate).count == fine.guarantee.count
    assert curator.recall(fine.entry).certificate == fine.certificate


def test_declared_grids(tmp_path):
    """Where every value is on its grid, nothing is rounded: the checker knows that from the schema alone."""
    schema = nl.Schema(
        x=nl.Real(0, 10, step="0.5", on_grid=True),
        n=nl.Integer(0, 100, step=5, on_grid=True),
        d=nl.Date("2024-01-01", "2024-03-25", step=7, on_grid=True, missing="apart"),
        y=nl.Real(0, 10, step=1),
        m=nl.Integer(0, 100, step=5),
        e=nl.Date("2024-01-01", "2024-03-25", step=7),
    )
    days = [date(2024, 1, 1) + timedelta(days=7 * (k % 13)) for k in range(40)]
    numbers = [k % 21 / 2 for k in range(40)]
    fives = [5 * k % 105 for k in range(40)]
    table = pa.table({"x": numbers, "n": fives, "d": days, "y": numbers, "m": fives, "e": days})
    with nl.Curator.open(table, schema, budget=9000, table="t") as curator:
        for name in "xnym":
            functions = ", ".join(f"{each}({name})" for each in ("SUM", "AVG", "MAX", "VAR_POP", "STDDEV_POP"))
            answer = curator.ask(f"SELECT {functions} FROM t", bits=14)
            assert nl.verify(answer.certificate).count == answer.guarantee.count
        dates = curator.ask("SELECT MIN(d), MEDIAN(e), MAX(e) FROM t WHERE x > 1 AND y < 9", bits=9)
        assert nl.verify(dates.certificate).count == dates.guarantee.count
        made = curator.release(tmp_path / "out.parquet", bits=12, intervals=True)
        assert nl.verify(made.certificate, file=tmp_path / "out.parquet").count == made.guarantee.count


def test_deep_questions(curator):
    """As deep as they may be asked, certificates can be written and read."""
    terms = "COUNT(*)" + " + 1" * 99
    answer = curator.ask(f"SELECT {terms} AS n FROM t")
    assert nl.verify(answer.certificate.to_json()).count == 1
    assert answer.rows[0].value == 159
    for deeper in (f"SELECT {terms} + 1 FROM t", f"SELECT COUNT(*) FROM t HAVING {'NOT ' * 100} COUNT(*) > 1"):
        with pytest.raises(nl.QuestionError, match="nested too deeply"):
            curator.ask(deeper)


def test_names_of_any_kind():
    """Names, keys and labels in every script and with every quote; fields are ordered by UTF-16 code units."""
    keys = ['say "yes"', "it's", "ß\u0301", "\U0001f600", "\uffee", "a\\b\n\t", ""]
    schema = nl.Schema({'h"x': nl.Integer(0, 9), "g'ü": nl.Public(*keys)})
    table = pa.table({'h"x': [1, 2, 3], "g'ü": keys[:3]})
    with nl.Curator.open(table, schema, budget=99, table='t"\u2028') as curator:
        items = '"g\'ü" AS "\U0001f600", AVG("h""x") AS "\uffee", COUNT(*) AS "\'"""'
        certificate = curator.ask(f'SELECT {items} FROM "t""\u2028" GROUP BY "g\'ü"', bits=2).certificate
    assert nl.verify(certificate.to_json()).count == 4


def test_ten_thousand_groups_stay_small_and_quick():
    keys = [f"municipality {k}" for k in range(10_000)]
    schema = nl.Schema(h=nl.Integer(0, 99), g=nl.Public(*keys), other=nl.Public(*range(5)))
    size = 30_000
    table = pa.table({"h": [k % 100 for k in range(size)], "g": [keys[k % 10_000] for k in range(size)]})
    table = table.append_column("other", pa.array([k % 4 for k in range(size)]))
    with nl.Curator.open(table, schema, budget=99, table="t", store=":memory:") as curator:
        certificate = curator.ask("SELECT g, AVG(h) AS m FROM t GROUP BY g", bits=2).certificate
    assert len(certificate.to_json()) < 2_500_000
    assert nl.verify(certificate).count == 4
