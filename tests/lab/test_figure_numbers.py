"""Figures by their numbers, against closed forms worked out here; wrong ones are caught."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import ceil, factorial, floor, log, log2, pi, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.stats import entropy

import noiseless as nl
from noiseless.lab.attacks.combinations import Combinations, learned_levels, learned_rest
from noiseless.lab.attacks.curve import advantage
from noiseless.lab.attacks.disaggregation import disaggregation, f_scores
from noiseless.lab.attacks.household import household
from noiseless.lab.attacks.tester import OBESE
from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.datasets.trips import EAST, NORTH
from noiseless.lab.figures import (
    cdc5,
    composition,
    nht4,
    nht5,
    nht6,
    nht8,
    np3,
    np4,
    np5,
    np6,
    policies,
    theorem8,
    tifs1,
    tifs2,
    tifs3,
)
from noiseless.lab.figures.catalogue import FIGURES
from noiseless.lab.figures.figure import Numbers
from noiseless.lab.lifetime import runs
from noiseless.lab.lifetime.asked import Kind
from noiseless.lab.lifetime.people import synthetic
from noiseless.lab.lifetime.priced import lifetime
from tests.lab.quick import QUICK, numbers


def check_tifs1(made: Numbers) -> None:
    assert made.column("reported", policy="equal strips", gamma=2.0) == [-1.5, -0.5, 0.5, 1.5]
    assert made.column("share", policy="equal strips", gamma=2.0) == [1 / 8, 3 / 8, 3 / 8, 1 / 8]
    best = {"policy": "least leakage", "gamma": 1.6}
    edges = [*made.column("lower", **best), made.column("upper", **best)[-1]]
    assert [round(edge, 4) for edge in edges] == [-2, -0.75, 0.2322, 0.75, 2]
    assert round(made.column("L0_nats", **best)[0], 3) == 1.633
    assert made.column("L0_nats", policy="equal strips", gamma=1.6)[0] == pytest.approx(log(8), rel=1e-15)


def check_tifs2(made: Numbers) -> None:
    assert made.column("lower") == [float(ring) for ring in range(12)]
    assert made.column("reported") == [ring + 0.5 for ring in range(12)]
    for ring in range(4):  # whole ellipses: π·y/√2 of an area of 16
        assert made.rows[ring]["share_lower"] <= pi / sqrt(2) / 16 <= made.rows[ring]["share_upper"]
    assert sum(made.column("share_lower")) <= 1 <= sum(made.column("share_upper"))


def check_tifs3(made: Numbers) -> None:
    halves = {k / 2 for k in range(1, 11)}  # where the number of bins jumps, and the steps are drawn
    assert halves <= set(made.column("gamma", bins=made.values("bins")[0]))
    for row in made.rows:
        gamma = Fraction(str(row["gamma"]))
        bins, width = max(1, ceil(2 * gamma)), 2 / gamma
        assert row["cells"] == bins
        assert row["maximin_nats"] == pytest.approx(log(bins), rel=1e-14)
        if bins == 1:
            assert (row["L0_nats"], row["d_min"]) == (0, pytest.approx(2 * sqrt(2)))
        elif row["bins"].startswith("equal"):
            assert row["L0_nats"] == pytest.approx(log(bins**2 / 2), rel=1e-14)
            assert row["d_min"] == pytest.approx(4 * sqrt(2) / bins, rel=1e-14)
        else:  # the share below −2 + w of a triangle on [−2, 2], or an equal part
            below = width**2 / 8 if width <= 2 else 1 - (4 - width) ** 2 / 8
            assert row["L0_nats"] == pytest.approx(-log(min(below, Fraction(1, bins))), rel=1e-9)
            made_of = nl.optimal_quantizer(tifs1.PAIR, error=1 / gamma).quantizer
            edges = [float(made_of.edge(cell)) for cell in range(made_of.levels + 1)]
            assert row["d_min"] == pytest.approx(min(radius(*cell) for cell in pairwise(edges)), rel=1e-6)


def radius(low: float, high: float) -> float:
    """Of the smallest ball around {low ≤ (a + b)/2 ≤ high} in the square: around its corners, by trying."""
    corners: list[tuple[float, float]] = [(a, 2 * y - a) for y in (low, high) for a in (-2, 2) if abs(2 * y - a) <= 2]
    corners += [(2 * y - b, b) for y in (low, high) for b in (-2, 2) if abs(2 * y - b) <= 2]
    corners += [(a, b) for a in (-2, 2) for b in (-2, 2) if low <= (a + b) / 2 <= high]
    points = np.array(sorted(set(corners)))
    centres = [sum(points[list(each)]) / 2 for each in combinations(range(len(points)), 2)]
    centres += [centre for each in combinations(range(len(points)), 3) for centre in circumcentre(points[list(each)])]
    return min(np.linalg.norm(points - centre, axis=1).max() for centre in centres)


def circumcentre(three: np.ndarray) -> list[np.ndarray]:
    sides = three[1:] - three[0]
    if abs(np.linalg.det(sides)) < 1e-9:
        return []
    return [three[0] + np.linalg.solve(2 * sides, (sides**2).sum(axis=1))]


def epsilon(error: float) -> float:
    """Theory §4: the area of the band around 3h²/1000 in [0, 200] × [0, 250]."""
    inner = 500 * error - 2 * error / 3 * sqrt(1000 * error / 3)
    if error > 12.5:
        outer = 2 / 3 * (200 - error) * sqrt(1000 * (200 - error) / 3)
        inner = 34375 + 250 * error - outer - 2 * error / 3 * sqrt(1000 * error / 3)
    return inner / (50000 - inner)


ROUNDED = 1e-6
"""By what share the policies hide less than real numbers would: a few steps that reports are rounded to."""


def check_nht4(made: Numbers) -> None:
    collapse = "Collapse (the paper's)"
    table = dict(zip(made.column("rho", curve=collapse), made.column("epsilon", curve=collapse), strict=True))
    stated = {0.1: 0.1016880, 0.2: 0.0496245, 0.5: 0.0196917, 1: 0.00985270, 10: 0.000993288}
    assert {rho: float(f"{table[rho]:.6g}") for rho in stated} == {rho: float(f"{e:.6g}") for rho, e in stated.items()}
    for row in made.rows:
        if row["curve"] == collapse:
            assert row["epsilon"] == pytest.approx(epsilon(1 / row["rho"]), rel=ROUNDED)
            assert row["literal"] == 0
        elif row["curve"] == "Shift":
            assert row["epsilon"] == pytest.approx(epsilon(2 / row["rho"]), rel=ROUNDED)
            assert row["literal"] == pytest.approx(row["epsilon"] / 2, rel=1e-15)
        else:
            assert row["times_rho"] == 0.01
    limit = [0.01 - each for each in made.column("times_rho", curve=collapse)[4:]]
    assert limit == sorted(limit, reverse=True)
    assert 0 < limit[-1] < 3e-5


def moved(policy: str, x: np.ndarray, g: np.ndarray, r: float) -> np.ndarray:
    """The three policies as theory §4 has them, where there is room."""
    near = np.abs(x - g) <= r
    if policy == "Collapse":
        return np.where(near, g, x)
    if policy == "Stretch":
        return np.where(near & (x < g), 2 * x - g + r, np.where(near, 2 * x - g - r, x))
    return np.where((x >= g) & (x < g + 2 * r), x - r, np.where((x < g) & (x >= g - 2 * r), x + r, x))


def check_nht5(made: Numbers) -> None:
    people, error = QUICK.survey, 10
    surface = 0.003 * people.height**2
    for policy in ("Collapse", "Shift"):
        reported = moved(policy, people.weight, surface, error)
        counted = Counter(
            (145 + 4 * floor((h - 145) / 4), 40 + 4 * floor((w - 40) / 4))
            for h, w in zip(people.height, reported.round(9), strict=True)
            if 145 <= h < 205 and 40 <= w < 120
        )
        here = {"policy": policy, "rho": "0.1"}
        places = zip(made.column("height", **here), made.column("weight", **here), strict=True)
        assert dict(zip(places, made.column("people", **here), strict=True)) == counted


def check_nht6(made: Numbers) -> None:
    for row in made.rows:
        e = row["epsilon"]
        true = log(1 + 1 / e)
        if row["bound"].startswith("ln"):
            assert row["nats"] == pytest.approx(true, rel=1e-14)
        else:
            assert row["nats"] < true
    assert made.column("nats", bound=nht6.STATED, epsilon=1.0) == [pytest.approx(-log(1 - np.exp(-1)))]


def check_nht7(made: Numbers) -> None:
    for row in made.rows:
        n, half = row["n"], 2 ** (row["epsilon"] - 1)
        assert row["levels"] == n * (half + 1) - 1
        assert row["printed_levels"] == max(1, n * (half - 1))
        assert row["telling"] <= 2 * half
    assert made.column("levels", n=2)[:4] == [3, 5, 9, 17]
    assert made.column("levels", n=3)[:4] == [5, 8, 14, 26]


def check_nht8(made: Numbers) -> None:
    for row in made.rows:
        n, levels = row["n"], row["levels"]
        if levels >= n:  # the smallest cell is a corner of the cube
            assert row["leakage_bits"] == pytest.approx(log2(Fraction(levels, n) ** n * factorial(n)), rel=1e-13)
    for rule in made.values("rule"):
        for bits in range(2, 9):
            leaks = made.column("leakage_bits", rule=rule, epsilon=bits)
            assert all(fewer < more for fewer, more in pairwise(leaks))
    assert set(made.column("leakage_bits", rule=nht8.PRINTED, epsilon=1)) == {0}


def check_cdc5(made: Numbers) -> None:
    people = QUICK.survey
    surface = 0.003 * people.height**2
    for row in made.rows:
        assert abs(row["mean_shift_kg"]) <= 1 / row["rho"]
        assert row["kl_nats"] >= 0
        if row["rho"] >= 0.05:  # up to an error of 20 there is room everywhere
            reported = moved(row["policy"].split()[0], people.weight, surface, 1 / row["rho"])
            assert row["mean_shift_kg"] == pytest.approx((reported - people.weight).mean(), abs=1e-4)
            bins = [np.histogram(each, 40, (0, 200))[0] + 0.5 for each in (people.weight, reported)]
            assert row["kl_nats"] == pytest.approx(entropy(*bins), abs=1e-3)


def check_np3(made: Numbers) -> None:
    for adversary in made.values("adversary"):
        for n in np3.SIZES:
            here = {"adversary": adversary, "calibration": "corrected", "n": n}
            assert made.column("advantage", **here, bits=0)[0] < 0.09  # a coin, 2000 times: over four deviations
            fine, exact = (made.column("advantage", **here, bits=bits)[0] for bits in (6, "exact"))
            assert abs(fine - exact) < 0.1
            for row in (row for row in made.rows if all(row[key] == value for key, value in here.items())):
                found = [row["advantage"], row["lower"], row["upper"]]
                assert found == pytest.approx(advantage(round((1 + found[0]) / 2 * 2000), 2000))
        for bits in (2, 3, 4):
            here = {"adversary": adversary, "calibration": "corrected", "n": 2, "bits": bits}
            assert made.column("advantage", **here)[0] > 0.15
        # n·2^0 levels, called 0 bits, are the n(2^1 − 1) levels of 1 bit
        four = {"adversary": adversary, "n": 4}
        called = made.column("advantage", **four, calibration="printed", bits=0)
        assert called == made.column("advantage", **four, calibration="corrected", bits=1)
    coins = [row["advantage"] for row in made.rows if (row["calibration"], row["bits"]) == ("corrected", 0)]
    assert len(set(coins)) > len(coins) / 2  # not one run of luck for all curves
    exact = {"adversary": "correlation", "calibration": "corrected", "bits": "exact"}
    assert made.column("advantage", **exact, n=2)[0] > 0.5 > made.column("advantage", **exact, n=32)[0]


def check_np4(made: Numbers) -> None:
    training, attacked = QUICK.house.split(0.3)
    for name, watts in attacked.appliances.items():  # one answer for all time: always on, or never
        on = int((watts > 10).sum())
        assert made.column("f_score", appliance=name, bits=0)[0] in (0, 2 * on / (on + attacked.samples))
    tried = Combinations.of({**learned_levels(training), "rest": learned_rest(training)})
    chosen = tried.choices[tried.nearest_by_trying(attacked.mains)] > 100
    truth = {name: watts > 10 for name, watts in attacked.appliances.items()}
    scores = f_scores(truth, {name: chosen[:, place] for place, name in enumerate(tried.names)})
    assert {name: made.column("f_score", appliance=name, bits="exact")[0] for name in scores} == scores
    nothing, everything = (made.column("f_score", appliance="mean of all", bits=bits)[0] for bits in (0, "exact"))
    assert nothing < everything == pytest.approx(np.mean([*scores.values()]))


def check_np5(made: Numbers) -> None:
    assert sum(made.column("pickups")) == QUICK.taxi.rows
    steps = [(side[1] - side[0]) / 256 for side in (NORTH, EAST)]
    for row in made.rows[:: len(made.rows) // 50]:
        low = np.array([row["latitude"], row["longitude"]]) + 1e-9
        inside = ((QUICK.taxi.points[:, :2] >= low) & (QUICK.taxi.points[:, :2] < low + steps)).all(axis=1)
        assert inside.sum() == row["pickups"]
    assert NORTH[0] <= min(made.column("latitude")) <= max(made.column("latitude")) < NORTH[1]
    assert EAST[0] <= min(made.column("longitude")) <= max(made.column("longitude")) < EAST[1]


def check_np6(made: Numbers) -> None:
    def part(value: float, side: tuple[float, float], parts: int) -> int:
        low, high = (Fraction(str(end)) for end in side)
        return min(floor((Fraction(value) - low) * parts / (high - low)), parts - 1)

    for bits in (8, 14):
        parts = 2 ** (bits // 2)
        cells = Counter(
            tuple(part(value, side, parts) for value, side in zip(trip, (NORTH, EAST) * 2, strict=True))
            for trip in QUICK.taxi.points.tolist()
        )
        alone = sum(number == 1 for number in cells.values())
        assert made.column("unique_share", bits=bits) == [alone / QUICK.taxi.rows]
    shares = made.column("unique_share")
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert made.column("bits_of_trip") == [2 * bits for bits in made.column("bits")]


def check_composition(made: Numbers) -> None:
    for row in made.rows:
        k, answers = row["k"], 2 ** row["bits_each"]
        expected = {"papers": answers**k, "ledger": answers * 2 ** (k - 1), "batch": 1 + k * (answers - 1)}
        assert row["count"] == expected[row["rule"]]
        assert row["bits"] == log2(row["count"])


def check_lifetime(made: Numbers) -> None:
    """Equal bins and Laplace by hand; stable counts as a curator answers them; every decile below its median."""
    for row in made.rows:
        answers = {"mean": 3, "count": 2, "median": 102 if row["table"] == "synthetic" else 17}
        count = answers[row["kind"]] - (row["conditions"] == "public")
        assert row["first_decile"] <= row["median"]
        if row["method"] == "equal" and row["conditions"] == "private":
            assert row["mean"] == row["median"] == floor(row["bits"] / log2(count))
        elif row["method"] == "equal":  # every public group has its own account
            assert row["mean"] >= floor(row["bits"] / log2(count))
        if row["method"] == "noise" and row["kind"] == "count":
            assert row["mean"] == floor(row["error"] / log(20))
    people, kind = synthetic(2000, 0, regions=1), Kind("count", True, Fraction(100), stable=True)
    kept = 0
    with (
        nl.Curator.open(people.table(), people.schema, 8, table="people") as curator,
        suppress(nl.BudgetExceededError),
    ):
        for question in kind.questions(people, 0):
            kept += not curator.ask(question.sql(people), **question.terms).coarser
    which = {"table": "synthetic", "kind": "count", "conditions": "private", "share": "20-80%", "method": "stable"}
    assert made.column("mean", **which) == [kept]


@cache
def limit(error: float) -> float:
    """m(T)/(m(X) − m(T)), T within 2·error of the other side, on a grid: distances to the points of the boundary."""
    heights = np.linspace(0, 250, 2001)
    boundary = cKDTree(np.stack([0.003 * heights**2, heights], axis=1))
    grid = np.stack(np.meshgrid(np.arange(0.25, 200, 0.5), np.arange(0.25, 250, 0.5)), axis=-1).reshape(-1, 2)
    share = (boundary.query(grid)[0] <= 2 * error).mean()
    return share / (1 - share)


def check_policies(made: Numbers) -> None:
    by_error = {(row["policy"], row["error"]): row for row in made.rows}
    for (policy, error), row in by_error.items():
        assert row["epsilon"] == pytest.approx(epsilon(error * (2 if policy == "Shift" else 1)), rel=ROUNDED)
        assert row["epsilon"] < row["limit"] == pytest.approx(limit(error), rel=0.05)
        literal = {"Shift": row["epsilon"] / 2, "Stretch": row["epsilon"]}.get(policy, 0)
        assert row["literal_epsilon"] == pytest.approx(literal, rel=1e-15)


def check_theorem8(made: Numbers) -> None:
    for row in made.rows:
        n, answers = row["n"], 2 ** row["epsilon"]
        assert row["safe_levels"] == max(answers, n * (answers - 1))
        assert row["safe_answers"] <= answers
        assert row["printed_levels"] == n * answers
        assert row["printed_answers"] == answers + 1
    assert [round(bits, 3) for bits in made.column("printed_bits", n=2)[:5]] == [1, 1.585, 2.322, 3.17, 4.087]
    assert made.column("safe_levels", n=2)[:5] == [1, 2, 6, 14, 30]
    assert made.column("safe_levels", n=3)[:5] == [1, 3, 9, 21, 45]


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


def test_every_figure_is_checked():
    assert set(CHECKS) == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_the_numbers(name):
    CHECKS[name](numbers(name))


WRONG = {
    "nht4": (nht4, "POLICIES", {each: nl.Shift(OBESE, error=1) for each in nht4.POLICIES}),
    "nht6": (nht6, "leakage_given_epsilon", lambda e: SimpleNamespace(nats=nl.proposition_1_as_printed(float(e))[0])),
    "nht7": (
        nl.Indistinguishable,
        "_levels",
        lambda self, query: nl.theorem_5_as_printed(query, self.bits),
    ),
    "nht8": (nht8, "query_leakage", lambda quantizer, mean: nl.LogRatio(Fraction(quantizer.levels, mean.n**2))),
    "tifs3": (tifs3, "BINS", tuple((bins, "maximin") for bins, _ in tifs3.BINS)),
    "theorem8": (theorem8, "calibrate", nl.theorem_8_as_printed),
    "np3": (np3, "household", lambda *given, **options: household(*given, **{**options, "rule": "printed"})),
    "nht5": (nht5, "POLICIES", {each: nl.Collapse(OBESE, error=1) for each in nht5.POLICIES}),
    "cdc5": (cdc5, "POLICIES", {each: nl.Collapse(OBESE, error=1) for each in cdc5.POLICIES}),
    "policies": (policies, "POLICIES", {each: nl.Collapse(OBESE, error=1) for each in policies.POLICIES}),
    "np5": (np5, "NORTH", EAST),
    "np4": (np4, "disaggregation", lambda *given, **options: disaggregation(*given, **{**options, "train": 0.5})),
    "np6": (np6, "unique_trips", lambda trips, bits: unique_trips(replace(trips, points=trips.points[::2]), bits)),
    "tifs1": (tifs1, "POLICIES", tuple((policy, "maximin", gamma) for policy, _, gamma in tifs1.POLICIES)),
    "tifs2": (tifs2, "bowl", lambda x1, x2: x1**2 + x2**2),
    "lifetime": (runs, "lifetime", lambda people, questions, bits: lifetime(people, questions, 2 * bits)),
    "composition": (composition, "PlainSum", lambda column, width, rows, top: nl.OtherQuestion((column,), 8)),
}
"""Of a figure: where something is replaced by what is wrong, most of it as the papers have it."""


@pytest.mark.parametrize("name", WRONG)
def test_wrong_numbers_are_caught(name, monkeypatch):
    monkeypatch.setattr(*WRONG[name])
    made = FIGURES[name].numbers(QUICK)
    with pytest.raises(AssertionError):
        CHECKS[name](made)
