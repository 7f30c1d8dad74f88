"""Every adversary by its name: on its twin, on a table of one's own, from Python and from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from inspect import signature
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.lab.attacks.adversary import Adversary
from noiseless.lab.attacks.catalogue import ATTACKS
from noiseless.lab.attacks.disaggregation import Explainer
from noiseless.lab.attacks.distinguisher import KNOWING
from noiseless.lab.attacks.estimator import Estimator
from noiseless.lab.attacks.homogeneity import Neighbour
from noiseless.lab.attacks.household_adversaries import ADVERSARIES
from noiseless.lab.attacks.questions import ASKERS
from noiseless.lab.attacks.tester import ConsistentTester
from noiseless.lab.attacks.trips import Seeker
from noiseless.lab.datasets.twins import twin_house, twin_meters, twin_taxi

SETTINGS = {"tester": [1, 10], "homogeneity": [2, 5]}


def run(*words: str):
    return CliRunner().invoke(app, ["attack", *words])


@pytest.mark.parametrize("name", ATTACKS)
def test_by_name(name):
    found = nl.attack(name, "twin", SETTINGS.get(name, [0, 2]))
    assert len(found.points) == 2
    assert "<polyline" in found.picture() == found._repr_html_()
    assert len(found.fields()["points"]) == 2
    assert "synthetic" in found.fields()["data"]


def test_a_data_set_and_a_single_setting():
    found = nl.attack("trips", twin_taxi(trips=50), 4)
    assert [point.setting for point in found.points] == [{"bits": 4}]


def test_a_dataframe():
    people = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["a", "a", "b", "c"]})
    assert nl.attack("homogeneity", people, 2, quasi="age", sensitive="ill").points[0].value == 0.5
    with pytest.raises(nl.InputError, match="both quasi and sensitive"):
        nl.attack("homogeneity", people, 2, quasi="age,ill", sensitive="ill")


def test_a_bound_that_is_too_low_is_said(own):
    """Everybody would look safe: so it is said, and what is exact stays exact."""
    exact = [nl.attack("household", "twin", None, games=200, high=high, n=2).points[-1].value for high in (100, "0.1")]
    assert exact[0] == exact[1] > 0.2
    assert "outside [0, 0.1]" in nl.attack("household", "twin", [0], games=9, high="0.1").origin
    assert "outside [0, 900]" in nl.attack("disaggregation", "twin", [0], high=900).origin
    people = own / "people.csv"
    for name, more in (("tester", {"threshold": 5}), ("estimator", {})):
        found = nl.attack(name, people, [1], column="income", low=0, high=10, **more)
        assert "of 200 values outside [0, 10] are clamped" in found.origin


def test_errors_of_a_column_are_parts_of_its_range(own):
    found = nl.attack("tester", own / "people.csv", column="income", threshold=40, low=0, high=90)
    assert [point.setting["error"] for point in found.points] == [0.9, 1.8, 4.5, 9, 18]
    with pytest.raises(nl.InputError, match="is not between low=0 and high=30"):
        nl.attack("tester", own / "people.csv", column="income", threshold=40, low=0, high=30)


def test_as_text():
    assert "unique share" in str(nl.attack("trips", twin_taxi(trips=50), 4))


def test_bits_that_are_not_whole():
    found = nl.attack("household", "twin", ["1.585"], n=2, games=50)
    assert found.fields()["points"][0]["bits"] == 1.585
    assert ">1.585</text>" in found.picture()


def test_the_printed_theorem_beside():
    found = nl.attack("household", "twin", ["0", None], printed=True, games=500)
    nothing, exact = found.points
    assert nothing.setting["bits"] == 0
    assert nothing.setting[found.beside] > nothing.upper
    assert exact.setting[found.beside] == exact.value


def test_names_are_shown_as_they_are():
    house = twin_house(samples=2000)
    odd = replace(house, appliances={"fridge [/kw]": house.appliances["fridge"]}, origin="x[red].csv")
    console = Console(record=True, width=200, file=StringIO())
    console.print(nl.attack("disaggregation", odd, [1]))
    shown = console.export_text()
    assert "x[red].csv" in shown
    assert "fridge [/kw]" in shown


def test_wrong_names():
    with pytest.raises(nl.InputError, match="adversary 'oracle' does not exist"):
        nl.attack("oracle")
    with pytest.raises(nl.InputError, match="trips has no option 'speed'; use one of most, north, east"):
        nl.attack("trips", "twin", [0], speed=3)
    with pytest.raises(nl.InputError, match="most is only for your own file"):
        nl.attack("trips", "twin", [0], most=3)
    for wrong in (pd.DataFrame({"a": [1]}), twin_taxi(trips=10)):
        with pytest.raises(
            nl.InputError, match=f"data is a {type(wrong).__name__}, not a path; give the path of a file"
        ):
            nl.attack("household", wrong)
    with pytest.raises(nl.InputError, match="is not a schema file"):
        nl.attack("bisection", twin_taxi(trips=10))
    with pytest.raises(nl.InputError, match="threshold=, low= and high= need a column"):
        nl.attack("tester", "twin", [5], threshold=5)
    with pytest.raises(nl.InputError, match="whole number"):
        nl.attack("trips", "twin", ["0.5"])
    with pytest.raises(nl.InputError, match="'exact' is not a setting"):
        nl.attack("tester", "twin", [None])
    with pytest.raises(nl.InputError, match="policy 'hide' does not exist"):
        nl.attack("tester", "twin", policy="hide")


@pytest.fixture
def own(tmp_path):
    """Tables of one's own, one for each kind of adversary."""
    panel = twin_meters(homes=6, days=4)
    rows = [
        {"home": home, "time": pd.Timestamp("2020-01-01") + pd.Timedelta(minutes=30 * at), "kwh": kwh}
        for home, readings in enumerate(panel.readings)
        for at, kwh in enumerate(readings)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "panel.csv", index=False)
    house = twin_house(samples=5000)
    pd.DataFrame({"mains": house.mains, **house.appliances}).to_parquet(tmp_path / "house.parquet")
    points = twin_taxi(trips=500).points + np.array([8, 90, 8, 90])
    names = ["start_lat", "start_lon", "end_lat", "end_lon"]
    pd.DataFrame(points, columns=names).to_csv(tmp_path / "trips.csv", index=False)
    draw = np.random.default_rng(8)
    people = pd.DataFrame({"income": draw.integers(0, 90, 200), "age": draw.integers(18, 60, 200), "town": "others"})
    people.loc[7, "town"] = "alone"
    people.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "book.xlsx").write_bytes(b"PK")
    hours = [f"1,2020-01-01 {hour:02d}:00,1" for hour in range(24)]
    (tmp_path / "hours.csv").write_text("\n".join(["meter_id,timestamp,consumption_kwh", *hours]))
    (tmp_path / "people.toml").write_text(
        'source = "people.csv"\ntable = "people"\nbudget = 1\n'
        '[columns.income]\nkind = "integer"\nlow = 0\nhigh = 90\n'
        '[columns.town]\nkind = "public"\nkeys = ["alone", "others"]\n'
    )
    return tmp_path


