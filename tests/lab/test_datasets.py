"""Loaders of the publishers' own formats, on small files in those formats; twins; what is said where a file is not."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.lab.datasets.appliances import house
from noiseless.lab.datasets.meter_files import SLOTS
from noiseless.lab.datasets.panel import meters
from noiseless.lab.datasets.people import numbers, survey
from noiseless.lab.datasets.trips import EAST, NORTH, taxi
from noiseless.lab.datasets.twins import twin_house, twin_meters, twin_survey, twin_taxi

DAYS = [date(2012, 7, 1) + timedelta(days=k) for k in range(4)]


def readings(home: int, day: int) -> list[float]:
    return [round(home + day / 10 + slot / 1000, 3) for slot in range(SLOTS)]


@pytest.fixture
def long_panel(tmp_path):
    """Three homes; the second lacks one reading of a day, the third has one day only."""
    rows = []
    for home, days in ((1, 4), (2, 4), (3, 1)):
        for day in range(days):
            for slot, kwh in enumerate(readings(home, day)):
                if (home, day, slot) != (2, 1, 7):
                    rows.append((f"home {home}", pd.Timestamp(DAYS[day]) + pd.Timedelta(minutes=30 * slot), kwh))
    frame = pd.DataFrame(rows, columns=["customer_id", "reading_datetime", "general_supply_kwh"])
    frame.sample(frac=1, random_state=3).to_parquet(tmp_path / "long.parquet")
    return tmp_path / "long.parquet"


def test_a_long_panel_and_its_gaps(long_panel):
    found = meters(long_panel, share=0.7)
    assert (found.homes, found.days) == (2, 3)
    assert found.readings[0].tolist() == [*readings(1, 0), *readings(1, 2), *readings(1, 3)]
    assert "2 of 3 homes, 3 of 4 days" in found.origin
    assert found.daily().readings[1, 0] == pytest.approx(sum(readings(2, 0)))
    assert meters(long_panel, share=0.9).homes == 1
    short = meters(long_panel, share=0.5, start="2012-07-03", end="2012-07-04")
    assert (short.homes, short.days) == (2, 1)
    with pytest.raises(nl.SourceError, match="choose another period"):
        meters(long_panel, start="2020-01-01")
    with pytest.raises(nl.InputError, match="from 0 to 1"):
        meters(long_panel, share=2)


def test_a_wide_panel(tmp_path):
    rows = [
        {"household": h, "week": "w1", "day": d, **{f"hh{s:02d}": v for s, v in enumerate(readings(h, d))}}
        for h in (1, 2)
        for d in range(3)
    ]
    rows[4]["hh03"] = -1.0
    pd.DataFrame(rows).to_parquet(tmp_path / "wide.parquet")
    found = meters(tmp_path / "wide.parquet", share=0.6)
    assert (found.homes, found.days) == (2, 2)
    assert found.readings[1].tolist() == [*readings(2, 0), *readings(2, 2)]


def test_a_wide_panel_with_dates(tmp_path):
    """The half hours in the order of the file, whatever they are called; a word among them is a gap."""
    names = [f"{slot // 2}:{'30' if slot % 2 else '00'}" for slot in range(SLOTS)]
    rows = [
        {"home": h, "date": day, **dict(zip(names, readings(h, d), strict=True))}
        for h in (1, 2)
        for d, day in enumerate(DAYS)
    ]
    rows[2]["9:30"] = "faulty"  # type: ignore[assignment]
    pd.DataFrame(rows).to_csv(tmp_path / "wide.csv", index=False)
    found = meters(tmp_path / "wide.csv", share=0.6, start="2012-07-02")
    assert (found.homes, found.days) == (2, 2)
    assert found.readings[0].tolist() == [*readings(1, 1), *readings(1, 3)]
    pd.DataFrame(rows).drop(columns="date").to_csv(tmp_path / "dateless.csv", index=False)
    with pytest.raises(nl.SourceError, match="date"):
        meters(tmp_path / "dateless.csv")
    pd.DataFrame(rows).assign(date="w1", day=1).to_csv(tmp_path / "weeks.csv", index=False)
    with pytest.raises(nl.InputError, match="are not dates"):
        meters(tmp_path / "weeks.csv", start="2012-07-02")


def test_two_readings_of_one_half_hour_are_a_gap(long_panel, tmp_path):
    frame = pd.read_parquet(long_panel)
    again = frame[frame.reading_datetime == pd.Timestamp(DAYS[3])]
    pd.concat([frame, again]).to_parquet(tmp_path / "twice.parquet")
    assert meters(tmp_path / "twice.parquet", share=0.5).days == 2


def test_numbers_of_anybodys_table(tmp_path):
    (tmp_path / "people.csv").write_text("income,town\n5,x\nunknown,y\n,z\n7,x\n")
    found = numbers(tmp_path / "people.csv", "income")
    assert found.columns["income"].tolist() == [5, 7]
    assert "2 of 4 rows have a number in income" in found.origin
    with pytest.raises(nl.SourceError, match="no column 'age'"):
        numbers(tmp_path / "people.csv", "age")


def test_ausgrid(tmp_path):
    """A title, a header, a line for each customer, day and category; generation is left out, controlled load added."""
    slots = [f"{(k + 1) // 2 % 24}:{'30' if k % 2 == 0 else '00'}" for k in range(SLOTS)]
    lines = [
        "Solar home half hour data - 1 July 2012 to 30 June 2013",
        ",".join(["Customer", "Generator Capacity", "Postcode", "Consumption Category", "date", *slots]),
    ]
    for customer in (1, 2):
        for day in DAYS:
            for category, scale in (("GC", 1), ("GG", 100), ("CL", 1)):
                values = [str(scale * value) for value in readings(customer, 0)]
                lines.append(",".join([str(customer), "3.78", "2076", category, day.strftime("%-d/%m/%Y"), *values]))
    (tmp_path / "solar.csv").write_text("\n".join(lines))
    found = meters(tmp_path / "solar.csv", start="2012-07-02")
    assert (found.homes, found.days) == (2, 3)
    for changed in (
        [*lines[:-1], lines[-1].rpartition(",")[0] + ","],  # a reading is missing
        [*lines, lines[-3]],  # a category twice
        [*lines[:-3], *lines[-2:]],  # no general consumption
    ):
        (tmp_path / "gap.csv").write_text("\n".join(changed))
        assert meters(tmp_path / "gap.csv", share=0.5).days == 3
    (tmp_path / "iso.csv").write_text("\n".join(lines).replace(DAYS[2].strftime("%-d/%m/%Y"), "2012-07-03"))
    assert meters(tmp_path / "iso.csv").days == 4
    (tmp_path / "odd.csv").write_text("\n".join(lines).replace(DAYS[2].strftime("%-d/%m/%Y"), "the third"))
    with pytest.raises(nl.SourceError, match="unreadable customer or date"):
        meters(tmp_path / "odd.csv")
    assert found.readings[1, :SLOTS] == pytest.approx(2 * np.array(readings(2, 0)))


def test_a_file_that_is_no_panel(tmp_path):
    pd.DataFrame({"a": [1]}).to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(nl.SourceError, match="needs columns for a home, a time and kWh"):
        meters(tmp_path / "x.csv")


def test_survey(tmp_path):
    (tmp_path / "responses.csv").write_text("Height,Weight,Age\n170,60,20\n,50,21\n62,55,22\n180,,23\n")
    found = survey(tmp_path / "responses.csv")
    assert (found.height.tolist(), found.weight.tolist()) == ([170, 62], [60, 55])
    (tmp_path / "other.csv").write_text("Size\n170\n")
    with pytest.raises(nl.SourceError, match="no column Height; for your own table name a column="):
        survey(tmp_path / "other.csv")


@pytest.mark.parametrize(
    "names",
    [" pickup_latitude, pickup_longitude, dropoff_latitude, dropoff_longitude", "Start_Lat,Start_Lon,End_Lat,End_Lon"],
)
def test_taxi(names, tmp_path):
    (tmp_path / "trips.csv").write_text(f"{names}\n40.7,-74.0,40.8,-73.9\n0,0,40.8,-73.9\n40.6,-73.9,40.7,-73.8\n")
    found = taxi(tmp_path / "trips.csv")
    assert found.rows == 2
    assert ((found.points[:, 0] >= NORTH[0]) & (found.points[:, 1] <= EAST[1])).all()
    assert taxi(tmp_path / "trips.csv", most=1).rows == 1
    (tmp_path / "zones.csv").write_text("PULocationID,DOLocationID\n1,2\n")
    with pytest.raises(nl.SourceError, match="no column for 'pickup_latitude'"):
        taxi(tmp_path / "zones.csv")


def test_redd(tmp_path):
    folder = tmp_path / "house_1"
    folder.mkdir()
    (folder / "labels.dat").write_text("1 mains\n2 mains\n3 refrigerator\n4 lighting\n")
    for channel, seconds, watts in (
        (1, (1, 2, 3, 5), 100),
        (2, (1, 2, 3, 4), 50),
        (3, (0, 2, 3), 6),
        (4, (1, 2, 3), 9),
    ):
        (folder / f"channel_{channel}.dat").write_text("".join(f"{s} {watts + s}.5\n" for s in seconds))
    found = house(folder)
    assert found.mains.tolist() == [155.0, 157.0]
    assert found.appliances["refrigerator_3"].tolist() == [8.5, 9.5]
    assert house(folder, appliances=["lighting_4"]).appliances.keys() == {"lighting_4"}
    with pytest.raises(nl.SourceError, match="no appliance 'kettle'"):
        house(folder, appliances=["kettle"])
    (folder / "channel_4.dat").write_text("2 nan\n3 7\n")
    assert house(folder).samples == 1
    (folder / "channel_4.dat").write_text("99 7\n")
    with pytest.raises(nl.SourceError, match="no moment"):
        house(folder)
    (folder / "labels.dat").write_text("1\n")
    with pytest.raises(nl.SourceError, match="in each line"):
        house(folder)
    (folder / "labels.dat").unlink()
    with pytest.raises(nl.SourceError, match="has no labels"):
        house(folder)


@pytest.mark.parametrize(
    ("home", "time", "kwh", "moment"),
    [
        ("LCLid", "DateTime", "KWH/hh (per half hour) ", "%Y-%m-%d %H:%M:%S.0000000"),
        ("LCLid", "tstp", "energy(kWh/hh)", "%Y-%m-%d %H:%M:%S"),
        ("Home", "Time", "kWh", "%d/%m/%Y %H:%M"),
        ("id", "timestamp", "value", "%Y-%m-%dT%H:%M:%S+10:00"),
    ],
)
def test_headers_and_clocks_of_long_panels(home, time, kwh, moment, tmp_path, monkeypatch):
    """The clock as it is written, wherever the machine is."""
    monkeypatch.setenv("TZ", "America/New_York")
    lines = [f"{home},{time},{kwh}"]
    for place, day in enumerate(DAYS[:2]):
        for slot, value in enumerate(readings(1, place)):
            at = pd.Timestamp(day) + pd.Timedelta(minutes=30 * slot)
            lines.append(f"MAC1,{at.strftime(moment)},{value}")
    (tmp_path / "[long].csv").write_text("\n".join([*lines, "MAC1,soon,3", ",2012-07-01 00:00,3", "MAC1,,Null"]))
    (tmp_path / "l.csv").write_text("not this one")
    found = meters(tmp_path / "[long].csv")
    assert (found.homes, found.days) == (1, 2)
    assert found.readings[0].tolist() == [*readings(1, 0), *readings(1, 1)]


def test_what_is_said_of_panels_that_cannot_be_used(tmp_path):
    quarters = [f"1,2012-07-01 {m // 60:02d}:{m % 60:02d},1" for m in range(0, 1440, 15)]
    (tmp_path / "quarters.csv").write_text("\n".join(["home,time,kwh", *quarters]))
    with pytest.raises(nl.SourceError, match="several readings in most half hours"):
        meters(tmp_path / "quarters.csv")
    months = pd.date_range("2012-07-01", "2012-07-31", freq="30min").strftime("%m/%d/%Y %H:%M")
    (tmp_path / "months.csv").write_text("\n".join(["home,time,kwh", *(f"1,{each},1" for each in months)]))
    with pytest.raises(nl.SourceError, match=r"\d+ of 1441 times .* with the day first"):
        meters(tmp_path / "months.csv")
    (tmp_path / "comma.csv").write_text("home;time;kwh\n1;2012-07-01 00:00;0,5\n1;2012-07-01 00:30;0,7\n")
    with pytest.raises(nl.SourceError, match="decimal point"):
        meters(tmp_path / "comma.csv")


def test_green_taxis(tmp_path):
    """TLC's green files of 2014: twenty names, an empty line, twenty-two fields."""
    names = ["VendorID", "Pickup_longitude", "Pickup_latitude", "Dropoff_longitude", "Dropoff_latitude", "Trip_type "]
    rows = ["2,-73.9,40.7,-73.8,40.6,,,", "2,0,0,-73.8,40.6,,,"]
    (tmp_path / "green.csv").write_text("\n".join([",".join(names), "", *rows]))
    assert taxi(tmp_path / "green.csv").points.tolist() == [[40.7, -73.9, 40.6, -73.8]]


