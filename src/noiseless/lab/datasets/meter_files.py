"""Half-hour readings as their publishers write them: long, wide, or Ausgrid's own csv.

A reading belongs to the half hour that contains its time. A time with a zone keeps its clock time; instants in a
parquet file are read in UTC.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.sources.quoting import identifier
from noiseless.errors import SourceError
from noiseless.lab.datasets.files import csv_reader, names_in, number, one_of, reader, select

Floats = NDArray[np.float64]
HomeDays = tuple[NDArray[np.int64], NDArray[Any], Floats]
"""For each day of a home: the home, the day, and its readings, with nan for gaps."""
SLOTS = 48
HOME = ("customer_id", "customer", "household_id", "household", "home_id", "home", "meter_id", "meter", "lclid", "id")
TIME = ("reading_datetime", "datetime", "timestamp", "time", "tstp", "reading_time")
KWH = (
    "general_supply_kwh",
    "kwh",
    "kwh/hh (per half hour)",
    "energy(kwh/hh)",
    "kwh/hh",
    "consumption_kwh",
    "consumption",
    "energy_kwh",
    "energy",
    "usage_kwh",
    "usage",
    "value",
)
DAY = ("date", "day", "week")
SLOT = re.compile(r"(hh|t|slot)_?\d{1,2}|\d{1,2}:\d\d(:\d\d)?")
"""Names of half hours in a wide table, in order."""
DAY_FIRST = "['%d/%m/%Y %H:%M', '%d/%m/%Y %H:%M:%S']"
FEW = 0.05
"""The largest share of unreadable times that is accepted."""
AUSGRID_DAYS = "['%d/%m/%Y', '%d-%b-%y']"
"""Formats of times and days besides the usual ones."""


def home_days(file: Path) -> HomeDays:
    """All days of all homes, in any of the formats."""
    if _is_ausgrid(file):
        return _ausgrid(file)
    slots = [name for name in names_in(file) if SLOT.fullmatch(name.strip().lower())]
    return _wide(file, slots) if len(slots) == SLOTS else _long(file)


def _long(file: Path) -> HomeDays:
    names = names_in(file)
    home, time, kwh = (one_of(names, candidates) for candidates in (HOME, TIME, KWH))
    if home is None or time is None or kwh is None:
        lacking = HOME if home is None else TIME if time is None else KWH
        raise SourceError(
            f"{file.name!r} is not a panel of meters: it needs columns for a home, a time and kWh; use one of these "
            f"names: {', '.join(lacking)}"
        )
    _readable(file, time)
    rows = f"SELECT {identifier(home)} AS home, {_time(file, time)} AS moment, {number(file, kwh)} AS kwh"
    columns = "DENSE_RANK() OVER (ORDER BY home) AS home, CAST(moment AS DATE) AS day, kwh, "
    columns += "EXTRACT(hour FROM moment) * 2 + EXTRACT(minute FROM moment) // 30 AS slot"
    rest = "WHERE home IS NOT NULL AND moment IS NOT NULL AND isfinite(kwh)"
    made = select(file, columns, rest, f"({rows} FROM {reader(file)})")
    if not len(made["home"]):
        raise SourceError(
            f"{file.name!r} has no row with a readable home, time and kWh; write numbers with a decimal point"
        )
    days_of, place = np.unique(
        np.stack([made["home"].astype(np.int64), made["day"].astype("datetime64[D]").astype(np.int64)]),
        axis=1,
        return_inverse=True,
    )
    at = place.reshape(-1) * SLOTS + np.asarray(made["slot"], dtype=np.int64)
    readings = np.bincount(at, minlength=days_of.shape[1] * SLOTS)
    if np.median(readings[readings > 0]) > 1:
        raise SourceError(f"{file.name!r} has several readings in most half hours; add them up per half hour first")
    if not readings.reshape(-1, SLOTS)[:, 1::2].any():
        raise SourceError(f"{file.name!r} has readings at full hours only; give a file with half hours")
    values = np.full(len(readings), np.nan)
    values[at] = made["kwh"]
    values[readings > 1] = np.nan
    return days_of[0], days_of[1].astype("datetime64[D]"), values.reshape(-1, SLOTS)


def _readable(file: Path, time: str) -> None:
    """Refuse a file with many unreadable times: they are in another format, such as month first. A few are gaps."""
    counts = select(file, f"COUNT({identifier(time)}) AS written, COUNT({_time(file, time)}) AS read")
    written, read = int(counts["written"][0]), int(counts["read"][0])
    if written - read > FEW * written:
        raise SourceError(
            f"{written - read} of {written} times in {file.name!r} cannot be read; write them as 2012-07-01 00:30, or "
            "with the day first"
        )


def _time(file: Path, name: str) -> str:
    column = identifier(name)
    if file.suffix.lower() == ".parquet":
        return f"TRY_CAST({column} AS TIMESTAMP)"
    written = f"concat({column})"
    return f"COALESCE(TRY_CAST({written} AS TIMESTAMP), TRY_STRPTIME({written}, {DAY_FIRST}))"


def _wide(file: Path, slots: list[str]) -> HomeDays:
    names = names_in(file)
    home, days = one_of(names, HOME), [identifier(name) for name in names if name.strip().lower() in DAY]
    if home is None or not days:
        raise SourceError(
            f"{file.name!r} has {SLOTS} half hours, but no column for the home or the day; name them {HOME[2]} and "
            f"{DAY[0]}"
        )
    columns = [f"DENSE_RANK() OVER (ORDER BY {identifier(home)}) AS home"]
    columns.append(f"DENSE_RANK() OVER (ORDER BY {', '.join(days)}) AS place")
    columns.append(f"TRY_CAST(concat({days[0]}) AS DATE) AS day")
    columns += [f"{number(file, slot)} AS s{place:02d}" for place, slot in enumerate(slots)]
    made = select(file, ", ".join(columns), f"WHERE {identifier(home)} IS NOT NULL")
    dated = len(days) == 1 and not np.ma.getmaskarray(made["day"]).any()
    day = made["day"].astype("datetime64[D]") if dated else made["place"].astype(np.int64)
    return made["home"].astype(np.int64), day, _slots(made)


def _slots(made: dict[str, Any]) -> Floats:
    return np.stack([np.ma.filled(np.ma.asarray(made[f"s{place:02d}"]), np.nan) for place in range(SLOTS)], axis=1)


def _is_ausgrid(file: Path) -> bool:
    """Whether a file has a title, then a header with Customer, Consumption Category and the half hours."""
    if file.suffix.lower() != ".csv":
        return False
    with file.open(encoding="utf-8", errors="replace") as text:
        return any("Consumption Category" in text.readline() for _ in range(3))


def _ausgrid(file: Path) -> HomeDays:
    """General plus controlled consumption of a day, without solar generation.

    A day with two lines of one category, or without a line for general consumption, is not complete.
    """
    with file.open(encoding="utf-8", errors="replace") as text:
        skipped = next(place for place in range(3) if "Consumption Category" in text.readline())
    source = csv_reader(file, f", skip = {skipped}")
    names = names_in(file, source)
    slots = [name for name in names if name.replace(":", "").isdigit()]
    if len(slots) != SLOTS:
        raise SourceError(
            f"{file.name!r} has {len(slots)} columns of half hours instead of {SLOTS}; give a file with all half "
            f"hours of a day"
        )
    general, controlled = (f"COUNT(*) FILTER (TRIM(\"Consumption Category\") = '{name}')" for name in ("GC", "CL"))
    columns = ["TRY_CAST(concat(Customer) AS BIGINT) AS home"]
    columns.append(f"CAST(COALESCE(TRY_CAST(concat(date) AS DATE), TRY_STRPTIME(date, {AUSGRID_DAYS})) AS DATE) AS day")
    for place, slot in enumerate(slots):
        kwh = number(file, slot)
        whole = f"{general} = 1 AND {controlled} <= 1 AND COUNT(*) = COUNT({kwh})"
        columns.append(f"CASE WHEN {whole} THEN SUM({kwh}) END AS s{place:02d}")
    rest = "WHERE TRIM(\"Consumption Category\") IN ('GC', 'CL') GROUP BY ALL ORDER BY ALL"
    made = select(file, ", ".join(columns), rest, source)
    if np.ma.getmaskarray(made["day"]).any() or np.ma.getmaskarray(made["home"]).any():
        raise SourceError(f"{file.name!r} has lines with an unreadable customer or date; write dates as 1/07/2012")
    return made["home"].astype(np.int64), made["day"].astype("datetime64[D]"), _slots(made)
