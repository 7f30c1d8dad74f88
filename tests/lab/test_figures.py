"""Figures by their numbers, against closed forms worked out here; and that all are drawn, twice the same."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import ceil, factorial, floor, log, log2, pi, sqrt
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.figure import Figure as Canvas
from scipy.spatial import cKDTree
from scipy.stats import entropy
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.lab.attacks.combinations import Combinations, learned_levels, learned_rest
from noiseless.lab.attacks.curve import advantage
from noiseless.lab.attacks.disaggregation import f_scores
from noiseless.lab.attacks.household import household
from noiseless.lab.datasets.appliances import House
from noiseless.lab.datasets.trips import EAST, NORTH
from noiseless.lab.datasets.twins import twin_meters
from noiseless.lab.figures import (
    cdc5,
    composition,
    nht4,
    nht5,
    nht6,
    nht7,
    nht8,
    np3,
    np5,
    policies,
    style,
    theorem8,
    tifs3,
)
from noiseless.lab.figures.catalogue import FIGURES
from noiseless.lab.figures.figure import Numbers
from noiseless.lab.figures.material import Material

QUICK = Material(quick=True)


@cache
def numbers(name: str) -> Numbers:
    return FIGURES[name].numbers(QUICK)


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
            made_of = nl.optimal_quantizer(tifs3.PAIR, error=1 / gamma).quantizer
            edges = [float(made_of.edge(cell)) for cell in range(made_of.levels + 1)]
            assert row["d_min"] == pytest.approx(min(radius(*cell) for cell in pairwise(edges)), rel=1e-6)


def radius(low: float, high: float) -> float:
    """Of the smallest ball around {low ≤ (a + b)/2 ≤ high} in the square: around its corners, by trying."""
    corners = [(a, 2 * y - a) for y in (low, high) for a in (-2, 2) if abs(2 * y - a) <= 2]
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


def check_nht4(made: Numbers) -> None:
    collapse = "Collapse (the paper's)"
    table = dict(zip(made.column("rho", curve=collapse), made.column("epsilon", curve=collapse), strict=True))
    stated = {0.1: 0.1016880, 0.2: 0.0496245, 0.5: 0.0196917, 1: 0.00985270, 10: 0.000993288}
    assert {rho: float(f"{table[rho]:.6g}") for rho in stated} == {rho: float(f"{e:.6g}") for rho, e in stated.items()}
    for row in made.rows:
        if row["curve"] == collapse:
            assert row["epsilon"] == pytest.approx(epsilon(1 / row["rho"]), rel=1e-11)
            assert row["literal"] == 0
        elif row["curve"] == "Shift":
            assert row["epsilon"] == pytest.approx(epsilon(2 / row["rho"]), rel=1e-11)
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
        told = moved(policy, people.weight, surface, error)
        counted = Counter(
            (145 + 4 * floor((h - 145) / 4), 40 + 4 * floor((w - 40) / 4))
            for h, w in zip(people.height, told.round(9), strict=True)
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
            told = moved(row["policy"].split()[0], people.weight, surface, 1 / row["rho"])
            assert row["mean_shift_kg"] == pytest.approx((told - people.weight).mean(), abs=1e-4)
            bins = [np.histogram(each, 40, (0, 200))[0] + 0.5 for each in (people.weight, told)]
            assert row["kl_nats"] == pytest.approx(entropy(*bins), abs=1e-3)


def check_np3(made: Numbers) -> None:
    for adversary in made.values("adversary"):
        for n in np3.SIZES:
            here = {"adversary": adversary, "calibration": "corrected", "n": n}
            assert made.column("advantage", **here, bits=0)[0] < 0.2  # a coin, 500 times: over four deviations
            fine, exact = (made.column("advantage", **here, bits=bits)[0] for bits in (6, "exact"))
            assert abs(fine - exact) < 0.1
            for row in (row for row in made.rows if all(row[key] == value for key, value in here.items())):
                told = [row["advantage"], row["lower"], row["upper"]]
                assert told == pytest.approx(advantage(round((1 + told[0]) / 2 * 500), 500))
        for bits in (2, 3, 4):
            here = {"adversary": adversary, "calibration": "corrected", "n": 2, "bits": bits}
            assert made.column("advantage", **here)[0] > 0.15
        # n·2^0 levels, called 0 bits, are the n(2^1 − 1) levels of 1 bit
        four = {"adversary": adversary, "n": 4}
        called = made.column("advantage", **four, calibration="printed", bits=0)
        assert called == made.column("advantage", **four, calibration="corrected", bits=1)
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
        assert row["epsilon"] == pytest.approx(epsilon(error * (2 if policy == "Shift" else 1)), rel=1e-11)
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
    "nht4": (nht4, "POLICIES", {each: nl.Shift(nht4.OBESE, error=1) for each in nht4.POLICIES}),
    "nht6": (nht6, "leakage_given_epsilon", lambda e: SimpleNamespace(nats=nl.proposition_1_as_printed(float(e))[0])),
    "nht7": (
        nht7.Indistinguishable,
        "_levels",
        lambda self, query: nl.theorem_5_as_printed(query, self.bits),
    ),
    "nht8": (nht8, "query_leakage", lambda quantizer, mean: nl.LogRatio(Fraction(quantizer.levels, mean.n**2))),
    "tifs3": (tifs3, "BINS", tuple((bins, "maximin") for bins, _ in tifs3.BINS)),
    "theorem8": (theorem8, "calibrate", nl.theorem_8_as_printed),
    "np3": (np3, "household", lambda *given, **options: household(*given, **{**options, "rule": "printed"})),
    "nht5": (nht5, "POLICIES", {each: nl.Collapse(nht4.OBESE, error=1) for each in nht5.POLICIES}),
    "cdc5": (cdc5, "POLICIES", {each: nl.Collapse(nht4.OBESE, error=1) for each in cdc5.POLICIES}),
    "policies": (policies, "POLICIES", {each: nl.Collapse(nht4.OBESE, error=1) for each in policies.POLICIES}),
    "np5": (np5, "NORTH", np5.EAST),
    "composition": (composition, "PlainSum", lambda column, width, rows, top: nl.OtherQuestion((column,), 8)),
}
"""Of a figure: where something is replaced by what is wrong, most of it as the papers have it."""


@pytest.mark.parametrize("name", WRONG)
def test_wrong_numbers_are_caught(name, monkeypatch):
    monkeypatch.setattr(*WRONG[name])
    made = FIGURES[name].numbers(QUICK)
    with pytest.raises(AssertionError):
        CHECKS[name](made)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_and_twice_the_same(name, tmp_path):
    made, again = (nl.figures(tmp_path / folder, only=name, quick=True) for folder in "ab")
    assert [each.name for each in made] == [name]
    png, svg, table = made[0].files
    assert [file.name for file in made[0].files] == [f"{name}.{kind}" for kind in ("png", "svg", "csv")]
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    words = " ".join(" ".join(each.itertext()) for each in ElementTree.parse(svg).iter() if each.tag.endswith("text"))
    assert FIGURES[name].title.split()[-1] in words
    assert numbers(name).data.split()[-1] in words
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert rows == [{key: "" if v is None else str(v) for key, v in row.items()} for row in numbers(name).rows]
    for file, twin in zip(made[0].files, again[0].files, strict=True):
        assert file.read_bytes() == twin.read_bytes()


def test_what_is_printed_is_dashed_and_what_is_true_is_not():
    looks = [style.look(place) for place in range(len(style.COLOURS))]
    assert len({each["color"] for each in looks}) == len({each["marker"] for each in looks}) == len(looks)
    assert style.DASHED not in [each["linestyle"] for each in looks]
    assert style.printed(2) == {"color": style.COLOURS[2], "linestyle": style.DASHED, "marker": ""}


def test_real_data_where_they_are_and_twins_where_they_are_not(tmp_path, monkeypatch):
    monkeypatch.delenv("NOISELESS_DATA", raising=False)
    (tmp_path / "taxi").mkdir()
    ends = {"pickup_latitude": 40.7, "pickup_longitude": -74.0, "dropoff_latitude": 40.8, "dropoff_longitude": -73.9}
    pq.write_table(pa.table({name: [at] * 3 for name, at in ends.items()}), tmp_path / "taxi" / "nyc_trips.parquet")
    material = Material(tmp_path)
    assert material.taxi.origin.startswith("nyc_trips.parquet: 3 of 3 trips")
    assert material.survey.origin.startswith("synthetic")
    monkeypatch.setenv("NOISELESS_DATA", str(tmp_path))
    assert Material().taxi.rows == 3
    assert Material(quick=True).taxi.origin.startswith("synthetic")
    assert FIGURES["np6"].numbers(material).column("unique_share") == [0] * 13


DASHED = {
    "nht4": ("epsilon", {"curve": nht4.ASYMPTOTE}),
    "nht6": ("nats", {"bound": nht6.STATED}),
    "nht7": ("printed_levels", {"n": 3}),
    "np3": ("advantage", {"adversary": "correlation", "calibration": "printed", "n": 4}),
    "composition": ("bits", {"bits_each": 3, "rule": "papers"}),
    "theorem8": ("printed_levels", {"n": 10}),
}
"""Of figures with a printed formula: the column that is dashed, for some of its rows."""


@pytest.mark.parametrize("name", FIGURES)
def test_what_the_papers_print_is_dashed_and_nothing_else_is(name):
    canvas = Canvas(layout="constrained")
    FIGURES[name].draw(numbers(name), canvas)
    lines = [line for axes in canvas.axes for line in axes.lines if len(line.get_ydata())]
    dashed = [list(line.get_ydata()) for line in lines if line.is_dashed() and line.get_marker() in ("", "None")]
    if name in DASHED:
        column, rows = DASHED[name]
        assert numbers(name).column(column, **rows) in dashed
    else:
        assert not dashed or name == "tifs1"  # whose equal strips are dashed, too


def test_many_appliances():
    """REDD's own folder has more of them than there are colours."""
    watts = {f"appliance {k}": np.arange(100.0) % (k + 2) * 60 for k in range(9)}
    house = House(np.sum([*watts.values()], axis=0), watts, "nine")
    made = FIGURES["np4"].numbers(SimpleNamespace(house=house))
    FIGURES["np4"].draw(made, Canvas(layout="constrained"))
    assert len(made.values("appliance")) == 11