COMMANDS = {
    "household": "--data panel.csv --n 2 --bits 0,3,exact --games 300 --adversary peak",
    "household by half hours": "--data panel.csv --n 2 --bits 1 --games 100 --half-hourly --printed --high 5",
    "disaggregation": "--data house.parquet --bits 0,exact --high 9000 --train 0.4 --levels 3 --appliances fridge",
    "trips": "--data trips.csv --bits 0,4,12 --north 48.4,49 --east 15.5,16.5",
    "tester": "--data people.csv --column income --threshold 40 --low 0 --high 90 --error 1,5 --policy stretch",
    "estimator": "--data people.csv --column income --low 0 --high 90 --bits 0,1,2 --p 1",
    "distinguisher": "--data people.csv --column income --low 0 --high 90 --bits 0,exact --n 3 --knows habits",
    "distinguisher of a policy": "--data people.csv --column income --low 0 --high 90 --bits 1 --definition policy",
    "distinguisher of homes": "--data panel.csv --of meters --bits 2 --pair extremes --definition indistinguishable",
    "homogeneity": "--data people.csv --quasi age --sensitive income --k 1,5",
    "guards": "--data people.csv --column income --low 0 --high 90 --bits 1 --codes 3",
    "bisection": "--data people.toml --column income --bits 1,3",
    "averaging": "--data people.toml --column income --bits 1",
    "differencing": "--data people.toml --column income --bits 2",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_on_a_table_of_ones_own(own, monkeypatch, command):
    monkeypatch.chdir(own)
    words = [command.split()[0], *COMMANDS[command].split(), "--picture", "curve.svg", "--json"]
    words += ["--where", "town = 'alone'"] if "toml" in COMMANDS[command] else []
    done = run(*words)
    assert done.exit_code == 0, done.output
    shown = json.loads(done.stdout)
    [settings] = (words[at + 1] for at, word in enumerate(words) if word in ("--bits", "--error", "--k"))
    assert len(shown["points"]) == len(settings.split(","))
    assert words[2].split(".")[0] in shown["data"]
    assert (own / "curve.svg").read_text().startswith("<svg")
    assert run(*[word for word in words if word != "--json"]).exit_code == 0


def test_a_declared_budget_is_not_touched(own):
    """The adversary plays with a ledger of its own, whatever the file says."""
    before = sorted(file.name for file in own.iterdir())
    found = nl.attack("bisection", own / "people.toml", [3], column="income", where="town = 'alone'")
    assert found.points[0].setting["charged"] == 3
    assert sorted(file.name for file in own.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("trips --data trips.csv", "no trip inside"),
        ("trips --data people.csv", "no column for 'pickup_latitude'"),
        ("household --data panel.csv --n 9", "because one of the 6 homes stays out"),
        ("household --data people.csv", "is not a panel of meters"),
        ("household --data panel.csv --start yesterday", "is not a day"),
        ("disaggregation --data people.csv", "has no mains or no appliances"),
        ("disaggregation --data house.parquet --appliances kettle", "no appliance 'kettle'"),
        ("disaggregation --data house.parquet --train 0.00001", "training period is empty"),
        ("tester --data people.csv", "for your own table name a --column"),
        ("tester --data people.csv --column income", "also needs --threshold"),
        ("tester --column income", "--column 'income' needs a table"),
        ("estimator --data people.csv --column town --low 0 --high 1", "no row with a number in town"),
        ("distinguisher --data people.csv --column income", "also needs --low"),
        ("distinguisher --data people.csv --of ships", "--of 'ships' does not exist"),
        ("homogeneity --data people.csv", "give what it knows, --quasi 'age,region'"),
        ("bisection --data people.csv", "is not a schema file"),
        ("bisection --data people.toml", "name a private --column"),
        ("trips --data nowhere.csv", "no file or folder"),
        ("trips --data trips.csv --north 48,49", "both --north and --east"),
        ("household --data book.xlsx", "is not a csv or parquet file"),
        ("household --data hours.csv", "at full hours only"),
        ("tester --data people.csv --column income --threshold 4 --low 0 --high 9 --error x", "setting='x'"),
        ("trips --data .", "is a folder"),
        ("trips --data twin --bits 200", "exceeds 40"),
        ("household --data twin --seed -1", "--seed -1"),
        ("household --data panel.csv --start 2020-02-01 --end 2020-01-01", "is not before --end '2020-01-01'"),
        ("tester --data people.csv --column income --threshold x --low 0 --high 9", "--threshold 'x' is not a number"),
    ],
)
def test_what_is_said(own, monkeypatch, words, said):
    monkeypatch.chdir(own)
    done = run(*words.split())
    assert done.exit_code == 1
    assert said in done.stderr


