import noiseless as nl
from noiseless import LogRatio
from noiseless.exact.touched import touched


def test_a_function_has_as_many_outputs_as_it_has(dice):
    assert nl.min_capacity(dice["number"], dice["even"]) == LogRatio(2)


def test_outputs_that_need_the_same_input(lopsided):
    """One input with three outputs provokes one of them at a time."""
    space = nl.Space({"X": [1, 1, 1], "Y": ["a", "b", "c"]})
    assert nl.min_capacity(space["X"], space["Y"]) == LogRatio(1)
    assert nl.min_capacity(lopsided["X"], lopsided["Y"]) == nl.min_capacity(lopsided["Y"], lopsided["X"])


def test_the_count_of_a_guarantee_is_what_one_person_can_provoke():
    """A sum of codes of 0..4 in bins of 4, everybody else fixed at any value: the most outputs are the count."""
    counts = []
    for others in range(9):
        values = range(5)
        space = nl.Space({"X": list(values), "Y": [(value + others) // 4 for value in values]})
        counts.append(nl.min_capacity(space["X"], space["Y"]))
    assert max(counts) == LogRatio(touched(4, 4))