def test_one_figure_that_cannot_be_made_does_not_stop_the_others(tmp_path, monkeypatch):
    """A survey in inches and pounds has nobody in the frame; one of a giant is no reason to stop."""
    (tmp_path / "responses.csv").write_text("Height,Weight\n70,180\n65,240\n")
    with pytest.raises(nl.SourceError, match=r"1 figures are in .*; not made were nht5: there is nothing to draw"):
        nl.figures(tmp_path / "out", only=["nht5", "nht6"], data=tmp_path)
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["nht6.csv", "nht6.png", "nht6.svg"]
    (tmp_path / "responses.csv").write_text("Height,Weight\n170,60\n180,230\n")
    assert len(nl.figures(tmp_path / "out", only=["nht5", "cdc5"], data=tmp_path)) == 2


def test_every_figure_is_in_the_gallery():
    page = (Path(__file__).parents[2] / "docs" / "gallery.md").read_text(encoding="utf-8")
    for name, figure in FIGURES.items():
        assert f"![{name}](pictures/gallery/{name}." in page
        assert figure.paper == "ours" or figure.paper.split()[0] in page


def test_few_homes():
    """Groups that there are not enough homes for are left out."""
    made = np3.numbers(SimpleNamespace(quick=True, meters=twin_meters(homes=9, days=10).daily()))
    assert made.values("n") == [2, 4, 8]


