"""Prices of quiet and loud outcomes, products rounded up, and steps that are settled by what came out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless import Bins, GuardedOther, GuardedSum, Sequence, Weighted
from noiseless.privacy.composition.weights import PARTS, UNIT, Product, Weights, raised

ONE = Fraction(1)


@pytest.mark.parametrize(
    ("weights", "quiet", "loud", "dearest"),
    [
        (Weights(1, Fraction(1)), 1, 1, 1),
        (Weights(1, Fraction(9)), 1, 1, 1),
        (Weights(2, Fraction(2)), 2, 2, 2),
        (Weights(2, Fraction(67)), Fraction(67, 66), 67, 67),
        (Weights(3, Fraction(4)), 2, 4, 4),
        (Weights(3, Fraction(7, 2)), Fraction(7, 3), Fraction(7, 2), Fraction(7, 2)),
        (Weights(2, Fraction(5, 4), alone=True), 5, Fraction(5, 4), 5),
        (Weights(2, Fraction(4), alone=True), Fraction(4, 3), 4, 4),
    ],
)
def test_prices_by_hand(weights, quiet, loud, dearest):
    assert (weights.quiet, weights.price(False), weights.price(True), weights.dearest) == (quiet, quiet, loud, dearest)


@given(st.integers(1, 50), st.fractions(0, 100), st.booleans())
def test_weights_sum_to_at_most_one(count, more, alone):
    """One quiet and count − 1 loud outcomes, or only loud ones; alone, one of each."""
    try:
        weights = Weights(count, more, alone)
    except nl.CompositionError:
        assert count > 1
        assert more <= 1 or more < count
        return
    if count > 1:
        quiet, loud = 1 / weights.price(False), 1 / weights.price(True)
        assert quiet + (count - 1) * loud == 1
        assert quiet > 0
        assert count * loud <= 1 or (alone and count == 2)
    assert weights.dearest == max(weights.price(False), weights.price(True)) >= count


@pytest.mark.parametrize(("count", "below"), [(2, Fraction(199, 100)), (3, Fraction(299, 100)), (10, Fraction(9))])
def test_a_loud_price_below_the_count_is_refused(count, below):
    with pytest.raises(nl.CompositionError, match=f"{count} answers that one person can cause.*use at least {count}"):
        Weights(count, below)
    with pytest.raises(nl.CompositionError, match="sum to more than 1"):
        Weights(2, Fraction(1), alone=True)
    with pytest.raises(nl.CompositionError, match="sum to more than 1"):
        Weights(3, Fraction(2), alone=True)


@pytest.mark.parametrize(("count", "loud"), [(0, 2 * ONE), (2.0, 2 * ONE), (True, 2 * ONE), (2, 2), (2, 2.5)])
def test_prices_are_exact_numbers(count, loud):
    with pytest.raises(nl.CompositionError, match="use an integer and a Fraction"):
        Weights(count, loud)


def test_the_cheapest_weights_by_hand():
    """a = (K − 1)/chance, in sixteenths; guards of 3 beside bins of 197 have a chance of 3/200."""
    assert Weights.cheapest(2, Fraction(3, 200)) == Weights(2, Fraction(1066, 16))
    assert Weights.cheapest(3, Fraction(1, 100)) == Weights(3, Fraction(200))
    assert Weights.cheapest(2, Fraction(3, 200), most=Fraction(10)) == Weights(2, Fraction(10))
    assert Weights.cheapest(2, Fraction(3, 200), most=Fraction(3, 2)) == Weights(2, Fraction(2))
    assert Weights.cheapest(5, Fraction(1)) == Weights(5, Fraction(5))
    assert Weights.cheapest(1, Fraction(1, 9)) == Weights(1, Fraction(1))


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("chance", [Fraction(1, 1000), Fraction(1, 7), Fraction(1, 2), Fraction(1)])
def test_no_other_weights_are_cheaper_on_average(count, chance):
    """The expected price in bits, compared exactly: loud^p · quiet^(q−p) for a chance of p/q."""

    def expected(weights):
        loud, all_of_them = chance.numerator, chance.denominator
        return weights.price(True) ** loud * weights.price(False) ** (all_of_them - loud)

    best = Weights.cheapest(count, chance)
    for sixteenths in (-40, -3, -2, 2, 3, 40):
        if best.loud + Fraction(sixteenths, PARTS) >= count:
            assert expected(best) < expected(Weights(count, best.loud + Fraction(sixteenths, PARTS)))


@pytest.mark.parametrize("chance", [Fraction(0), Fraction(-1), Fraction(3, 2)])
def test_a_chance_that_is_none(chance):
    with pytest.raises(nl.CompositionError, match="use more than 0 and at most 1"):
        Weights.cheapest(2, chance)


PRICES = st.one_of(st.integers(1, 10**6), st.fractions(1, 10**6))


def multiple(number):
    """Whether a product is one that the ledger keeps: an integer, or a fraction of UNIT that is none."""
    return type(number) is int or (number.denominator > 1 and UNIT % number.denominator == 0)


@given(st.lists(PRICES, min_size=1, max_size=12))
def test_a_product_is_never_below_the_exact_one(prices):
    """It exceeds the exact one by less than a unit for each step, times the prices that follow."""
    kept: Product = 1
    exact, error = Fraction(1), Fraction(0)
    for price in prices:
        after = raised(kept, price)
        assert 0 <= after - kept * Fraction(price) < Fraction(1, UNIT)
        kept, exact, error = after, exact * price, error * price + Fraction(1, UNIT)
        assert multiple(kept)
        assert exact <= kept <= exact + error


@given(PRICES, PRICES, PRICES)
def test_dearer_is_never_cheaper(product, price, other):
    cheap, dear = sorted((price, other))
    assert raised(product, cheap) <= raised(product, dear)
    assert raised(cheap, product) <= raised(dear, product)


@given(st.integers(1, 10**40), st.integers(1, 10**40))
def test_integers_are_exact(product, price):
    assert raised(product, price) == raised(product, Fraction(price)) == product * price
    assert type(raised(product, Fraction(price))) is int


def test_rounding_by_hand():
    third = Fraction(4, 3)
    units = -(-4 * UNIT // 3)
    assert raised(1, third) == Fraction(units, UNIT) > third
    assert raised(3, third) == 4
    assert raised(Fraction(1, 3) + 1, 1) > third, "also a product that no step of the ledger leaves"


def test_the_order_of_entries_matters_in_the_last_units():
    """4/3 and then 3 is two units more than 3 and then 4/3: whoever folds a ledger must keep its order."""
    price = Fraction(4, 3)
    assert raised(raised(1, price), 3) == raised(raised(1, 3), price) + Fraction(2, UNIT)


BINS = Bins(4, 4)
SUM = GuardedSum("x", BINS, 2, 4)
COUNT = GuardedOther(("x",), Bins(1, 1), 2)


def start(budget=100, **more):
    return Sequence.start({"x": 5}, budget=budget, **more)


def ask(*questions, loud=4, **more):
    return start(**more).ask(Weighted(questions, Fraction(loud)))


def test_a_step_is_settled_by_what_came_out():
    step = ask(SUM)
    assert (step.factor, step.after.spent(), step.after.cells[""].remaining) == (4, 4, {"x": 5})
    quiet, loud = step.settle([0]), step.settle([1])
    assert (quiet.factor, loud.factor) == (Fraction(4, 3), 4)
    assert quiet.after.spent() == raised(1, Fraction(4, 3))
    assert (quiet.after.cells[""].remaining, loud.after.spent()) == ({"x": 4}, 4)
    uneven = ask(GuardedSum("x", Bins(4, 6), 2, 4))
    assert [uneven.settle([place]).after.cells[""].remaining["x"] for place in (0, 1)] == [4, 5]


def test_what_is_reserved_must_fit():
    assert ask(SUM, loud=4, budget=4).after.spent() == 4
    with pytest.raises(nl.BudgetExceededError, match=r"factor of 4\.0625"):
        ask(SUM, loud=Fraction(65, 16), budget=4)
    with pytest.raises(nl.BudgetExceededError, match="factor of 5"):
        ask(SUM, loud=Fraction(5, 4), budget=4)


@pytest.mark.parametrize(
    ("questions", "count"),
    [
        ((SUM,), 2),
        ((SUM, SUM), 3),
        ((SUM, SUM, SUM, SUM), 5),
        ((SUM,) * 9, 5),
        ((SUM, COUNT), 4),
        ((COUNT, COUNT), 4),
        ((COUNT,) * 3, 5),
        ((GuardedOther(("x",), Bins(1, 1), 1), SUM), 2),
    ],
)
def test_joint_counts(questions, count):
    """Sums of one column add up, counts under conditions multiply, and five codes never have more than five answers."""
    weights = Weighted(questions, Fraction(9)).weights({"x": 5})
    assert (weights.count, weights.alone) == (count, len(questions) == 1)
    assert Weighted(questions, Fraction(9)).weights({"x": 1}).count == 1


def test_columns_multiply():
    of_y = GuardedSum("y", Bins(2, 2), 2, 2)
    both = GuardedOther(("x", "y"), Bins(1, 1), 2)
    left = {"x": 5, "y": 3}
    assert Weighted((SUM, SUM, of_y), Fraction(99)).weights(left).count == 6
    assert Weighted((SUM, of_y, both), Fraction(99)).weights(left).count == 8
    assert Weighted((SUM, both), Fraction(99)).weights({"x": 1, "y": 3}).count == 2
    assert Weighted((SUM, both), Fraction(99)).weights({"x": 1, "y": 1}).count == 1


def test_one_bin_is_free():
    """Bins of 9 hold every sum of two codes 0..4. From 1 on, a sum of 0 is in the guard before them."""
    assert ask(GuardedSum("x", Bins(9, 4), 2, 4)).factor == 1
    assert ask(GuardedSum("x", Bins(8, 4), 2, 4)).factor == 4
    assert ask(GuardedSum("x", Bins(9, 4, 1), 2, 4)).factor == 4
    assert ask(GuardedSum("x", Bins(4, 9, 9), 2, 4)).factor == 1


def test_the_narrowest_bin_of_a_batch_remains():
    """A bin of 4 and a guard of 3 leave three codes, whichever is named first; a count leaves all."""
    known = start().ask(nl.PlainSum("x", 4, 2, 4)).after
    four, three = GuardedSum("x", Bins(4, 3), 2, 4), GuardedSum("x", Bins(6, 3), 2, 4)
    for questions, places in (((four, three), (0, 1)), ((three, four), (1, 0)), ((COUNT, four), (0, 1))):
        settled = known.ask(Weighted(questions, Fraction(9))).settle(places)
        assert settled.after.cells[""].remaining == {"x": 3}
    assert known.ask(Weighted((COUNT,), Fraction(9))).settle([1]).after.cells[""].remaining == {"x": 4}


def test_cells_are_settled_on_their_own():
    step = start(cells=["north", "south"]).ask(
        {"north": Weighted((SUM,), Fraction(4)), "south": Weighted((SUM, COUNT), Fraction(6))}
    )
    settled = step.settle({"north": [0], "south": (2, 1)})
    assert settled.factors == {"north": Fraction(4, 3), "south": 6}
    assert (step.factor, settled.factor) == (6, 6)
    assert settled.after.spent("south") == 6
    mixed = start(cells=["north", "south"]).ask(
        {"north": Weighted((SUM,), Fraction(4)), "south": nl.PlainSum("x", 2, 2, 4)}
    )
    settled = mixed.settle(iter([1]))
    assert settled.factors == {"north": 4, "south": 3}
    assert settled.after.cells["south"].remaining == {"x": 2}
    everywhere = start(cells=["north", "south"]).ask(Weighted((SUM,), Fraction(4))).settle(iter([1]))
    assert everywhere.factors == {"north": 4, "south": 4}


def test_several_rows():
    """W is that of the total: a count of rows still has a wide bin and a guard when the total is known."""
    known = start(rows=2).ask(nl.PlainSum("x", 1, 6, 4)).after
    rows = GuardedOther(("x",), Bins(2, 2), 3)
    assert known.cells[""].remaining == {"x": 1}
    assert known.ask(Weighted((rows,), Fraction(4))).factor == 4
    assert known.ask(rows).factor == 2
    assert known.ask(Weighted((GuardedSum("x", Bins(1, 1), 6, 4),), Fraction(4))).factor == 1
    assert Weighted((rows, rows), Fraction(4)).weights({"x": 1}, rows=2).count == 4
    total = GuardedSum("x", Bins(8, 8), 6, 4)
    assert Weighted((total, rows), Fraction(4)).weights({"x": 9}, rows=2).count == 4
    assert ask(total, rows=2).settle([0]).after.cells[""].remaining == {"x": 8}


def test_equal_prices_of_guarded_bins():
    """Without weights a guarded number costs two answers, and the wider bin is what remains."""
    step = start().ask(GuardedSum("x", Bins(4, 6), 2, 4))
    assert (step.factor, step.after.cells[""].remaining) == (2, {"x": 5})
    assert start().ask(SUM).after.cells[""].remaining == {"x": 4}
    step = start().ask(nl.Together((SUM, nl.PlainSum("x", 2, 2, 4), COUNT)))
    assert (step.factor, step.after.cells[""].remaining) == (5, {"x": 2})
    assert start().ask(COUNT).after.cells[""].remaining == {"x": 5}


def test_states_are_kept_as_text():
    after = ask(SUM).settle([0]).after
    assert after.spent().denominator > 1
    assert Sequence.from_json(after.to_json()) == after


@pytest.mark.parametrize("product", ["1/0", "4/3", "1/2", "2.5", "1e9", "0", "-3/2", "", "1/", "x", f"1/{2 * UNIT}"])
def test_products_that_no_ledger_keeps(product):
    text = start().to_json().replace('"product": "1"', f'"product": "{product}"')
    with pytest.raises(nl.CompositionError):
        Sequence.from_json(text)


def test_large_products_are_shown():
    """A product that no float can hold."""
    wide = Sequence.start({"x": 2**1300}, bits=1200).ask(nl.OtherQuestion(("x",), 2**1198)).after
    spent = wide.ask(Weighted((COUNT,), Fraction(7, 3))).settle([0]).after
    with pytest.raises(nl.BudgetExceededError, match=r"factor of 2\.5, .* product of about 2\^1198 so far"):
        spent.ask(Weighted((COUNT,), Fraction(5, 2))).after.ask(Weighted((COUNT,), Fraction(5, 2)))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: GuardedSum("x", Bins(4), 2, 4), r"use Bins\(wide, guard\) of at least 1 each"),
        (lambda: GuardedSum("x", 4, 2, 4), "do not guard"),
        (lambda: GuardedSum("x", BINS, 0, 4), "rows=0"),
        (lambda: GuardedSum("x", BINS, 2, 0), "top=0"),
        (lambda: GuardedOther(("x",), Bins(4, 3), 5), "do not guard 5 consecutive numbers.* at least 4 each"),
        (lambda: GuardedOther(("x",), Bins(3, 4), 5), "do not guard 5"),
        (lambda: GuardedOther(("x",), BINS, 0), "window=0"),
        (lambda: GuardedOther(("x",), BINS, Fraction(5, 2)), "window="),
        (lambda: GuardedOther((), BINS, 2), "columns="),
        (lambda: GuardedOther("x", BINS, 2), "columns="),
        (lambda: Weighted((), Fraction(2)), "at least one"),
        (lambda: Weighted((nl.PlainSum("x", 2, 2, 4),), Fraction(2)), "guarded bins"),
        (lambda: Weighted((SUM, nl.PlainSum("x", 2, 2, 4)), Fraction(3)), "guarded bins"),
        (lambda: ask(GuardedSum("x", Bins(3, 4), 2, 4)), "do not guard 5"),
        (lambda: ask(GuardedSum("x", Bins(4, 3), 2, 4)), "do not guard 5"),
        (lambda: ask(GuardedSum("x", Bins(4, 4), 2, 4), rows=2), "do not guard 9"),
        (lambda: ask(GuardedSum("x", BINS, 2, 3)), "5 values"),
        (lambda: ask(SUM, SUM, loud=2), "3 answers"),
        (lambda: ask(SUM, loud=1), "sum to more than 1"),
        (lambda: ask(SUM, loud=-4), "sum to more than 1"),
        (lambda: start().ask(Weighted((SUM,), 4)), "use an integer and a Fraction"),
        (lambda: start().ask(nl.PlainSum("x", 2, 2, 4)).settle([0]), "ask a Weighted one"),
        (lambda: ask(SUM).settle([0]).settle([0]), "ask a Weighted one"),
        (lambda: ask(SUM).settle([]), "one bin for each"),
        (lambda: ask(SUM).settle([0, 1]), "one bin for each"),
        (lambda: ask(SUM).settle([0.0]), "one bin for each"),
        (lambda: ask(SUM).settle([True]), "one bin for each"),
        (lambda: ask(SUM).settle(0), "one bin for each"),
        (lambda: ask(SUM).settle({}), "every cell"),
        (lambda: ask(SUM).settle({"": 0}), "one bin for each"),
        (lambda: ask(SUM, cells=["a", "b"]).settle({"a": [0]}), "every cell"),
        (lambda: ask(SUM, cells=["a", "b"]).settle({"a": [0], "b": []}), "every cell"),
        (lambda: ask(SUM, COUNT).settle([0, 1.0]), "as an integer"),
    ],
)
def test_bad_input(make, why):
    with pytest.raises(nl.CompositionError, match=why):
        make()


def test_columns_that_do_not_exist():
    with pytest.raises(nl.UnknownVariableError, match="'z'"):
        ask(GuardedOther(("x", "z"), BINS, 2))
