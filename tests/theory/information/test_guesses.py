from itertools import permutations

from tests.laws.joint_ranges import all_joint_ranges, conditional_ranges, variables

import noiseless as nl


def test_dice(dice):
    assert (nl.guesses(dice["number"]), nl.guesses(dice["number"], dice["even"])) == (5, 2)
    assert nl.guesses(dice["even"], dice["number"]) == 0


def tries(values, order):
    """The most tries that this order of tries needs for one of the values; the last value needs none."""
    return max(min(place + 1, len(order) - 1) for place, value in enumerate(order) if value in values)


def test_no_order_of_tries_needs_fewer():
    for pairs in all_joint_ranges():
        x, y = variables(pairs)
        best = [min(tries(xs, order) for order in permutations(xs)) for xs in conditional_ranges(pairs).values()]
        assert nl.guesses(x, y) == max(best)


def test_tries_fall_as_information_says():
    for pairs in all_joint_ranges():
        x, y = variables(pairs)
        assert nl.information(x, y).ratio * (nl.guesses(x, y) + 1) == nl.guesses(x) + 1
