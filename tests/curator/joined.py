"""Public tables beside the small table: look-ups of every kind of column, with and without a row for each value."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache

import pyarrow as pa

import noiseless as nl
from noiseless.curator.dataset.public_tables import read_public_tables
from noiseless.curator.engines.request import Request
from tests.curator.small import OTHERS, fresh, prepared

SIZES = pa.table({"s": ["no", "yes"], "weight": [1, 5], "word": ["small", "large"], "maybe": [None, 7.5]})
"""Nothing is known about 'unknown'."""
LANDS = pa.table({"g": ["n", "s", "e", "w"], "land": ["up", "up", "down", "far"], "area": [10, 20, 25, 99]})
BANDS = pa.table({"band": [2, 4, 6, 8], "level": [3, 0, 3, 9], "s": ["yes", "no", "no", "no"]})
DAYS = pa.table({"day": [date(2024, 1, 1), date(2024, 1, 2)], "work": [True, False], "next": [date(2024, 2, 1)] * 2})
FLAGS = pa.table({"flag": [True, False], "name": ["on", "off"], "worth": [2, 5]})
GIVEN = {
    "sizes": {"source": SIZES, "key": "s"},
    "lands": {"source": LANDS, "key": "g"},
    "bands": {"source": BANDS, "key": "band"},
    "days": {"source": DAYS, "key": "day"},
    "flags": {"source": FLAGS, "key": "flag"},
}
TABLES = read_public_tables(GIVEN, Request("t"))
QUESTIONS: list[tuple[str, str, dict]] = [
    ("s", "SELECT COUNT(*) FROM t JOIN sizes USING (s)", {}),
    ("s", "SELECT COUNT(*) FROM t LEFT JOIN sizes USING (s)", {}),
    ("s", "SELECT word, COUNT(*) FROM t JOIN sizes USING (s) GROUP BY word", {}),
    ("s", "SELECT word, COUNT(*) FROM t LEFT JOIN sizes ON t.s = sizes.s GROUP BY word", {}),
    ("s", "SELECT SUM(weight) FROM t JOIN sizes USING (s)", {"bits": 2}),
    ("s", "SELECT SUM(z.weight), COUNT(z.weight) FROM t LEFT JOIN sizes AS z ON z.s = t.s", {"bits": 3}),
    ("s", "SELECT AVG(maybe), COUNT(*) FROM t JOIN sizes USING (s)", {"bits": 3}),
    ("s", "SELECT COUNT(*) FROM t LEFT JOIN sizes USING (s) WHERE maybe IS NULL", {}),
    ("s", "SELECT COUNT(word), COUNT(DISTINCT weight) FROM t LEFT JOIN sizes USING (s)", {}),
    ("s h", "SELECT SUM(h * weight) FROM t LEFT JOIN sizes USING (s)", {"bits": 2}),
    ("s h", "SELECT AVG(h) FROM t JOIN sizes USING (s) WHERE weight > 2", {"bits": 2}),
    ("h", "SELECT land, SUM(h) FROM t JOIN lands USING (g) GROUP BY land", {"bits": 2}),
    (
        "h",
        "SELECT land, AVG(h), MAX(area) FROM t JOIN lands ON t.g = lands.g GROUP BY land ORDER BY 2",
        {"bits": 2},
    ),
    ("h", "SELECT k, land, SUM(h * area) FROM t JOIN lands USING (g) WHERE area < 25 GROUP BY k, land", {"bits": 2}),
    ("s", "SELECT land, word, COUNT(*) FROM t JOIN lands USING (g) JOIN sizes USING (s) GROUP BY land, word", {}),
    ("h", "SELECT FLOOR(area / 20) AS f, SUM(h) FROM t JOIN lands USING (g) GROUP BY f HAVING f > 0", {"bits": 2}),
    ("a", "SELECT level, COUNT(*) FROM t JOIN bands ON a = band GROUP BY level", {}),
    ("a", "SELECT SUM(z.weight) FROM t JOIN bands AS b ON a = b.band JOIN sizes AS z ON b.s = z.s", {"bits": 1}),
    ("a", "SELECT COUNT(*) FROM t JOIN bands ON a + 2 = band WHERE level = 9", {}),
    ("d", "SELECT work, COUNT(*) FROM t LEFT JOIN days ON d = day GROUP BY work", {}),
    ("d", "SELECT COUNT(*) FROM t JOIN days ON d = day WHERE work", {}),
    ("d", "SELECT COUNT(*) FROM t LEFT JOIN days ON d = day WHERE NOT work OR next IS NULL", {}),
    ("b", "SELECT name, COUNT(*) FROM t JOIN flags ON b = flag GROUP BY name", {}),
    ("b", "SELECT COUNT(*) FROM t LEFT JOIN flags ON b = flag WHERE name LIKE 'o%f'", {}),
    ("b", "SELECT SUM(worth), COUNT(worth) FROM t LEFT JOIN flags ON b = flag", {"bits": 4}),
    ("s a", "SELECT COUNT(*) FILTER (WHERE weight > level) FROM t JOIN sizes USING (s) JOIN bands ON a = band", {}),
]


@cache
def dataset(others: int, row: tuple):
    """The small table with public tables, prepared once."""
    return replace(prepared(row, *OTHERS[others])._dataset, public_tables=TABLES)


def curator(others: int, row: tuple, tables=None) -> nl.Curator:
    """A curator of the small table that knows public tables, with nothing asked yet."""
    known = dataset(others, row)
    asked = fresh(nl.Curator(known, None))
    return asked if tables is None else nl.Curator(replace(known, public_tables=tables), asked._account)