def test_a_first_line_may_be_a_person(tmp_path):
    (tmp_path / "people.csv").write_text("ann,cancer\nbob,flu\n")
    (tmp_path / "house.csv").write_text("203.5,7.25\n198.1,6\n")
    people = tmp_path / "people.csv"
    for load in (
        lambda: taxi(people),
        lambda: survey(people),
        lambda: numbers(people, "income"),
        lambda: nl.attack("homogeneity", people, quasi="ann", sensitive="illness"),
        lambda: house(tmp_path / "house.csv", ["kettle"]),
    ):
        with pytest.raises(nl.InputError) as said:
            load()
        assert not any(private in str(said.value) for private in ("cancer", "203.5", "7.25"))


def test_a_table_of_appliances(tmp_path):
    """Times, names and numbers of rows are no appliances; two mains are added; a gap is left out."""
    mains = {"mains_1": [5.0, 6, 7, 8], "mains_2": [1.0, 1, 1, np.nan]}
    frame = pd.DataFrame({"date": DAYS, **mains, "fridge": [1, 2, 3, 4]})
    for file in ("house.csv", "house.parquet"):
        frame.to_csv(tmp_path / file) if "csv" in file else frame.to_parquet(tmp_path / file)
        found = house(tmp_path / file)
        assert found.mains.tolist() == [6, 7, 8]
        assert {name: watts.tolist() for name, watts in found.appliances.items()} == {"fridge": [1, 2, 3]}


