"""Tiny tables for the weighted ledger: who may hold what, and everything that may be asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

import noiseless as nl
from noiseless import Bins, GuardedOther, GuardedSum
from noiseless.privacy.composition.stable import stable_kth
from tests.laws.weighted import Asked, Game, batch, by_the_rule, guarded


@dataclass(frozen=True)
class World:
    """One person's possible records, all data of the others, and a menu of questions."""

    columns: Mapping[str, int]
    menu: list[Asked]
    records: list
    others: list[tuple]
    cells: tuple[str, ...] | None = None
    rows: int = 1

    def most(self, budget, rule=by_the_rule):
        """The most transcripts of one person, over all strategies and all data of the others."""
        start = nl.Sequence.start(self.columns, budget=budget, cells=self.cells, rows=self.rows)
        return Game(start, self.menu, rule).worst(self.records, self.others)


def variance(codes):
    """nΣc² − (Σc)²."""
    codes = tuple(codes)
    return len(codes) * sum(code * code for code in codes) - sum(codes) ** 2


def stable_order(rule=stable_kth):
    """Codes 0..3 of three people: order statistics at the finest stable level, beside guarded sums and counts."""

    def level(widths, rank, prices):
        def answer(codes):
            found = sorted(codes)
            first = next(k for k, width in enumerate(widths) if width > 3 or rule(found, rank, 3, Bins(width)))
            return first, found[rank - 1] // widths[first]

        return Asked(nl.Levels(("x",), prices), answer)

    ladders = [((1, 2, 4), (2, 4, 4)), ((1, 2, 4), (3, 3, 3)), ((2, 4), (Fraction(3, 2), 3)), ((1, 3, 4), (6, 3, 2))]
    menu = [level(widths, rank, prices) for (widths, prices), rank in product(ladders, (1, 2, 3))]
    menu += [
        guarded(Bins(wide, 3), sum, price, lambda bins: GuardedSum("x", bins, 3, 3))
        for wide, price in product((3, 5), (2, 3))
    ]
    menu.append(Asked(nl.OtherQuestion(("x",), 2), lambda codes: sum(code >= 2 for code in codes)))
    return World({"x": 4}, menu, list(range(4)), list(product(range(4), repeat=2)))


def sums_in_all_widths():
    """Codes 0..4 of three people: guarded sums of all widths up to 5, at every phase, with many weights."""
    loud = [Fraction(5, 4), Fraction(4, 3), Fraction(3, 2), 2, Fraction(5, 2), 3, 4, 6]
    widths = range(1, 6)
    menu = [
        guarded(Bins(wide, guard), sum, price, lambda bins: GuardedSum("x", bins, 3, 4))
        for wide, guard, price in product(widths, widths, loud)
    ]
    return World({"x": 5}, menu, list(range(5)), [(min(s, 4), max(s - 4, 0)) for s in range(9)])


