"""Meters of many homes over the same days.

Gaps: a day counts only if it is complete, with all its readings from 0 up. Homes with fewer than a share of complete
days are left out, and then days that are not complete for all the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.source import identifier, quoted
from noiseless.errors import InputError, SourceError
from noiseless.lab.datasets.files import found, names_in, number, one_of, select

Floats = NDArray[np.float64]
HomeDays = tuple[NDArray[np.int64], NDArray[Any], Floats]
"""For each day of a home: the home, the day, and its readings, nan where there is none."""
SLOTS = 48
SHARE = 0.95
"""Of the days of the period, complete."""
HOME = ("customer_id", "customer", "household", "home", "id", "lclid")
TIME = ("reading_datetime", "datetime", "timestamp", "time", "tstp")
KWH = ("general_supply_kwh", "kwh", "consumption", "energy", "value")
DAY = ("date", "day", "week")
SLOT = re.compile(r"(hh|t|slot)_?\d{1,2}|\d{1,2}:\d\d(:\d\d)?")
"""How a wide table calls its half hours, which are in their order."""
YEAR = ("2012-07-01", "2013-07-01")
"""What the papers look at."""
USUAL = "meters/sgsc_homes_halfhour.parquet"
"""In the folder of data."""
WHERE_FROM = "a utility that publishes half-hour readings, such as Ausgrid's solar homes or Smart Grid Smart City"


@dataclass(frozen=True, eq=False)
class Panel:
    """kWh of each home in each half hour, days after days; no gaps."""

    readings: Floats
    """One row for each home."""
    origin: str
    """Which data these are."""
    slots: int = SLOTS

    @property
    def homes(self) -> int:
        """How many homes."""
        return len(self.readings)

    @property
    def days(self) -> int:
        """How many days."""
        return int(self.readings.shape[1]) // self.slots

    def daily(self) -> Panel:
        """The same by days."""
        by_day = self.readings.reshape(self.homes, self.days, self.slots).sum(axis=2)
        return replace(self, readings=by_day, slots=1, origin=f"{self.origin}, daily totals")

    def some(self, homes: int) -> Panel:
        """The first so many homes."""
        return replace(self, readings=self.readings[:homes])


def meters(
    path: str | Path | None = None, *, start: str | None = None, end: str | None = None, share: float = SHARE
) -> Panel:
    """A panel of half-hour readings: long (home, time, kWh), wide (home, day, 48 columns), or Ausgrid's own csv.

    `start` and `end` are days, the end not included. The built-in set is cut to the papers' year if neither is given.
    """
    if path is None and start is None and end is None:
        start, end = YEAR
    file = found(path, USUAL, WHERE_FROM)
    if not 0 <= share <= 1:
        raise InputError(f"share={share} must be from 0 to 1: how many of the days a home must have complete")
    home, day, values = _read(file)
    inside = np.ones(len(day), dtype=bool)
    if start or end:
        if not np.issubdtype(day.dtype, np.datetime64):
            raise InputError(f"the days of {file.name!r} are no dates; leave start= and end= out")
        inside &= (day >= _day(start, "start")) if start else True
        inside &= (day < _day(end, "end")) if end else True
    return _complete(home[inside], day[inside], values[inside], share, file.name)


def _day(text: str, name: str) -> Any:
    try:
        return np.datetime64(text, "D")
    except ValueError:
        raise InputError(f"{name}={text!r} is no day; write it as 2012-07-01") from None


def _read(file: Path) -> HomeDays:
    if _is_ausgrid(file):
        return _ausgrid(file)
    slots = [name for name in names_in(file) if SLOT.fullmatch(name.strip().lower())]
    return _wide(file, slots) if len(slots) == SLOTS else _long(file)


def _long(file: Path) -> HomeDays:
    names = names_in(file)
    home, time, kwh = (one_of(names, candidates) for candidates in (HOME, TIME, KWH))
    if home is None or time is None or kwh is None:
        raise SourceError(
            f"{file.name!r} is no panel: it needs a home, a time and kWh, in columns such as "
            f"{HOME[0]}, {TIME[0]}, {KWH[0]}"
        )
    at = f"CAST({identifier(time)} AS TIMESTAMP)"
    columns = f"DENSE_RANK() OVER (ORDER BY {identifier(home)}) AS home, CAST({at} AS DATE) AS day, "
    columns += f"EXTRACT(hour FROM {at}) * 2 + EXTRACT(minute FROM {at}) // 30 AS slot, "
    made = select(file, columns + f"{number(file, kwh)} AS kwh", f"WHERE {identifier(time)} IS NOT NULL")
    kept = ~np.ma.getmaskarray(made["kwh"])
    home_days, place = np.unique(
        np.stack([made["home"][kept].astype(np.int64), made["day"][kept].astype("datetime64[D]").astype(np.int64)]),
        axis=1,
        return_inverse=True,
    )
    at_once = place.reshape(-1) * SLOTS + np.asarray(made["slot"][kept], dtype=np.int64)
    values = np.full(home_days.shape[1] * SLOTS, np.nan)
    values[at_once] = np.asarray(made["kwh"][kept])
    values[np.bincount(at_once, minlength=len(values)) > 1] = np.nan  # two readings of a half hour: a day with a gap
    values = values.reshape(-1, SLOTS)
    return home_days[0], home_days[1].astype("datetime64[D]"), values


def _wide(file: Path, slots: list[str]) -> HomeDays:
    names = names_in(file)
    home, days = one_of(names, HOME), [identifier(name) for name in names if name.lower() in DAY]
    if home is None or not days:
        raise SourceError(f"{file.name!r} has {SLOTS} half hours, but no column such as {HOME[2]}, or no {DAY[0]}")
    columns = [f"DENSE_RANK() OVER (ORDER BY {identifier(home)}) AS home"]
    columns.append(f"DENSE_RANK() OVER (ORDER BY {', '.join(days)}) AS place")
    columns.append(f"TRY_CAST({days[0]} AS DATE) AS day")
    columns += [f"{number(file, slot)} AS s{place:02d}" for place, slot in enumerate(slots)]
    made = select(file, ", ".join(columns))
    values = np.stack([np.ma.filled(np.ma.asarray(made[f"s{place:02d}"]), np.nan) for place in range(SLOTS)], axis=1)
    dated = len(days) == 1 and not np.ma.getmaskarray(made["day"]).any()
    day = made["day"].astype("datetime64[D]") if dated else made["place"].astype(np.int64)
    return made["home"].astype(np.int64), day, values


def _is_ausgrid(file: Path) -> bool:
    """A title, then a header with Customer, Consumption Category and the half hours."""
    if file.suffix.lower() != ".csv":
        return False
    with file.open(encoding="utf-8", errors="replace") as text:
        return any("Consumption Category" in text.readline() for _ in range(3))


def _ausgrid(file: Path) -> HomeDays:
    """General and controlled consumption of a day together; what the panels generate is left out."""
    with file.open(encoding="utf-8", errors="replace") as text:
        skipped = next(place for place in range(3) if "Consumption Category" in text.readline())
    source = f"read_csv({quoted(str(file))}, skip = {skipped}, header = true, all_varchar = true)"
    names = names_in(file, source)
    slots = [name for name in names if name.replace(":", "").isdigit()]
    if len(slots) != SLOTS:
        raise SourceError(f"{file.name!r} has {len(slots)} columns of half hours, and a day has {SLOTS}")
    sums = ", ".join(f"{_all_of(number(file, slot))} AS s{place:02d}" for place, slot in enumerate(slots))
    day = "CAST(COALESCE(TRY_STRPTIME(date, '%d/%m/%Y'), TRY_STRPTIME(date, '%d-%b-%y')) AS DATE)"
    rest = "WHERE TRIM(\"Consumption Category\") IN ('GC', 'CL') GROUP BY ALL ORDER BY ALL"
    made = select(file, f"CAST(Customer AS BIGINT) AS home, {day} AS day, {sums}", rest, source)
    values = np.stack([np.ma.filled(np.ma.asarray(made[f"s{place:02d}"]), np.nan) for place in range(SLOTS)], axis=1)
    return made["home"].astype(np.int64), made["day"].astype("datetime64[D]"), values


def _all_of(column: str) -> str:
    """The sum of a group, missing where any of it is."""
    return f"CASE WHEN COUNT(*) = COUNT({column}) THEN SUM({column}) END"


def _complete(home: NDArray[np.int64], day: NDArray[Any], values: Floats, share: float, name: str) -> Panel:
    whole = np.isfinite(values).all(axis=1) & (np.nan_to_num(values) >= 0).all(axis=1)
    homes, places = np.unique(home, return_inverse=True)
    days, when = np.unique(day, return_inverse=True)
    there = np.zeros((len(homes), len(days)), dtype=np.int64) - 1
    rows = np.flatnonzero(whole)
    there[places.reshape(-1)[rows], when.reshape(-1)[rows]] = rows
    kept = there[(there >= 0).mean(axis=1) >= share] if there.size else there
    common = kept[:, (kept >= 0).all(axis=0)] if len(kept) else kept
    if common.size == 0:
        raise SourceError(
            f"{name!r} has no homes with {share:.0%} of the days complete and days complete for all of them; lower "
            "share=, or choose another period with start= and end="
        )
    readings = values[common].reshape(len(common), -1)
    told = (
        f"{name}: {len(common)} of {len(homes)} homes, {common.shape[1]} of {len(days)} days complete for all of them"
    )
    return Panel(readings, told)
