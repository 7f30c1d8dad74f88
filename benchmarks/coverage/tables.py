"""Synthetic tables that fit the four schemas, always the same ones, with the public tables that the questions join.

`write("stays", folder)` puts schema, questions, private table and public tables into a folder, ready to be opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
SEED = 2026
PEOPLE, PATIENTS, HOMES, TRIPS = 1000, 500, 100, 2000
DIAGNOSES = ["I21", "I50", "J18", "E11", "C34", "S72", "K35", "F32"]
PLACES = ["airport", "harbour", "centre", "north", "south", "east", "west", "park"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


@dataclass(frozen=True)
class Tables:
    """One private table, and the public tables beside it by the names of their files."""

    private: str
    rows: pd.DataFrame
    public: dict[str, pd.DataFrame]


def people() -> Tables:
    """A survey: one row for each person. Some give no income."""
    random = np.random.default_rng(SEED)
    height = _between(random.normal(170, 10, PEOPLE), 100, 220, 0.1)
    rows = {
        "region": random.choice(["north", "east", "south", "west"], PEOPLE, p=[0.4, 0.3, 0.2, 0.1]),
        "age": _between(random.gamma(9, 5, PEOPLE), 15, 90),
        "height": height,
        "weight": _between(height - 100 + random.normal(0, 14, PEOPLE), 30, 200, 0.1),
        "income": _some(_between(random.lognormal(10.2, 0.6, PEOPLE), 0, 200_000, 100), random, 0.1),
        "hours": _between(random.normal(34, 12, PEOPLE), 0, 80),
        "siblings": _between(random.poisson(1.4, PEOPLE), 0, 10),
        "happiness": random.integers(1, 6, PEOPLE),
        "survey_weight": _between(random.lognormal(0, 0.4, PEOPLE), 0.2, 5, 0.1),
        "gender": random.choice(["female", "male", "other"], PEOPLE, p=[0.5, 0.48, 0.02]),
        "smoking": random.choice(["never", "former", "current"], PEOPLE, p=[0.6, 0.2, 0.2]),
        "education": random.choice(["primary", "secondary", "bachelor", "master", "doctorate"], PEOPLE),
        "married": random.random(PEOPLE) < 0.45,
        "answered": _days(random, "2024-01-01", 366, PEOPLE),
    }
    regions = {"region": ["north", "east", "south", "west"], "country": ["Arbor", "Arbor", "Borea", "Borea"]}
    degrees = {
        "education": ["primary", "secondary", "bachelor", "master", "doctorate"],
        "years": [8, 12, 15, 17, 21],
    }
    return _tables("people", rows, regions=regions, degrees=degrees)


def stays() -> Tables:
    """Stays in hospitals: one to three for each patient, on different days. `diagnoses.csv` does not know F32."""
    random = np.random.default_rng(SEED + 1)
    patient = np.repeat(np.arange(PATIENTS), random.integers(1, 4, PATIENTS))
    number = len(patient)
    day = random.integers(0, 300, PATIENTS)[patient] + 20 * _within(patient)
    age = _between(random.normal(58, 22, PATIENTS), 0, 110)
    days = _between(random.gamma(1.5, 4, number), 0, 60)
    systolic = _between(random.normal(130, 20, number), 50, 260)
    rows = {
        "patient": np.char.add("p", patient.astype(str)),
        "hospital": random.choice(["central", "lake", "hill"], number, p=[0.5, 0.3, 0.2]),
        "admitted": (np.datetime64("2024-01-01") + day).astype(str),
        "age": age[patient],
        "days": days,
        "cost": _between(400 * days + random.gamma(2, 900, number), 0, 50_000, 0.5),
        "temperature": _some(_between(random.normal(37.2, 0.8, number), 34, 43, 0.1), random, 0.15),
        "pulse": _between(random.normal(82, 16, number), 20, 250),
        "systolic": systolic,
        "diastolic": _between(0.6 * systolic + random.normal(0, 8, number), 20, 160),
        "sex": random.choice(["female", "male"], PATIENTS)[patient],
        "diagnosis": random.choice(DIAGNOSES, number),
        "ward": random.choice(["medicine", "surgery", "psychiatry"], number, p=[0.6, 0.3, 0.1]),
        "emergency": random.random(number) < 0.4,
        "died": random.random(number) < 0.04,
        "born": (np.datetime64("2024-06-30") - 365 * age - random.integers(0, 365, PATIENTS))[patient],
    }
    hospitals = {"hospital": ["central", "lake", "hill"], "beds": [40, 20, 20]}
    diagnoses = {
        "diagnosis": DIAGNOSES[:-1],
        "chapter": ["circulation", "circulation", "breathing", "metabolism", "tumours", "injuries", "digestion"],
        "severity": [9, 6, 5, 3, 10, 4, 2],
    }
    return _tables("stays", rows, hospitals=hospitals, diagnoses=diagnoses)


def meters() -> Tables:
    """Smart meters: 28 days for each home."""
    random = np.random.default_rng(SEED + 2)
    home = np.repeat(np.arange(HOMES), 28)
    number = len(home)
    day = _within(home)
    solar = random.random(HOMES) < 0.3
    kwh = _between(random.gamma(3, 5, HOMES)[home] * random.uniform(0.3, 1.7, number), 0, 100, 0.01)
    rows = {
        "home": np.char.add("h", home.astype(str)),
        "region": random.choice(["coast", "plain", "hills"], HOMES)[home],
        "day": day + 1,
        "weekend": np.where(day % 7 >= 5, "yes", "no"),
        "kwh": kwh,
        "peak": _some(_between(kwh / 6 + random.gamma(2, 0.5, number), 0, 25, 0.01), random, 0.05),
        "night": _between(kwh * random.uniform(0, 0.5, number), 0, 60, 0.01),
        "exported": _between(random.gamma(2, 6, number) * solar[home], 0, 50, 0.01),
        "tariff": random.choice(["flat", "night", "dynamic"], HOMES)[home],
        "solar": solar[home],
    }
    climate = {
        "region": ["coast", "plain", "hills"],
        "zone": ["mild", "cold", "cold"],
        "degree_days": [1800, 2600, 3200],
    }
    return _tables(
        "readings", rows, climate=climate, tariffs={"tariff": ["flat", "night", "dynamic"], "price": [0.3, 0.27, 0.25]}
    )


def trips() -> Tables:
    """Taxi trips: each row is one, and a few lasted no time at all. Tips paid in cash are unknown."""
    random = np.random.default_rng(SEED + 3)
    distance = _between(random.gamma(1.5, 4, TRIPS), 0, 60, 0.1)
    fare = _between(2.5 + 1.5 * distance + random.normal(0, 2, TRIPS), 0, 250, 0.5)
    paid = random.choice(["card", "cash", "app"], TRIPS, p=[0.5, 0.2, 0.3])
    tip = _between(fare * random.uniform(0, 0.3, TRIPS), 0, 100, 0.01)
    rows = {
        "vendor": random.choice(["yellow", "green", "app"], TRIPS),
        "weekday": random.choice(DAYS, TRIPS),
        "hour": _between(random.normal(15, 5, TRIPS), 0, 23),
        "pickup": random.choice(PLACES, TRIPS, p=[0.2, 0.05, 0.25, 0.1, 0.1, 0.1, 0.1, 0.1]),
        "dropoff": random.choice(PLACES, TRIPS),
        "distance": distance,
        "minutes": _between(3 * distance + random.normal(4, 5, TRIPS), 0, 180),
        "fare": fare,
        "tip": np.where(paid == "cash", np.nan, tip),
        "passengers": random.integers(1, 7, TRIPS),
        "paid_by": paid,
        "picked_up": _days(random, "2023-01-01", 365, TRIPS),
    }
    zones = {
        "zone": PLACES,
        "borough": ["outer", "outer", "inner", "inner", "inner", "outer", "outer", "inner"],
        "area": [12.5, 4.0, 3.5, 6.0, 5.5, 7.0, 8.5, 2.0],
    }
    return _tables("trips", rows, zones=zones)


SCHEMAS: dict[str, Callable[[], Tables]] = {"people": people, "stays": stays, "meters": meters, "trips": trips}
"""The tables of each schema, by the name of its folder."""


def write(name: str, folder: Path) -> Path:
    """Write schema, questions, private table and public tables of one schema; tells the path of the schema."""
    tables = SCHEMAS[name]()
    pq.write_table(pa.Table.from_pandas(tables.rows, preserve_index=False), folder / f"{tables.private}.parquet")
    for each, rows in tables.public.items():
        rows.to_csv(folder / f"{each}.csv", index=False)
    for file in ("schema.toml", "questions.sql"):
        copy(HERE / name / file, folder / file)
    return folder / "schema.toml"


def questions(name: str) -> list[str]:
    """The questions about one schema, without the semicolons."""
    lines = (HERE / name / "questions.sql").read_text(encoding="utf-8").splitlines()
    return [line.removesuffix(";") for line in lines]


def _tables(private: str, rows: dict[str, Any], **public: dict[str, Any]) -> Tables:
    return Tables(private, pd.DataFrame(rows), {name: pd.DataFrame(each) for name, each in public.items()})


def _between(values: Iterable[float], low: float, high: float, step: float = 1) -> np.ndarray[Any, Any]:
    """Values clamped to the declared bounds and rounded to the declared step."""
    codes: np.ndarray[Any, Any] = np.round(np.clip(np.asarray(values, dtype=float), low, high) / step)
    return codes.astype(int) * int(step) if step >= 1 else np.round(codes * step, 2)


def _some(values: np.ndarray[Any, Any], random: np.random.Generator, missing: float) -> np.ndarray[Any, Any]:
    """The values, with this share of them missing."""
    kept: np.ndarray[Any, Any] = np.where(random.random(len(values)) < missing, np.nan, values)
    return kept


def _days(random: np.random.Generator, first: str, days: int, number: int) -> np.ndarray[Any, Any]:
    return np.datetime64(first) + random.integers(0, days, number)


def _within(person: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The place of each row among the rows of its person, from 0; rows of a person stand together."""
    return np.arange(len(person)) - np.searchsorted(person, person)