def all_kinds_of_one_column():
    """Codes 0..3 of two people: sums, counts, sums under a condition, variance, batches, equal bins, refinements."""

    def of_sum(bins):
        return GuardedSum("x", bins, 2, 3)

    def other(window):
        return lambda bins: GuardedOther(("x",), bins, window)

    def from_2(data):
        return sum(x for x in data if x >= 2)

    def about_2(data):
        return sum(x - 2 for x in data if x != 1)

    def count(data):
        return sum(x >= 2 for x in data)

    loud = [Fraction(4, 3), 2, 4]
    menu = [Asked(nl.PlainSum("x", w, 2, 3), lambda d, w=w: sum(d) // w, None, lambda _, w=w: w) for w in (1, 2, 3)]  # type: ignore[misc]
    menu += [Asked(nl.ExactThreshold("x", t, 4), lambda d, t=t: sum(x >= t for x in d)) for t in (1, 2)]  # type: ignore[misc]
    menu += [Asked(nl.OtherQuestion(("x",), 2), lambda d: 1 in d), Asked(nl.KthSmallest("x", 1, 4), min)]
    menu += [Asked(nl.Refinement("x", w, 1), sum, needs=w) for w in (2, 3)]
    for price in loud:
        sizes = [(3, 3, 0), (4, 3, 1), (3, 4, 2), (2, 2, 0), (2, 1, 1), (1, 1, 0)]
        menu += [guarded(Bins(*size), sum, price, of_sum) for size in sizes]
        menu += [guarded(Bins(wide, 1), count, price, other(2)) for wide in (1, 2)]
        menu += [guarded(Bins(3, 3, origin), from_2, price, other(4)) for origin in (0, 2, 4)]
        menu += [guarded(Bins(3, 3, origin), about_2, price, other(4)) for origin in (0, 1, 5)]
        menu += [guarded(Bins(9, 9, origin), lambda d: variance(d), price, other(10)) for origin in (0, 1, 4, 12)]
    menu += [
        Asked(nl.Refinement("x", 4, 2), lambda d: (sum(d) - 1) % 7 // 2, needs=(sum, Bins(4, 3, 1), False)),
        Asked(nl.Refinement("x", 3, 1), sum, needs=(sum, Bins(4, 3, 1), True)),
    ]
    for price in (3, 4, 6):
        two = [(of_sum(Bins(3, 3, origin)), sum) for origin in (0, 1)]
        menu += [batch(two, price), batch([two[0], (other(2)(Bins(1, 1)), count)], price)]
        menu.append(batch([(other(4)(Bins(3, 3, 2)), from_2), (other(2)(Bins(1, 1)), count)], price))
    menu.append(
        Asked(nl.Together((of_sum(Bins(3, 3)), nl.PlainSum("x", 2, 2, 3))), lambda d: (sum(d) // 3, sum(d) // 2))
    )
    return World({"x": 4}, menu, list(range(4)), [(x,) for x in range(4)])


def two_columns():
    """Codes 0..2 in x and 0..1 in y of two people."""

    def of(place):
        return lambda data: sum(record[place] for record in data)

    def both(data):
        return sum(x >= 1 and y == 1 for x, y in data)

    def x_where_y(data):
        return sum(x for x, y in data if y == 1)

    of_x, of_y = of(0), of(1)
    menu = [Asked(nl.PlainSum("x", w, 2, 2), lambda d, w=w: of_x(d) // w) for w in (1, 2)]  # type: ignore[misc]
    menu += [Asked(nl.PlainSum("y", 1, 2, 1), of_y), Asked(nl.OtherQuestion(("x", "y"), 2), both)]
    for price in (Fraction(3, 2), 2, 3):
        menu += [
            guarded(Bins(w, g, o), of_x, price, lambda b: GuardedSum("x", b, 2, 2))
            for w, g, o in ((2, 2, 0), (2, 2, 1), (3, 2, 3), (1, 1, 0))
        ]
        menu.append(guarded(Bins(1, 1), of_y, price, lambda b: GuardedSum("y", b, 2, 1)))
        menu.append(guarded(Bins(1, 1), both, price, lambda b: GuardedOther(("x", "y"), b, 2)))
        menu += [
            guarded(Bins(2, 2, o), x_where_y, price, lambda b: GuardedOther(("x", "y"), b, 3)) for o in (0, 1, 2, 3)
        ]
    x_and_y = [(GuardedSum("x", Bins(2, 2), 2, 2), of_x), (GuardedSum("y", Bins(1, 1), 2, 1), of_y)]
    menu += [batch(x_and_y, price) for price in (4, 6)]
    menu += [batch([x_and_y[1], (GuardedOther(("x", "y"), Bins(2, 2, 1), 3), x_where_y)], price) for price in (4, 6)]
    records = list(product(range(3), range(2)))
    return World({"x": 3, "y": 2}, menu, records, [(record,) for record in records])


def a_public_cell(home):
    """Codes 0..3 of two people who live in the north or the south: totals of all, of a cell, and GROUP BY."""

    def inside(where, statistic):
        return lambda data: statistic([x for cell, x in data if where is None or cell in where])

    def of_sum(bins):
        return GuardedSum("x", bins, 2, 3)

    menu = []
    for where in (None, ("north",), ("south",)):
        total, ones = inside(where, sum), inside(where, lambda codes: codes.count(1))
        menu += [Asked(nl.PlainSum("x", w, 2, 3), lambda d, w=w, f=total: f(d) // w, where) for w in (1, 2)]  # type: ignore[misc]
        menu.append(Asked(nl.OtherQuestion(("x",), 2), ones, where))
        for price in (Fraction(4, 3), 2, 4):
            menu += [guarded(Bins(*size), total, price, of_sum, where) for size in ((3, 3, 0), (3, 4, 1), (1, 1, 0))]
            menu.append(guarded(Bins(1, 1), ones, price, lambda bins: GuardedOther(("x",), bins, 2), where))
    for price in (Fraction(3, 2), 3):
        per_cell = {"north": (Bins(3, 3), Fraction(price)), "south": (Bins(4, 3, 1), Fraction(2))}
        asked = {cell: nl.Weighted((of_sum(bins),), loud) for cell, (bins, loud) in per_cell.items()}
        menu.append(
            Asked(
                asked,
                lambda d, p=per_cell: tuple((c, (bins.place(inside((c,), sum)(d)),)) for c, (bins, _) in p.items()),  # type: ignore[misc]
            )
        )
    homes = ("north", "south")
    records = [(home, x) for x in range(4)]
    return World({"x": 4}, menu, records, [(other,) for other in product(homes, range(4))], cells=homes)


def in_the_north():
    """What a person in the north can cause."""
    return a_public_cell("north")


def in_the_south():
    """What a person in the south can cause, where GROUP BY has other bins and weights."""
    return a_public_cell("south")


def two_rows():
    """Codes 0..2 in two rows of one person and two rows of others; a group holds the first row and one other."""

    def codes(data):
        (own, *others) = data
        return (*own, *others)

    def of(statistic):
        return lambda data: statistic(codes(data))

    def other(window):
        return lambda bins: GuardedOther(("x",), bins, window)

    total, from_1 = of(sum), of(lambda all_codes: sum(x >= 1 for x in all_codes))
    twos, first = of(lambda all_codes: sum(x for x in all_codes if x == 2)), of(lambda all_codes: sum(all_codes[::2]))
    spread = of(variance)
    menu = [Asked(nl.PlainSum("x", w, 4, 2), lambda d, w=w: total(d) // w, None, lambda _, w=w: w) for w in (1, 2, 3)]  # type: ignore[misc]
    menu += [Asked(nl.OtherQuestion(("x",), 3), from_1), Asked(nl.Refinement("x", 2, 1), total, needs=2)]
    for price in (Fraction(4, 3), 2, 3):
        menu += [
            guarded(Bins(w, g, o), total, price, lambda b: GuardedSum("x", b, 4, 2))
            for w, g, o in ((4, 4, 0), (4, 4, 2), (4, 5, 3), (2, 2, 0), (1, 1, 0))
        ]
        menu += [guarded(Bins(2, 2, origin), from_1, price, other(3)) for origin in (0, 1)]
        menu += [
            guarded(Bins(4, 4, origin), statistic, price, other(5)) for statistic in (twos, first) for origin in (1, 3)
        ]
        menu += [guarded(Bins(16, 16, origin), spread, price, other(17)) for origin in (3, 12)]
    sum_and_count = [(GuardedSum("x", Bins(4, 4), 4, 2), total), (GuardedOther(("x",), Bins(2, 2), 3), from_1)]
    menu += [batch(sum_and_count, price) for price in (4, 6)]
    records = list(product(range(3), repeat=2))
    return World({"x": 3}, menu, records, list(combinations_with_replacement(range(3), 2)), rows=2)
