"""Public tables: the same answers and certificates from every engine, and read from wherever they are."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.joined import GIVEN, QUESTIONS
from tests.curator.small import OTHERS, SCHEMA, bought, rows_of, shown, table
from tests.engines.test_same import certificate

ROWS = [*(row for name in "sad" for row in rows_of(name)), *OTHERS[-1]]
ASKED = [QUESTIONS[place] for place in (5, 9, 13, 14, 17, 23)]
MANY = nl.Schema(place=nl.Integer(0, 299, missing="apart"))
HEIGHTS = pa.table(
    {"at": list(range(1, 300)), "height": [None if k % 50 == 7 else 0.25 * (k * k % 97) for k in range(1, 300)]}
)
PLACES = pa.table({"place": [k * k % 301 if k % 9 else None for k in range(500)]})


def asked(curator: nl.Curator, questions: list[tuple[str, dict]]) -> list:
    answers = [bought(curator, sql, **given) for sql, given in questions]
    return [(shown(answer), answer.factor, answer.guarantee.count, certificate(answer)) for answer in answers]


def of_many(loaded: dict) -> list:
    """Look-ups of a column with many values: a list in SQL, not CASE."""
    sql = "SELECT {} FROM t {}JOIN heights ON place = at"
    questions = [sql.format("SUM(height), COUNT(height)", kind) for kind in ("", "LEFT ")]
    given = {"heights": {"source": HEIGHTS, "key": "at"}}
    with nl.Curator.open(schema=MANY, budget=900, public=given, **loaded) as curator:
        return asked(curator, [(each, {"bits": 20}) for each in questions])


def of_few(loaded: dict) -> list:
    with nl.Curator.open(schema=SCHEMA, budget=9000, public=GIVEN, **loaded) as curator:
        return asked(curator, [(sql, given) for _, sql, given in ASKED])


@pytest.fixture(scope="module")
def expected():
    small = {"source": table(ROWS), "table": "t"}
    return of_few(small), of_many({"source": PLACES, "table": "t"})


def test_the_same_answers_and_certificates_to_joins(way, expected):
    few, many = (way.load(each) for each in (table(ROWS), PLACES))
    assert (of_few(few | way.options(few)), of_many(many | way.options(many))) == expected


def heights_found() -> list[float]:
    heights = dict(zip(*(column.to_pylist() for column in HEIGHTS.columns), strict=True))
    return [heights[place] for place in PLACES["place"].to_pylist() if heights.get(place) is not None]


def test_the_truth_of_many_values(expected):
    for (((_, total), (_, count)),), *_ in expected[1]:
        assert count.value == len(heights_found())
        assert total.lower <= sum(heights_found()) <= total.upper


def test_a_public_table_in_the_same_database(way):
    places, heights = way.load(PLACES), way.load(HEIGHTS)
    same = heights["source"] == places["source"]
    given = {"heights": {"key": "at"} | ({"table": heights["table"]} if same else heights)}
    with nl.Curator.open(schema=MANY, budget=9, public=given, **places, **way.options(places)) as curator:
        found = curator.ask("SELECT COUNT(height) FROM t JOIN heights ON place = at").rows[0].value
    assert found == len(heights_found())
