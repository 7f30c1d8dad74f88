"""Functions of a row: the same answers and certificates from every engine, prepared and in flight, to the last bit."""

from __future__ import annotations

import pytest

import noiseless as nl
from tests.curator.small import OTHERS, RAW, SCHEMA, bought, rows_of, shown, table
from tests.engines.test_same import certificate
from tests.laws.test_function_laws import QUESTIONS

MORE = [
    "SELECT AVG(h / NULLIF(x, 0)), AVG(1 / (1 + h) - 1 / a) FROM t",
    "SELECT SUM(LN(1 + h)), SUM(EXP(x)), SUM(POWER(a, 0.3)), SUM(LOG(2, a)), SUM(SQRT(COALESCE(x, 1) + 1)) FROM t",
    "SELECT SUM(SQRT(h * h * 10000 + a * a)), AVG(SQRT((1000 * h + x) * (1000 * h + x))) FROM t",
    "SELECT SUM(LN(1 + h * 100000 + a)), AVG(EXP(h + a / 1000)) FROM t WHERE g = 'n'",
    "SELECT SUM(POWER(1 + h * 20000 + a, -0.5)), SUM(LN(2 + x * 10000 + 10000)) FROM t",
    "SELECT SUM((a * 1000000007 + 1) * (h * 1000000009 + 1)), AVG((a * 1000000007 + x) * (h * 1000000009 - x)) FROM t",
    "SELECT AVG((a * 100000000003 + x) * (h * 100000000019 - x) / (1 + a * 999983)) FROM t",
    "SELECT SUM(LEAST(x, h, a)), SUM(GREATEST(x, h - 5)), SUM(LEAST(x / (1 + h), h / a)), MIN(GREATEST(d, d)) FROM t",
    "SELECT SUM(ROUND(x, 0)), SUM(ROUND(x - 0.25, 1)), SUM(TRUNC(x * 3)), SUM(FLOOR(x / 3)), SUM(CEIL(x / 3)) FROM t",
    "SELECT SUM(MOD(x * 3, 2)), SUM(MOD(-h, 2)), SUM(ABS(x)), SUM(SIGN(x)), SUM(x // 2) FROM t",
    "SELECT SUM(EXTRACT(year FROM d)), SUM(EXTRACT(quarter FROM d + 90 * h)), "
    "SUM(EXTRACT(month FROM d + 40 * h)) FROM t",
    "SELECT SUM(EXTRACT(day FROM d - 9 * a)), SUM(EXTRACT(doy FROM d - 9 * a)), SUM(EXTRACT(dow FROM d)) FROM t",
    "SELECT SUM(EXTRACT(isodow FROM d)), MAX(DATE_TRUNC('week', d - 3 * h)), MIN(DATE_TRUNC('quarter', "
    "d - 9 * a)) FROM t",
    "SELECT MAX(DATE_TRUNC('year', d - 300000)), MIN(DATE_TRUNC('month', d - 20000)), "
    "SUM(d - DATE '1969-01-01') FROM t",
    "SELECT SUM(EXTRACT(year FROM d - 300000 * (h - 1))), SUM(EXTRACT(dow FROM d - 700000)) FROM t",
    "SELECT SUM(LENGTH(UPPER(s))), COUNT(*) FILTER (WHERE s LIKE '_o'), SUM(LENGTH(g)) FROM t",
    "SELECT COUNT(*) FILTER (WHERE x > h), COUNT(*) FILTER (WHERE h / a > 0.4), COUNT(NULLIF(x, h)) FROM t",
    "SELECT SUM(h) FILTER (WHERE NOT (x < h AND b)), AVG(x) FILTER (WHERE x IS DISTINCT FROM h) FROM t WHERE h <> a",
    "SELECT SUM(CASE WHEN h > 1 THEN 70000 ELSE 1 END * CASE WHEN a > 3 THEN 70000 ELSE 2 END) FROM t",
    "SELECT SUM(LN(1 + (h * 10000000000 + a) * (a * 10000000000 + h))), "
    "SUM(EXP(h) * EXP(a) * LN(a) * LN(a + 1)) FROM t",
    "SELECT g, SUM(h * k), AVG(x * h) FROM t GROUP BY g",
    "SELECT SUM(CASE WHEN g <> 'n' THEN h END), COUNT(CASE WHEN g = 's' THEN h + x END), "
    "SUM(CASE WHEN s NOT LIKE '_o' THEN DATE_DIFF('week', d - 30 * h, d) END) FROM t",
    "SELECT COUNT(*) FILTER (WHERE (a * 1000000007 + x) * (h * 1000000009 - x) > 10 * a), "
    "SUM(h) FILTER (WHERE h * 70000 * a * 70000 > x + 1), AVG(h * 100000000019 * a * 100000000003 > x) FROM t",
    "SELECT COUNT(*) FILTER (WHERE NULLIF(s, 'no') LIKE '_o'), COUNT(*) FILTER (WHERE UPPER(NULLIF(s, 'no')) <> 'A'), "
    "COUNT(*) FILTER (WHERE NOT (CASE WHEN b THEN s ELSE 'z' END || '!' LIKE 'n%')) FROM t WHERE h <> a",
    "SELECT SUM(x * 0), SUM(CASE WHEN x > 0 THEN h WHEN b THEN a END), COUNT(CASE WHEN x * 0 = 0 THEN 1 END) FROM t",
]
"""Quotients, roots and so on, looked up and corrected, whole numbers beyond 63 bits, early dates, missing values."""
ALL = [*((sql, given) for _, sql, given in QUESTIONS), *((sql, {"bits": 40}) for sql in MORE)]


def asked(curator: nl.Curator) -> list:
    found = []
    for sql, given in ALL:
        answer = bought(curator, sql, **({"error": 1000} if "error" in given else given))
        found.append((sql, shown(answer), answer.factor, answer.guarantee.count, certificate(answer)))
    return found


@pytest.fixture(scope="module")
def small():
    """Many people, each with something unusual."""
    return table([*(row for name in RAW for row in rows_of(name)), *OTHERS[-1]])


@pytest.fixture(scope="module")
def answers(small):
    with nl.Curator.open(small, SCHEMA, 9000, table="t", store=":memory:") as curator:
        return asked(curator)


def test_the_same_answers_and_certificates_to_functions(way, small, answers):
    with way.open(small, SCHEMA) as curator:
        for found, expected in zip(asked(curator), answers, strict=True):
            assert found == expected
