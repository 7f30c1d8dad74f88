"""A released copy and questions before and after it: one person's data cause no more transcripts than was charged."""

from __future__ import annotations

from functools import cache
from itertools import product

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from tests.curator.small import fresh

SCHEMA = nl.Schema(h=nl.Integer(0, 5), s=nl.Category("no", "yes", "maybe"), g=nl.Public("n", "s"))
OTHERS = [[], [(3, "yes", "n")], [(5, "no", "n"), (1, "maybe", "s")]]
GROUPS = {"s": {"no": "no", "yes": "not no", "maybe": "not no"}}
STEPS = {
    "sum": lambda c, to: c.ask("SELECT SUM(h) FROM t", error=1),
    "mean": lambda c, to: c.ask("SELECT AVG(h) FROM t", bits=1),
    "finer": lambda c, to: c.ask("SELECT SUM(h) FROM t", error=0),
    "count": lambda c, to: c.ask("SELECT COUNT(*) FROM t WHERE h >= 2"),
    "both": lambda c, to: c.ask("SELECT COUNT(*) FROM t WHERE h >= 4 AND s = 'yes'"),
    "histogram": lambda c, to: c.ask("SELECT s, COUNT(*) FROM t GROUP BY s"),
    "median": lambda c, to: c.ask("SELECT MEDIAN(h) FROM t", bits=1),
    "halves": lambda c, to: c.release(to, bits={"h": 1}, levels={"s": 1}, hierarchies=GROUPS),
    "thirds": lambda c, to: c.release(to, bits={"h": "1.6"}, columns=["h"]),
    "fours": lambda c, to: c.release(to, error={"h": "0.5"}, levels={"s": 0}),
}
PATHS = [
    ("halves", "sum"),
    ("halves", "finer"),
    ("thirds", "mean", "count"),
    ("sum", "halves", "finer"),
    ("fours", "histogram"),
    ("fours", "both", "finer"),
    ("histogram", "halves"),
    ("thirds", "halves"),
    ("halves", "thirds", "fours"),
    ("count", "thirds", "median"),
    ("halves", "median", "sum"),
]


@cache
def opened(rows):
    """A curator of these people; for every path the same table with nothing asked yet."""
    table = pa.table({name: [row[k] for row in rows] for k, name in enumerate("hsg")})
    return nl.Curator.open(table, SCHEMA, budget=60, table="t")


def transcript(rows, path, folder):
    """All that is seen of a path, and what it was charged."""
    seen: list[tuple]
    seen, curator = [], fresh(opened(tuple(rows)), 60)
    for place, step in enumerate(path):
        to = folder / f"{place}.parquet"
        to.unlink(missing_ok=True)
        result = STEPS[step](curator, to)
        if isinstance(result, nl.Microdata):
            seen.append(tuple(tuple(row.values()) for row in pq.read_table(to).to_pylist()))
        else:
            seen.append(tuple(str(row) for row in result.rows))
    return tuple(seen), curator.sequence.spent('["n"]')


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_transcripts_stay_within_the_charge(path, tmp_path):
    for others in OTHERS:
        found = [
            transcript([(h, s, "n"), *others], path, tmp_path) for h, s in product(range(6), ("no", "yes", "maybe"))
        ]
        charged = {spent for _, spent in found}
        assert len(charged) == 1
        assert len({seen for seen, _ in found}) <= charged.pop()


def test_a_copy_counted_as_a_plain_question_would_undercharge(tmp_path):
    """Thirds of six codes, then halves of the three that are left, cut elsewhere: counted anew each time it is safe;
    taken for the same cells it would not be.
    """
    path = ("thirds", "halves")
    found = {transcript([(h, "no", "n")], path, tmp_path)[0] for h in range(6)}
    assert len(found) == 4 > 3
