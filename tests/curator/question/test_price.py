"""What questions cost, counted once more by brute force over all that one person's rows can be."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.plan.part import Part
from noiseless.curator.question import price
from noiseless.curator.question.price import Prices, union, without_implied
from noiseless.curator.question.understand import Wanted, understand
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.total import Total
from noiseless.privacy.composition import questions as q
from noiseless.privacy.composition.sequence import EVERYBODY, Sequence

PUBLIC = ("n", "n", "s", "s", "n", "s")
BIT = nl.Integer(0, 1)


@cache
def opened(rows: int, top: int = 1, groups: tuple[str, ...] = PUBLIC) -> nl.Curator:
    """Codes of 0 to top in column x, of 0 and 1 in y, in public groups; a person has at most so many rows."""
    table = pd.DataFrame({"x": [0] * len(groups), "y": [0] * len(groups), "g": groups})
    table = table.assign(home=list(range(len(groups))), day=[1] * len(groups))
    unit = {"unit": "home", "rows": rows, "order_by": "day"} if rows > 1 else {}
    more = {"day": nl.Public()} if rows > 1 else {}
    schema = nl.Schema(x=nl.Integer(0, top), y=BIT, g=nl.Public(*sorted(set(groups))), **more, **unit)
    return nl.Curator.open(table, schema, budget=900, table="t", store=":memory:")


def started(prices, budget) -> Sequence:
    names = prices.names() if prices.celled else None
    return Sequence.start(prices.values(), budget=budget, cells=names, rows=prices.rows)


def brute(rows: int, numbers) -> int:
    """The most answers over all places that a person's rows have, everybody else's codes being 0 or 1."""
    most = 0
    for places, others in product(product("ns", repeat=rows), range(4)):
        own = product(product((0, 1), repeat=2), repeat=rows)
        most = max(most, len({numbers(list(zip(places, values, strict=True)), others) for values in own}))
    return most


def sums(widths):
    """Sums of x and of y in each group, in bins of given widths; None if not asked."""

    def numbers(rows, others):
        return tuple(
            (others + sum(values[column] for place, values in rows if place == group)) // width
            for group, column, width in widths
        )

    return numbers


MEANS = [
    ("SELECT g, AVG(x), AVG(y) FROM t GROUP BY g", [("n", 0), ("n", 1), ("s", 0), ("s", 1)]),
    ("SELECT g, AVG(x) FROM t GROUP BY g", [("n", 0), ("s", 0)]),
    ("SELECT AVG(x), AVG(y) FROM t WHERE g = 'n'", [("n", 0), ("n", 1)]),
    ("SELECT SUM(x) FROM t WHERE g = 's'", [("s", 0)]),
]


@pytest.mark.parametrize(("sql", "asked"), MEANS, ids=[sql for sql, _ in MEANS])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_counts_of_means_by_public_groups(sql, asked, rows):
    curator = opened(rows)
    found = understand(sql, curator._dataset, Wanted(error=0))
    assert set(found.widths.values()) == {1}
    expected = brute(rows, sums([(*each, 1) for each in asked]))
    assert Prices(curator._dataset).count(found.widths) == expected
    assert curator.preview(sql, error=0).guarantee.count == expected
    per_row = Prices(curator._dataset).of_one_row()
    assert per_row.rows == 1
    assert per_row.count(found.widths) == brute(1, sums([(*each, 1) for each in asked]))


def test_two_means_share_their_groups():
    """Sixteen answers: two rows in different groups, each with four values. Counted apart they would be four."""
    curator = opened(2)
    assert curator.preview("SELECT g, AVG(x), AVG(y) FROM t GROUP BY g", error=0).guarantee.count == 16
    answer = curator.ask("SELECT g, AVG(x), AVG(y) FROM t GROUP BY g", error=0)
    assert answer.factor == 16
    assert nl.verify(answer.certificate).count == 16


def total(cells, width_of=BIT, name="x", size=3):
    return Total(Part(tuple(cells), size), name, width_of, 0)


def test_releases_that_share_cells_are_one_group():
    a, b, c, d = total([0]), total([0, 1], name="y"), total([1, 2]), total([5])
    groups = {frozenset(group) for group in price._groups({a: 1, b: 1, c: 1, d: 1})}
    assert groups == {frozenset({a, b, c}), frozenset({d})}
    assert [*map(len, price._groups({a: 1, total([1]): 1, total([2]): 1}))] == [1, 1, 1]
    chain = {total([0]): 1, total([1]): 1, total([0, 1], name="y"): 1}
    assert [*map(len, price._groups(chain))] == [3]


def test_only_groups_that_can_have_more_answers_are_looked_at():
    large, small = total([0], size=5), total([1], size=3)
    widths = {large: 2, small: 2}
    assert price._largest_of_each_shape([[large], [small]], widths) == [[large]]
    assert price._largest_of_each_shape([[small], [large]], widths) == [[large]]
    assert price._largest_of_each_shape([[large], [small]], {large: 2, small: 1}) == [[large], [small]]
    assert price._largest_of_each_shape([[large], [total([1], size=5)]], {large: 2, total([1], size=5): 2}) == [[large]]
    other = total([2], name="y", size=9)
    assert price._largest_of_each_shape([[large], [other]], {large: 2, other: 2}) == [[large], [other]]
    crossed = [[total([0], size=5), total([0], name="y", size=1)], [total([1], size=1), total([1], name="y", size=5)]]
    flat = {release: 1 for group in crossed for release in group}
    assert price._largest_of_each_shape(crossed, flat) == crossed


def test_groups_of_different_sizes_and_widths():
    """The largest group decides, and none is forgotten: one row of M = 4 in the second group has five answers."""
    wide = nl.Integer(0, 4)
    curator = opened(2, 4, ("n", "s", "s", "s"))
    prices = Prices(curator._dataset)
    n, s = total([0], wide, size=1), total([1], wide, size=3)
    assert prices.count({n: 1, s: 1}) == max(5 * 5, 9)
    assert prices.count({n: 4, s: 1}) == max(5 * 5, 9)  # both groups as if they were the dearest
    assert prices.count({s: 1}) == 9
    assert prices.count({n: 1}) == 5


def test_the_accounts_of_a_ledger():
    curator = opened(1)
    prices = Prices(curator._dataset)
    assert (prices.rows, prices.celled, prices.values()) == (1, True, {"x": 2, "y": 2})
    start = started(prices, 7)
    assert (start.budget, sorted(start.cells), start.rows) == (7, ['["n"]', '["s"]'], 1)
    north = total([0])
    assert prices.questions([{north: 1}]) == {'["n"]': q.PlainSum("x", 1, 3, 1)}
    both = prices.questions([{north: 1}, {total([0, 1], name="y", size=6): 2}])
    assert both['["s"]'] == q.PlainSum("y", 2, 6, 1)
    assert both['["n"]'] == q.Together((q.PlainSum("x", 1, 3, 1), q.PlainSum("y", 2, 6, 1)))
    assert prices.questions([]) == prices.questions([{}]) == {}
    assert prices.count({}) == 1
    curator = opened(3)
    prices = Prices(curator._dataset)
    assert (prices.rows, prices.celled) == (3, False)
    assert prices.questions([]) == prices.questions([{}]) == {}
    start = started(prices, 7)
    assert ([*start.cells], start.rows, start.cells[""].remaining) == ([EVERYBODY], 3, {"x": 4, "y": 4})
    whole = total([0, 1], size=6)
    assert prices.questions([{whole: 2}]) == {EVERYBODY: q.PlainSum("x", 2, 6, 1)}
    part = Total(Part((0,), 3, whole=False), "x", BIT, 0)
    assert prices.questions([{part: 1}]) == {EVERYBODY: q.OtherQuestion(("x",), 4)}
    mixed = prices.questions([{part: 1}, {whole: 1}])
    assert mixed == {EVERYBODY: q.OtherQuestion(("x",), 4 * 4)}
    refined = RefinedTotal(part, 2)
    assert prices.questions([{refined: 1}]) == prices.questions([{part: 1}])
    condition = understand("SELECT COUNT(*) FROM t WHERE x = 1", curator._dataset, Wanted())
    assert prices.questions([condition.widths]) == {EVERYBODY: q.OtherQuestion(("x",), 4)}
    assert prices.questions([{RefinedTotal(whole, 2): 1}]) == {EVERYBODY: q.Refinement("x", 2, 1)}


def test_many_public_cells_keep_one_account(monkeypatch):
    curator = opened(1)
    monkeypatch.setattr(price, "MOST_CELLS", 2)
    assert Prices(curator._dataset).celled
    monkeypatch.setattr(price, "MOST_CELLS", 1)
    prices = Prices(curator._dataset)
    assert not prices.celled
    assert [*started(prices, 7).cells] == [EVERYBODY]
    whole = total([0, 1], size=6)
    assert prices.questions([{whole: 1}]) == {EVERYBODY: q.PlainSum("x", 1, 6, 1)}
    condition = understand("SELECT COUNT(*) FROM t WHERE x = 1", curator._dataset, Wanted())
    assert prices.questions([condition.widths]) == {EVERYBODY: q.ExactThreshold("x", 1, 2)}
    nobody = pd.DataFrame({"x": [0], "g": ["n"]})[:0]
    with nl.Curator.open(nobody, nl.Schema(x=BIT, g=nl.Public("n")), budget=1) as empty:
        assert not Prices(empty._dataset).celled


def test_one_public_cell_is_told_apart_too():
    prices = Prices(opened(1, 1, ("n",))._dataset)
    assert prices.celled
    assert [*started(prices, 3).cells] == ['["n"]']


def test_batches():
    curator = opened(1)
    prices = Prices(curator._dataset)
    x, y = total([0, 1], nl.Integer(0, 9), size=6), total([0, 1], name="y", size=6)
    assert prices.joint([{x: 1}, {y: 1}]) == prices.count({x: 1, y: 1}) == 4
    assert prices.joint([{x: 1}, {x: 1}]) == prices.count({x: 1})
    assert union([{x: 1}, {y: 2}, {x: 1}]) == {x: 1, y: 2}
    curator = opened(2)
    prices, whole = Prices(curator._dataset), total([0, 1], size=6)
    assert prices.joint([{whole: 1}, {whole: 1}]) == prices.count({whole: 1}) ** 2 == 9


def test_a_count_that_a_mean_tells_anyway():
    curator = opened(1)
    both = understand("SELECT AVG(x), COUNT(*) FROM t WHERE y = 1", curator._dataset, Wanted(bits=4)).widths
    assert {type(release) for release in both} == {FilteredMean, HeadCount}
    assert {type(release) for release in without_implied(both)} == {FilteredMean}
    prices = Prices(curator._dataset)
    assert prices.count(both) == prices.count(without_implied(both))
    apart = understand("SELECT COUNT(*) FROM t WHERE x = 1", curator._dataset, Wanted()).widths
    assert len(without_implied({**both, **apart})) == 2
    assert prices.count(union([both, apart])) > prices.count(both)


def test_people_of_one_row_are_in_one_group():
    """Rule E: groups do not multiply, and the dearest decides."""
    curator = opened(1, 9)
    prices = Prices(curator._dataset)
    n, s = total([0], nl.Integer(0, 9)), total([1], nl.Integer(0, 9))
    assert prices.count({n: 1, s: 9}) == prices.count({n: 9, s: 1}) == 10
    assert prices.count({n: 9, s: 9}) == 2
    assert prod([prices.count({n: 9}), prices.count({s: 9})]) == 4