def test_the_publishers_own_names(tmp_path, monkeypatch):
    monkeypatch.setenv("NOISELESS_DATA", str(tmp_path))
    (tmp_path / "responses.csv").write_text("Height,Weight\n170,60\n")
    assert survey().height.tolist() == [170]


def test_no_files(monkeypatch, tmp_path):
    for load in (meters, survey, taxi, house):
        monkeypatch.delenv("NOISELESS_DATA", raising=False)
        with pytest.raises(nl.SourceError, match="synthetic twin"):
            load()
        monkeypatch.setenv("NOISELESS_DATA", str(tmp_path))
        with pytest.raises(nl.SourceError, match="get it from"):
            load()
        with pytest.raises(nl.SourceError, match="no file or folder"):
            load(tmp_path / "nowhere")


def test_twins_are_the_same_every_time():
    for twin, array in (
        (lambda: twin_meters(homes=5, days=7), lambda data: data.readings),
        (lambda: twin_survey(people=50), lambda data: data.weight),
        (lambda: twin_taxi(trips=100), lambda data: data.points),
        (lambda: twin_house(samples=2000), lambda data: data.mains),
    ):
        assert (array(twin()) == array(twin())).all()
        assert "seed 2019" in twin().origin
    body = twin_survey()
    assert np.corrcoef(body.height, body.weight)[0, 1] > 0.4
    panel = twin_meters(homes=20, days=30).readings.reshape(20, 30, SLOTS).mean(axis=(0, 1))
    assert panel[36:42].mean() > 1.5 * panel[4:8].mean()  # the evening
    with pytest.raises(nl.InputError, match="at least 2"):
        twin_meters(homes=1)
