"""On the very floats: no report is further from its value than the error, and all that `certify` counts is hidden.

A float means the decimal it prints as; so do values and reports here.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest

import noiseless as nl
from noiseless.exact.number import exact_number
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, first_float, power_of_ten, side_of_floats

POLICIES = [nl.Collapse, nl.Stretch, nl.Shift]
ERRORS = ["0.5", "0.1", "1/3", 2, "0.001", 1000]
ENDS = [(0, 200), (100, 200), ("0.1", "0.7"), (-(10**6), "1000000.1"), ("-1/3", "1/3")]
"""Few of these are floats."""
PLACES = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 10**7), 1 - Fraction(1, 10**9), Fraction(1, 10**13), Fraction(1)]
"""Where the boundary is, as a share of the range: inside, and where it runs into an edge."""
OBESE = nl.Boundary("x", lambda t: 0.003 * t**2)
ROOT = nl.Boundary("x", lambda t: 10 * np.sqrt(t))


def around(number: Fraction) -> list[float]:
    """The floats next to a number."""
    middle = float(number)
    return [nextafter(middle, -inf), middle, nextafter(middle, inf)]


def values(policy, g, side, draw):
    """Random floats of the range, and those where something changes."""
    rooms = (0, policy.error, 2 * policy.error, min(policy.error, side.measure) / 10**6)
    special = [side.low, side.high, *(g + sign * room for room in rooms for sign in (-1, 1))]
    found = [each for number in special for each in around(number)]
    spread = min(float(policy.reach), float(side.measure))
    found += list(draw.uniform(float(side.low), float(side.high), 5))
    found += list(float(g) + spread * draw.uniform(-1.1, 1.1, 15))
    found += [round(each, 1) for each in found]
    return np.array([float(each) for each in set(found) if exact_number(float(each)) in side])


def partners(policy, x, g, side):
    """Floats of the other side among which one has the same report, if any has: near the same share of its room."""
    below, above = map(float, policy.rooms(g, side))
    low, high, first = first_float(side.low), -first_float(-side.high), first_float(g)
    cell = 2 * float(Resolution.of(policy.error, side).step) / (below + above) * np.arange(-24, 25)[:, None] / 8
    from_g, under = x - float(g), x < first
    with np.errstate(all="ignore"):
        there = np.where(
            under, float(g) + (1 + from_g / below + cell) * above, first - below + (from_g / above + cell) * below
        )
    ends = [low, nextafter(low, inf), nextafter(first, -inf), first, nextafter(first, inf), nextafter(high, -inf), high]
    there = np.vstack([there, there[24] - np.spacing(there[24]), *(np.full(len(x), end) for end in ends)])
    there = np.clip(there, low, high)
    return np.where((there >= first) == under, there, np.nan)


def broken(policy, box, others, g, draw):
    """What is wrong with the reports of one slice: each kind of fault, and how often."""
    side, band = policy.side(box), policy.hidden(box).sliced(g)

    def reports(xs):
        columns = {name: np.full(xs.shape, each).ravel() for name, each in others.items()}
        return policy.apply({"x": xs.ravel(), **columns}, within=box)["x"].reshape(xs.shape)

    xs = values(policy, g, side, draw)
    ys = reports(xs)
    alike = (reports(partners(policy, xs, g, side)) == ys).any(axis=0) if policy.rooms(g, side) else ys != ys
    faults = dict.fromkeys(("too far", "floats too far", "outside", "not exact", "revealed"), 0)
    for x, y, shared in zip(xs.tolist(), ys.tolist(), alike, strict=True):
        value, report = exact_number(x), exact_number(y)
        far = abs(report - value)
        faults["too far"] += far > policy.error
        faults["floats too far"] += far != policy.error and abs(Fraction(y) - Fraction(x)) > policy.error
        faults["outside"] += report not in box["x"]
        faults["not exact"] += report != policy.report(value, g, side)
        faults["revealed"] += value in band and not shared
    return {fault: times for fault, times in faults.items() if times}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("error", ERRORS)
def test_thresholds(policy, error):
    draw = np.random.default_rng(7)
    for ends in ENDS:
        box = nl.Box(x=ends)
        for place in PLACES:
            g = exact_number(float(box["x"].low + place * box["x"].measure))
            assert not broken(policy(nl.Boundary("x", g), error), box, {}, g, draw), (ends, place)
            g = box["x"].low + place * box["x"].measure  # often not a float
            assert not broken(policy(nl.Boundary("x", g), error), box, {}, g, draw), (ends, place)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("boundary", [OBESE, ROOT], ids=["polynomial", "root"])
def test_curves_that_run_into_the_edges(policy, boundary):
    draw, box = np.random.default_rng(8), nl.Box(x=(0, 200), t=(0, 400))
    low = [1e-9, 1e-4, 0.01, 0.5, 3.0, 5.773502691896257]
    for t in (*low, *draw.uniform(0, 400, 6), 170.0, 250.0, 258.19888974716, 399.9, 400.0):
        g = boundary.at(t=float(t))
        for error in ("0.5", 2, "1/3", 40):
            made = policy(boundary, error)
            if g in box["x"] and made.rooms(g, box["x"]) is not None:
                assert not broken(made, box, {"t": float(t)}, g, draw), (t, error)


@pytest.mark.parametrize("policy", POLICIES)
def test_many_rows(policy):
    """|report − value| ≤ ½ for floats as they are; ½, 0 and 200 are floats."""
    draw, box = np.random.default_rng(9), nl.Box(x=(0, 200), t=(0, 250))
    t = draw.uniform(0, 250, 200_000)
    x = np.clip(0.003 * t**2 + draw.uniform(-1.1, 1.1, 200_000), 0, 200)
    x[::5], t[::5] = np.round(x[::5], 1), np.round(t[::5])
    y = policy(OBESE, "0.5").apply({"x": x, "t": t}, within=box)["x"]
    moved = np.flatnonzero(x != y)
    assert moved.size > 50_000
    assert y.min() >= 0
    assert y.max() <= 200
    assert np.abs(y - x).max() <= 0.5 + 2**-45
    close = np.flatnonzero(np.abs(y - x) >= 0.5 - 2**-45)  # elsewhere the difference of floats is beyond doubt
    assert all(abs(exact_number(y[row]) - exact_number(x[row])) <= Fraction(1, 2) for row in close)


def test_where_the_boundary_runs_into_an_edge_nothing_is_lost():
    """Slices with little room on one side were left as they are, although they were promised."""
    box, made = nl.Box(x=(0, 200), t=(0, 250)), nl.Shift(OBESE, error=50)
    t = np.linspace(0, 0.02, 2001)[1:]  # here g is from 3e-13 to 1.2e-6
    y = made.apply({"x": np.full(2000, 20.0), "t": t}, within=box)["x"]
    assert (y != 20).all()
    assert all({"x": 20, "t": each} in made.hidden(box) for each in t)


class Nearest(nl.Shift):
    """Rounds to the nearest multiple, whichever side it is on."""

    def moved(self, x, at):
        made = self.from_below if x < at.g else self.from_above
        return round(made(x, at.g, at.below, at.above) / at.step) * at.step

    def estimated(self, *given):
        return given[0], np.zeros(len(given[0]), dtype=bool)


class Roomy(nl.Shift):
    """Takes no notice of sides with few floats."""

    @staticmethod
    def short_of_room(below, above, least):
        return (below < 0) | (above < 0)


class Generous(nl.Shift):
    """Promises the whole reach, as if reports were real numbers."""

    rim = 0


class Hasty(nl.Shift):
    """Trusts its floats."""

    def estimated(self, *given):
        found, sure = super().estimated(*given)
        return found, np.ones_like(sure)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [(Nearest, "too far"), (Roomy, "revealed"), (Generous, "revealed"), (Hasty, "not exact")],
)
def test_wrong_policies_are_found_out(wrong, fault):
    draw, found = np.random.default_rng(7), {}
    for ends in ENDS[:2]:
        box = nl.Box(x=ends)
        for place in (Fraction(1, 3), Fraction(1, 10**13)):
            g = box["x"].low + place * box["x"].measure
            found |= broken(wrong(nl.Boundary("x", g), "0.5"), box, {}, g, draw)
    assert fault in found


def test_errors_too_small_for_floats_are_refused():
    made = nl.Shift(nl.Boundary("x", 10**9), error="1e-9")
    box = nl.Box(x=(0, 2 * 10**9))
    for refused in (lambda: made.certify(box), lambda: made.apply({"x": np.array([1e9])}, within=box)):
        with pytest.raises(nl.RangeError, match="too small for 'x', because floats"):
            refused()
    with pytest.raises(nl.RangeError, match="too small for 'x', because floats"):
        made.apply({"x": np.array([1e9])})
    with pytest.raises(nl.DomainError, match="give the range of 'x' with within="):
        nl.Shift(nl.Boundary("x", 1), error=10**400).apply({"x": np.array([1.0])})
    with pytest.raises(nl.BudgetError):
        made.calibrate(nl.Box(x=(10**9, 10**9 + Fraction(1, 10**6))), epsilon=1)


def test_without_ends():
    """The same rule, on a step of a millionth of the error."""
    draw, made = np.random.default_rng(3), nl.Shift(nl.Boundary("x", "0.3"), error="0.1")
    x = np.concatenate([draw.uniform(0, 0.6, 1000), np.arange(0, 7) / 10])
    y = made.apply({"x": x})["x"]
    for value, report in zip(x.tolist(), y.tolist(), strict=True):
        assert exact_number(report) == made.report(value, "0.3", None)
        assert abs(exact_number(report) - exact_number(value)) <= Fraction(1, 10)
    assert y[1000:].tolist() == [0.0, 0.2, 0.3, 0.2, 0.3, 0.5, 0.6]


def test_powers_and_first_floats():
    for number in ("1", "0.999", "10", "99.9", "1e-7", "1/3", "1e30"):
        power, exact = power_of_ten(exact_number(number)), exact_number(number)
        assert power <= exact < 10 * power
    for number in ("0.1", "1/3", "-1/3", "0", "1e400", "123456789.123456789123"):
        if number != "1e400":
            first = first_float(exact_number(number))
            assert exact_number(nextafter(first, -inf)) < exact_number(number) <= exact_number(first)
    assert side_of_floats(nl.Intervals("[0, 200]")) == nl.Intervals("[0, 200]")
    assert Resolution.of(Fraction(1, 10**12), nl.Intervals("[0, 200]")) is None