def test_what_is_refused(tmp_path):
    with pytest.raises(nl.InputError, match="no figure 'tifs9'; there are tifs1, "):
        nl.figures(tmp_path, only=["tifs1", "tifs9"])
    with pytest.raises(nl.InputError, match="at least one figure"):
        nl.figures(tmp_path, only=[])
    for folder, rule in ((tmp_path, "has none of meters/"), (tmp_path / "nowhere", "no folder")):
        with pytest.raises(nl.SourceError, match=rule):
            nl.figures(tmp_path, data=folder)
    with pytest.raises(nl.InputError, match="either quick or data"):
        nl.figures(tmp_path, data=tmp_path, quick=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(nl.InputError, match="is a file"):
        nl.figures(tmp_path / "file", quick=True)


def test_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(nl.MissingExtraError, match=r"noiseless\[figures\]"):
        nl.figures(tmp_path / "out", quick=True)
    assert not (tmp_path / "out").exists()


def test_matplotlib_is_loaded_only_to_draw():
    code = "import sys, noiseless.app.cli.main, noiseless.lab.figures.write; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_the_command(tmp_path):
    run = CliRunner()
    listed = run.invoke(app, ["figures", "--list"])
    assert listed.exit_code == 0
    assert all(name in listed.stdout for name in FIGURES)
    made = run.invoke(app, ["figures", "--out", str(tmp_path), "--quick", "--only", "nht7,nht6"])
    assert made.exit_code == 0
    assert "exact formulas" in made.stdout
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        f"{name}.{kind}" for name in ("nht6", "nht7") for kind in ("csv", "png", "svg")
    )
    wrong = run.invoke(app, ["figures", "--only", "nothing", "--out", str(tmp_path)])
    assert (wrong.exit_code, "no figure 'nothing'" in wrong.stderr) == (1, True)
    assert run.invoke(app, ["figures", "--data", str(tmp_path / "no"), "--out", str(tmp_path)]).exit_code == 1
