"""Reports that are polynomials, quotients or pieces: against exact trials, closed forms and grids."""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest

import noiseless as nl
from noiseless import LogRatio
from noiseless.theory.hypothesis import enclosed_trial

LINE = nl.Box(x=(-1, 2))
PERSON = nl.Box(height=(100, 250), mistake=(-10, 10))


def encloses(pair, exact, slack=0.01):
    return pair[0] <= exact <= pair[1] and pair[1].bits - pair[0].bits < slack


def test_affine_reports_are_those_of_the_exact_trial():
    holds = PERSON.where(height="(150, 250]")
    exact = nl.Trial(PERSON, lambda height, mistake: height + mistake, holds)
    found = nl.EnclosedTrial(PERSON, lambda height, mistake: height + mistake, holds)
    assert found.telling == nl.Enclosure(Fraction(150), Fraction(150))
    assert (found.reports.lower, found.errors.upper, found.positives.lower, found.negatives.upper) == (170, 20, 100, 50)
    assert encloses(found.privacy, exact.privacy, 1e-9)
    assert encloses(found.pull_back, exact.pull_back)


def test_a_square():
    """x² on [−1, 2]: [0, 1] without, (0, 4] with x > 0. Only x > 1 is revealed."""
    found = nl.EnclosedTrial(LINE, lambda x: x**2, LINE.where(x="(0, 2]"))
    assert (found.without.inner, found.holding.outer) == (nl.Intervals("[0, 1]"), nl.Intervals("[0, 4]"))
    assert found.telling.lower == found.telling.upper == 3
    assert Fraction(1, 3) in found.revealed
    assert found.revealed.width < 1e-4


def test_irrational_ends():
    """x³ − x has its extremes ∓2/√27 at ±1/√3; below 0 it reaches the upper one, above 0 the lower one."""
    box = nl.Box(x=(-1, 1))
    found = nl.EnclosedTrial(box, lambda x: x**3 - x, box.where(x="(0, 1]"))
    extreme = 2 / sqrt(27)
    for side, low, high in ((found.without, 0, extreme), (found.holding, -extreme, 0)):
        assert float(side.inner.low) == pytest.approx(low, abs=1e-6) == float(side.outer.low)
        assert float(side.outer.high) == pytest.approx(high, abs=1e-6) == float(side.inner.high)
        assert side.inner <= side.outer
    assert found.telling.lower**2 < Fraction(16, 27) < found.telling.upper**2
    assert found.telling.width < 1e-20
    assert found.revealed.upper == 1
    assert found.revealed.lower > Fraction(999, 1000)


def test_a_quotient_against_a_grid():
    box = nl.Box(weight=(40, 200), height=(1, "2.2"))
    found = nl.EnclosedTrial(box, lambda weight, height: weight / height**2, box.where(weight="[100, 200]"))
    assert found.without.outer == nl.Intervals.closed(Fraction(40) / Fraction("4.84"), 100)
    assert found.holding.inner == nl.Intervals.closed(Fraction(100) / Fraction("4.84"), 200)
    weight, height = np.meshgrid(40 + (np.arange(600) + 0.5) * 160 / 600, 1 + (np.arange(600) + 0.5) * 1.2 / 600)
    index = weight / height**2
    share = float(((index < 100 / 2.2**2) | (index > 100)).mean())
    assert float(found.revealed.lower) - 1e-3 < share < float(found.revealed.upper) + 1e-3
    assert found.revealed.width < 1e-3


PIECES = {
    "steps": ({"[-1, 0)": lambda x: x, "[0, 1)": lambda x: 2 - x, "[1, 2]": lambda x: x + 5}, "[-1, 1/2]"),
    "flat": ({"[-1, 0)": lambda x: x, "[0, 2]": lambda x: 3}, "[1, 2]"),
    "clipped": ({"[-1, 0)": lambda x: 0, "[0, 1]": lambda x: 2 * x, "(1, 2]": lambda: 2}, "[-1/2, 3/2]"),
    "apart": ({"[-1, 0)": lambda x: 0, "[0, 2]": lambda x: 1}, "[0, 2]"),
}


@pytest.mark.parametrize("name", PIECES)
def test_pieces_of_affine_functions(name):
    """Exactly, against a fine grid of rational points, and inside the enclosures."""
    functions, holds = PIECES[name]
    report = {LINE.where(x=part): function for part, function in functions.items()}  # type: ignore[attr-defined]
    exact = nl.Trial(LINE, report, LINE.where(x=holds))
    found = nl.EnclosedTrial(LINE, report, LINE.where(x=holds))
    points = [Fraction(k, 200) - 1 + Fraction(1, 400) for k in range(600)]

    def value(x):
        function = next(function for part, function in functions.items() if x in nl.Intervals(part))  # type: ignore[attr-defined]
        return function(*[x] * function.__code__.co_argcount)

    for x in points:
        assert value(x) in exact.ranges[x in nl.Intervals(holds)]
    revealed = Fraction(sum(value(x) in exact.telling for x in points), len(points))
    assert exact.pull_back == LogRatio.of(1, revealed)
    assert revealed in found.revealed
    assert found.revealed.width < Fraction(1, 1000)
    assert exact.telling.measure in found.telling
    for mine, theirs in zip(exact.ranges, (found.without, found.holding), strict=True):
        assert (theirs.inner - mine).measure == (mine - theirs.outer).measure == 0


def test_a_report_that_reveals_nothing():
    found = nl.EnclosedTrial(LINE, lambda x: 7, LINE.where(x="[0, 1]"))
    assert found.pull_back == (LogRatio(inf), LogRatio(inf))
    with pytest.raises(nl.NotCertifiableError, match="0/0"):
        _ = found.privacy


def test_a_single_report_between_two_ranges_is_not_lost(monkeypatch):
    """[0, 1) and (1, 2] touch at 1, which only the other side reports, on half of the box: all is revealed."""
    box = nl.Box(x=(0, 4))
    parts = {"[0, 1)": lambda x: x, "[1, 2)": lambda x: 3 - x, "[2, 4]": lambda x: 1}
    report = {box.where(x=part): function for part, function in parts.items()}
    holds = box.where(x="[2, 4]")
    assert nl.Trial(box, report, holds).pull_back == LogRatio(1)
    assert 1 in nl.EnclosedTrial(box, report, holds).revealed
    # closed ends without a margin would claim that half of it stays hidden
    monkeypatch.setattr(enclosed_trial, "_around_ends", lambda ranges: nl.Intervals())
    assert 1 not in nl.EnclosedTrial(box, report, holds).revealed


def test_what_is_refused():
    holds = LINE.where(x="[0, 1]")
    for report in (lambda x: 1 if x > 0 else 0, np.floor, np.sign, lambda x: "a"):
        with pytest.raises(nl.RangeError, match="continuous operations"):
            nl.EnclosedTrial(LINE, report, holds)
    with pytest.raises(nl.RangeError, match="followed by interval arithmetic"):
        nl.EnclosedTrial(LINE, lambda x: 1 / x, holds)
    with pytest.raises(nl.RangeError, match="overlap"):
        nl.EnclosedTrial(LINE, {LINE: abs, holds: abs}, holds)
    with pytest.raises(nl.RangeError, match="do not fill"):
        nl.Trial(LINE, {holds: lambda x: x}, holds)
    with pytest.raises(nl.RangeError, match="a function of coordinates"):
        nl.Trial(LINE, {LINE: 5}, holds)
    with pytest.raises(nl.RangeError, match="EnclosedTrial"):
        nl.Trial(LINE, lambda x: x**2, holds)
