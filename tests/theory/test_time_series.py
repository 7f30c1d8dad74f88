"""Time series: courses, memory, and what reports reveal, against enumeration."""

from itertools import pairwise, product
from random import Random

import pytest

import noiseless as nl
from noiseless import LogRatio

NOISY = nl.Channel({0: {0}, 1: {0, 1}, 2: {2}})


def series(courses):
    names = "abcd"[: len(courses[0])]
    space = nl.Space({name: [course[place] for course in courses] for place, name in enumerate(names)})
    return nl.TimeSeries(*(space[name] for name in names))


def random_courses(random, steps):
    every = list(product(range(3), repeat=steps))
    return random.sample(every, random.randint(1, len(every)))


def test_ranges_over_steps():
    days = series([(0, 0, 1), (0, 1, 1), (1, 1, 1)])
    assert days.range == {(0, 0, 1), (0, 1, 1), (1, 1, 1)}
    assert days.until(2).range == {(0, 0), (0, 1), (1, 1)}
    assert (days[1].range, len(days), [step.name for step in days]) == ({0, 1}, 3, ["a", "b", "c"])
    assert not days.unrelated
    assert series(list(product([0, 1], [5], [0, 1, 2]))).unrelated
    assert series([(1,), (2,)]).unrelated


def test_reports_through_channels_are_what_can_happen():
    random = Random(1)
    other = nl.Channel({0: {0, 1, 2}, 1: {1}, 2: {2}})
    for steps in (1, 2, 3):
        for _ in range(6):
            courses = random_courses(random, steps)
            sequence = nl.ChannelSequence(NOISY, other)
            sent, received = series(courses).through(sequence)
            expected = {(course, out) for course in courses for out in sequence.outputs_of(course)}
            pairs = nl.joint(*sent, *received).range
            assert {(each[:steps], each[steps:]) for each in pairs} == expected
            assert sent.is_memoryless(received)


def is_memoryless(pairs, steps):
    """By the definition, with sets."""
    for x in {x for x, _ in pairs}:
        together = {y for u, y in pairs if u == x}
        apart = [{y[t] for u, y in pairs if u[t] == x[t]} for t in range(steps)]
        if together != set(product(*apart)):
            return False
    return True


def test_memory_is_found():
    random = Random(2)
    cells = list(product(product([0, 1], repeat=2), product([0, 1], repeat=2)))
    verdicts = set()
    for _ in range(150):
        pairs = random.sample(cells, random.choice([2, 4, 8, 12, 16]))
        flat = [(*x, *y) for x, y in pairs]
        days = series(flat).steps
        found = nl.TimeSeries(*days[:2]).is_memoryless(nl.TimeSeries(*days[2:]))
        assert found == is_memoryless(pairs, 2)
        verdicts.add(found)
    assert verdicts == {True, False}


def test_what_reports_reveal():
    """Against conditional ranges; more reports never reveal less."""
    random = Random(3)
    for _ in range(10):
        sent, received = series(random_courses(random, 3)).through(NOISY)
        first = sent[1]
        known = received.reveals(first)
        assert (known[0].most, known[0].leakage) == (first.size, LogRatio(1))
        for step in (1, 2, 3):
            reports = received.until(step)
            ranges = [
                first.given(**dict(zip(reports.names, y if step > 1 else (y,), strict=True))) for y in reports.range
            ]
            assert (known[step].most, known[step].least) == (max(map(len, ranges)), min(map(len, ranges)))
            assert known[step].leakage == nl.leakage(first, reports)
            assert known[step].common == nl.maximin_information(first, reports)
        for before, after in pairwise(known):
            assert after.most <= before.most
            assert after.least <= before.least
            assert after.leakage >= before.leakage
            assert after.common >= before.common


def test_the_capacity_bounds_what_a_series_shares_with_its_reports():
    """NP Thm 2 over time: I⋆ of k unrelated steps is at most k times the capacity."""
    channel = nl.Channel({0: {0, 1}, 1: {1, 2}, 2: {3}, 3: {3, 4}})
    sent, received = series(list(product(range(4), repeat=3))).through(channel)
    common = received.reveals(sent.until(3))[3].common
    assert common == LogRatio(8)
    assert nl.Rate(common.ratio, 3) <= nl.zero_error_capacity(channel).upper


def test_what_is_refused():
    days = series([(0, 1), (1, 1)])
    with pytest.raises(nl.SpaceError, match="needs a variable"):
        nl.TimeSeries()
    with pytest.raises(nl.SpaceError, match="two steps"):
        nl.TimeSeries(days[1], days[1])
    with pytest.raises(nl.SpaceError, match="different spaces"):
        nl.TimeSeries(days[1], series([(0, 1)])[2])
    for step in (0, 3, 1.0):
        with pytest.raises(nl.SpaceError, match="from 1 to 2"):
            days[step]
    with pytest.raises(nl.SpaceError, match="one report for each step"):
        days.is_memoryless(nl.TimeSeries(days[1]))
    with pytest.raises(nl.ChannelError, match="not an input"):
        days.through(nl.Channel({0: {0}}))
    with pytest.raises(nl.SpaceError, match="several variables"):
        nl.TimeSeries(days.until(2)).through(NOISY)
    loud = nl.Channel({x: range(40) for x in range(2)})
    with pytest.raises(nl.TooLargeError, match="fewer steps"):
        series(list(product([0, 1], repeat=4))).through(loud)
