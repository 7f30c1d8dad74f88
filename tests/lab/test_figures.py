"""Figures as files: all are drawn, twice the same, what is printed is dashed; from real data, twins, the command."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.lab.datasets.appliances import House
from noiseless.lab.datasets.twins import twin_meters
from noiseless.lab.figures import (
    nht4,
    nht6,
    np3,
    style,
    write,
)
from noiseless.lab.figures.catalogue import FIGURES
from noiseless.lab.figures.material import Material
from tests.lab.quick import numbers


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_and_twice_the_same(name, tmp_path):
    made = nl.figures(tmp_path, only=name, quick=True)
    assert [each.name for each in made] == [name]
    png, svg, table = made[0].files
    assert [file.name for file in made[0].files] == [f"{name}.{kind}" for kind in ("png", "svg", "csv")]
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    words = " ".join(" ".join(each.itertext()) for each in ElementTree.parse(svg).iter() if each.tag.endswith("text"))
    assert FIGURES[name].title.split()[-1] in words
    assert numbers(name).data.split()[-1] in words
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert rows == [{key: "" if v is None else str(v) for key, v in row.items()} for row in numbers(name).rows]
    again = write._pictures(FIGURES[name], numbers(name))
    assert again == {"png": png.read_bytes(), "svg": svg.read_bytes()}


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


@pytest.mark.parametrize("name", FIGURES)
def test_no_legend_covers_a_point(name):
    with matplotlib.rc_context(style.SETTINGS):
        canvas = Canvas(figsize=FIGURES[name].size, layout="constrained")
        FIGURES[name].draw(numbers(name), canvas)
        FigureCanvasAgg(canvas).draw()
        for axes in (axes for axes in canvas.axes if axes.get_legend()):
            frame = axes.get_legend().get_window_extent()
            for line in axes.lines:
                places = line.get_transform().transform(line.get_xydata())
                shown = axes.bbox.padded(1).count_contains(places)
                assert frame.count_contains(places) == 0 or shown == 0, line.get_label()


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
    with pytest.raises(nl.SourceError, match=r"1 figure made, in .*; not made: nht5: there is nothing to draw"):
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
    with pytest.raises(nl.InputError, match="figure 'tifs9' does not exist; use some of tifs1, "):
        nl.figures(tmp_path, only=["tifs1", "tifs9"])
    with pytest.raises(nl.InputError, match="no figure is named"):
        nl.figures(tmp_path, only=[])
    for folder, rule in ((tmp_path, "has none of meters/"), (tmp_path / "nowhere", "does not exist")):
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
    assert (wrong.exit_code, "figure 'nothing' does not exist" in wrong.stderr) == (1, True)
    assert run.invoke(app, ["figures", "--data", str(tmp_path / "no"), "--out", str(tmp_path)]).exit_code == 1
