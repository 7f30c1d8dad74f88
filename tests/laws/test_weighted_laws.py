"""Theory §11, the weighted ledger: the best adaptive adversary on tiny domains, and every tempting mistake caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless import Bins, GuardedOther, GuardedSum, Sequence, Weighted
from noiseless.privacy.composition.sequence import Cell
from noiseless.privacy.composition.weights import Weights
from tests.laws import weighted_worlds as worlds
from tests.laws.weighted import REFUSED, Asked, batch, by_the_rule, guarded

WORLDS = {
    worlds.sums_in_all_widths: (1, 2, 3, 4, 5),
    worlds.all_kinds_of_one_column: (1, 2, 3, 4),
    worlds.two_columns: (1, 2, 3, 4, 6),
    worlds.in_the_north: (1, 2, 3, 4),
    worlds.in_the_south: (1, 2, 3, 4),
    worlds.two_rows: (1, 2, 3, 4, 5, 6),
    worlds.stable_order: (1, 2, 3, 4),
}
"""Each world with the budgets that some strategy spends to the last transcript."""


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_the_best_strategy_causes_exactly_as_many_transcripts_as_the_budget(world):
    table = world()
    for budget in WORLDS[world]:
        assert table.most(budget) == budget


def test_a_budget_that_the_menu_cannot_use_up_is_not_passed():
    assert worlds.two_columns().most(5) == 4


def test_a_level_that_is_not_stable_is_caught():
    """Wrong: the finest level whatever the data are, so that one person causes several values of one level."""
    assert worlds.stable_order(lambda found, rank, top, bins: True).most(3) > 3


def codes(top, people, loud, sizes):
    """Guarded sums of codes 0..top; the others all have the same code."""
    menu = [
        guarded(Bins(*size), sum, price, lambda bins: GuardedSum("x", bins, people, top))
        for size, price in product(sizes, loud)
    ]
    others = [(x,) * (people - 1) for x in range(top + 1)]
    return worlds.World({"x": top + 1}, menu, list(range(top + 1)), others)


def one_too_few(wide, guard):
    """Wrong: a window of V needs this many fewer than V − 1 integers in a wide bin and in a guard."""
    return lambda self, window: self.guard > 0 and self.wide >= window - 1 - wide and self.guard >= window - 1 - guard


@pytest.mark.parametrize(("wide", "guard"), [(0, 1), (1, 0)], ids=["guards of V - 2", "wide bins of V - 2"])
def test_narrow_bins_are_caught(monkeypatch, wide, guard):
    """A window that begins and ends in bins of one kind meets three, and weights of three sum to more than 1."""
    sums = worlds.sums_in_all_widths()
    assert sums.most(2) == 2
    monkeypatch.setattr(Bins, "keeps", one_too_few(wide, guard))
    assert sums.most(2) > 2


def test_mixed_weights_are_caught(monkeypatch):
    """A wide bin of weight 7/8, valid beside a guard of 1/8, beside a guard of 1/2, valid beside a wide bin of 1/2."""
    sums = worlds.sums_in_all_widths()

    def mixed(self, loud):
        return Fraction(1) if self.count == 1 else Fraction(2) if loud else Fraction(8, 7)

    monkeypatch.setattr(Weights, "price", mixed)
    assert sums.most(3) > 3


def test_weights_above_one_in_a_batch_are_caught(monkeypatch):
    """Two sums of one column have three outcomes. The weights of a single number, 1 − 1/a and 1/a, are too large."""
    numbers = [(GuardedSum("x", Bins(4, 4, origin), 2, 4), sum) for origin in (0, 2)]
    two = worlds.World({"x": 5}, [batch(numbers, 2), batch(numbers, 3)], list(range(5)), [(2,), (3,)])
    assert two.most(3) == 3
    monkeypatch.setattr(Weighted, "weights", lambda self, remaining, rows=1: Weights(2, self.loud, alone=True))
    assert (two.most(2), two.most(3)) == (3, 3)


def test_a_below_the_joint_count_is_caught(monkeypatch):
    """With a = 5/2 and K = 3, the weights of three loud outcomes sum to 6/5."""
    numbers = [(GuardedSum("x", Bins(5, 5, origin), 3, 5), sum) for origin in (0, 3)]
    menu = [batch(numbers, Fraction(5, 2)), Asked(nl.OtherQuestion(("x",), 2), lambda data: data[0] % 2)]
    table = worlds.World({"x": 6}, menu, list(range(6)), [(5, x) for x in range(6)])
    assert table.most(5) <= 5
    monkeypatch.setattr(Weights, "__post_init__", lambda self: None)
    assert table.most(5) > 5


def without_reserve(refuse):
    """Wrong: whoever has anything left may ask; an outcome that is too dear is answered all the same, or refused."""

    def rule(sequence, asked):
        reply = by_the_rule(replace(sequence, budget=10**9), asked)

        def after(outcome):
            seen, state = reply(outcome)
            if refuse and state.spent() > sequence.budget:
                return REFUSED, sequence
            return seen, replace(state, budget=sequence.budget)

        return after if reply and sequence.spent() <= sequence.budget else None

    return rule


@pytest.mark.parametrize("refuse", [False, True], ids=["answered", "refused"])
def test_asking_without_a_reserve_is_caught(refuse):
    """B = 2 and a = 4: each loud outcome is a new transcript, and quiet ones leave enough to go on."""
    table = codes(3, 2, [4], [(3, 3, origin) for origin in range(6)])
    assert table.most(2) == 1, "a loud outcome would cost 4"
    assert table.most(2, without_reserve(refuse)) == 4


def codes_and_rest(first):
    """After a first question, guarded sums of codes 0..4 in bins of 3, which need W ≤ 4; y uses up what is left."""
    of_all = guarded(Bins(3, 3), lambda d: sum(x for x, _ in d), 2, lambda bins: GuardedSum("x", bins, 2, 4))
    rest = Asked(nl.OtherQuestion(("y",), 7), lambda d: d[0][1])
    records = list(product(range(5), range(7)))
    return worlds.World({"x": 5, "y": 7}, [first, of_all, rest], records, [((x, 0),) for x in range(5)])


def shrinking(question, remaining, place):
    """Wrong: the bin of a number under a condition confines the code."""
    (column,) = question.columns
    return {column: min(remaining[column], question.bins.width(place))}


def test_a_conditional_sum_that_shrinks_w_is_caught(monkeypatch):
    """A sum of the codes up to 2 stays in its bin of 4 whatever the code is, and all five remain possible."""
    low = guarded(Bins(4, 4), lambda d: sum(x for x, _ in d if x <= 2), 16, lambda bins: GuardedOther(("x",), bins, 5))
    table = codes_and_rest(low)
    assert table.most(16) <= 16
    monkeypatch.setattr(GuardedOther, "narrowed", shrinking)
    assert table.most(16) > 16
    assert worlds.all_kinds_of_one_column().most(2) > 2


def test_a_guard_as_w_after_a_wide_bin_is_caught(monkeypatch):
    """A wide bin of 5 leaves five codes, also where the guards have 4."""

    def narrowest(self, remaining, place):
        return {self.column: min(remaining[self.column], self.bins.wide, self.bins.guard)}

    table = codes_and_rest(
        guarded(Bins(5, 4, 2), lambda d: sum(x for x, _ in d), 16, lambda b: GuardedSum("x", b, 2, 4))
    )
    assert table.most(16) <= 16
    monkeypatch.setattr(GuardedSum, "narrowed", narrowest)
    assert table.most(16) > 16


def test_the_smaller_w_of_two_cells_is_caught():
    """A total over both cells, with what is known about one of them: whoever lives in the other is not confined."""

    def rule(sequence, asked):
        least = {column: min(cell.remaining[column] for cell in sequence.cells.values()) for column in sequence.values}
        cells = {name: Cell(cell.product, least) for name, cell in sequence.cells.items()}
        return by_the_rule(replace(sequence, cells=cells), asked)

    assert worlds.in_the_south().most(2, rule) > 2


def test_a_quiet_price_for_a_loud_outcome_is_caught(monkeypatch):
    """The reserve is right, and what is settled is not."""
    monkeypatch.setattr(Weighted, "price", lambda self, left, places, rows=1: self.weights(left, rows).quiet)
    assert worlds.sums_in_all_widths().most(3) > 3


def test_bins_before_the_origin_are_counted(monkeypatch):
    """Bins 3+3 from 1 on: a sum of 0 is in the guard before the first wide bin."""
    table = codes(1, 2, [2], [(3, 3, 1)])
    assert table.most(1) == 1
    monkeypatch.setattr(GuardedSum, "factor", lambda self, left: self.bins.place(self.rows * self.top) + 1)
    assert table.most(1) == 2


def test_what_the_total_of_several_rows_says_about_each_is_caught(monkeypatch):
    """Rows 0 and 2 or 1 and 1: the total is known, and the number of ones is not."""

    def from_the_total(self, remaining, rows=1):
        return Weights(nl.Together(self.questions).factor(remaining), self.loud, alone=len(self.questions) == 1)

    table = worlds.two_rows()
    assert table.most(5) == 5
    monkeypatch.setattr(Weighted, "weights", from_the_total)
    assert table.most(5) > 5


def test_counts_that_neither_rise_nor_fall_multiply(monkeypatch):
    """Codes from 2 on, and odd codes: four outcomes. One change for each count would be three."""
    conditions = [lambda code: code >= 2, lambda code: code % 2 == 1]
    counted = [(GuardedOther(("x",), Bins(1, 1), 2), lambda d, c=c: sum(map(c, d))) for c in conditions]
    table = worlds.World({"x": 4}, [batch(counted, price) for price in (3, 4)], list(range(4)), [(0,), (3,)])
    assert (table.most(3), table.most(4)) == (1, 4)
    monkeypatch.setattr(GuardedOther, "jumps", lambda self, remaining: 1)
    assert table.most(3) == 4


TOP = 12


@st.composite
def numbers(draw):
    """A guarded number of three people with codes 0..12, with the function that computes it."""
    cut, more = draw(st.integers(1, TOP)), draw(st.integers(0, 4))
    kind = draw(st.sampled_from(["sum", "count", "under a condition", "variance"]))
    statistic, window = {
        "sum": (sum, draw(st.integers(1, TOP + 1))),
        "count": (lambda d: sum(x >= cut for x in d), 2),
        "under a condition": (lambda d: sum(x - cut for x in d if x % 3), TOP + 1),
        "variance": (worlds.variance, 2 * TOP**2 + 1),
    }[kind]
    least = max(1, window - 1)
    bins = Bins(least + more, least + draw(st.integers(0, 4)), draw(st.integers(0, 2 * least)))
    return (GuardedSum("x", bins, 3, TOP) if kind == "sum" else GuardedOther(("x",), bins, window)), statistic


CODES = st.integers(0, TOP)


@given(
    st.lists(st.tuples(st.lists(numbers(), min_size=1, max_size=3), st.fractions(0, 9)), min_size=1, max_size=6),
    st.tuples(CODES, CODES),
    CODES,
)
@settings(max_examples=100)
def test_weights_of_what_is_still_possible_sum_to_at_most_one(steps, others, truth):
    """Along the outcomes of one true code: Kraft's sum of the prices, the code within W, nothing above the reserve."""
    sequence, left = Sequence.start({"x": TOP + 1}, budget=10**30), list(range(TOP + 1))
    for parts, loud in steps:
        try:
            step = sequence.ask(Weighted(tuple(question for question, _ in parts), loud))
        except nl.CompositionError:  # too narrow for W, or a below K
            continue
        outcomes = {
            code: tuple(question.bins.place(function((code, *others))) for question, function in parts) for code in left
        }
        settled = {outcome: step.settle(outcome) for outcome in set(outcomes.values())}
        assert sum(1 / Fraction(after.factor) for after in settled.values()) <= 1
        assert all(after.factor <= step.factor for after in settled.values())
        left = [code for code in left if outcomes[code] == outcomes[truth]]
        sequence = settled[outcomes[truth]].after
        assert max(left) - min(left) < sequence.cells[""].remaining["x"]