def test_the_list():
    for words in ([], ["--list"]):
        done = run(*words)
        assert done.exit_code == 0
        assert all(name in done.stdout for name in ATTACKS)


def test_a_picture_that_is_none(own, monkeypatch):
    monkeypatch.chdir(own)
    done = run("trips", "--data", "twin", "--bits", "0", "--picture", "x.png")
    assert done.exit_code == 2
    assert "must end in .svg" in done.stderr
    assert not (own / "x.png").exists()


def test_a_box_that_is_none():
    done = run("trips", "--data", "twin", "--north", "48")
    assert done.exit_code == 2
    assert "two numbers" in done.stderr


@pytest.mark.parametrize(
    "adversary",
    [
        *ADVERSARIES.values(),
        *KNOWING.values(),
        Explainer,
        Seeker,
        ConsistentTester,
        Estimator,
        Neighbour,
        *ASKERS.values(),
    ],
    ids=lambda each: each.__name__,
)
def test_all_are_behind_one_interface(adversary):
    for step in ("choose", "observe", "guess"):
        mine, wanted = (list(signature(getattr(each, step)).parameters) for each in (adversary, Adversary))
        assert mine == wanted
    assert adversary.name


WHERE = [("tester", "error", "errors"), ("homogeneity", "k", "k"), ("household", "bit", "bits")]


@pytest.mark.parametrize(("name", "option", "through"), WHERE)
def test_where_settings_go(name, option, through):
    with pytest.raises(nl.InputError, match=rf"no option '{option}'; .*; give its settings \({through}\) with bits="):
        nl.attack(name, "twin", **{option: [1, 2]})
