"""Attacks known from TableBuilder and Diffix: differencing, averaging, bisection. All stay within the charged count.

The adversary knows everybody else's rows and wants one person's value. What they learn is which of the charged number
of classes it is in: with every value tried out, there are never more different transcripts than were paid for.
"""

from __future__ import annotations

from functools import cache

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.small import fresh

OTHERS = [(3, "a"), (9, "a"), (14, "b"), (6, "b"), (11, "a")]
VALUES = range(16)
SCHEMA = nl.Schema(v=nl.Integer(0, 15), g=nl.Public("a", "b"))


@cache
def prepared(value: int) -> nl.Curator:
    rows = [(value, "a"), *OTHERS]
    table = pa.table({"v": [row[0] for row in rows], "g": [row[1] for row in rows]})
    return nl.Curator.open(table, SCHEMA, budget=9, table="t", store=":memory:")


def opened(value: int, bits: int) -> nl.Curator:
    """A curator with nothing asked yet; the table is prepared once."""
    return fresh(prepared(value), bits)


def differencing(ask):
    """Everybody, and everybody but one group; a filter that excludes nobody else."""
    everybody = ask("SELECT SUM(v) FROM t", bits=2).value
    without = ask("SELECT SUM(v) FROM t WHERE g = 'b'", bits=2).value
    return (
        everybody - without,
        ask("SELECT COUNT(*) FROM t WHERE v <> 3").value,
        ask("SELECT AVG(v) FROM t", bits=3).value,
    )


def averaging(ask):
    """The same again and again, in other words: noise would average out, bins do not."""
    forms = ["SELECT AVG(v) FROM t", "SELECT SUM(v) / COUNT(*) FROM t", "SELECT avg(V) AS x FROM T"]
    return tuple(ask(sql, bits=2).value for sql in forms * 5)


def bisection(ask):
    """Where is the value? Each count halves what is left."""
    low, high = 0, 16
    known = {bound: sum(v >= bound for v, _ in OTHERS) for bound in VALUES}
    while high - low > 1:
        middle = (low + high) // 2
        above = ask(f"SELECT COUNT(*) FROM t WHERE v >= {middle}").value > known[middle]
        low, high = (middle, high) if above else (low, middle)
    return low


def shifting(ask):
    """Sums with ever other groups and bins, to move the edges over the value."""
    asked = ["SELECT SUM(v) FROM t", "SELECT SUM(v) FROM t WHERE g = 'a'", "SELECT SUM(v) FROM t WHERE v >= 2"]
    return tuple(ask(sql, bits=bits).value for bits in (2, 3, 1) for sql in asked if bits > 1 or "v >=" not in sql)


@pytest.mark.parametrize("bits", [1, 2, 3, 5])
@pytest.mark.parametrize("attack", [differencing, averaging, bisection, shifting])
def test_no_more_is_learned_than_was_paid_for(attack, bits):
    seen, spent = set(), set()
    for value in VALUES:
        curator, told = opened(value, bits), []

        def ask(sql, curator=curator, told=told, **given):
            rows = curator.ask(sql, **given).rows
            told.append(repr(rows))
            return rows[0]

        try:
            told.append(attack(ask))
        except nl.BudgetExceededError:
            told.append("refused")
        seen.add(tuple(map(str, told)))
        spent.add(curator.sequence.spent())
    assert len(seen) <= max(spent) <= 2**bits


def test_averaging_is_free_and_useless():
    curator = opened(7, 2)

    def ask(sql, **given):
        return curator.ask(sql, **given).rows[0]

    assert len(set(averaging(ask))) == 1
    assert curator.remaining == 0


def test_bisection_finds_the_value_only_if_it_is_paid_for():
    rich, poor = opened(7, 4), opened(7, 3)
    assert bisection(lambda sql: rich.ask(sql).rows[0]) == 7
    with pytest.raises(nl.BudgetExceededError):
        bisection(lambda sql: poor.ask(sql).rows[0])
