"""Meters of many homes over the same days.

Gaps: a day counts only if it is complete: each half hour read once, with at least 0 kWh. Homes with too few complete
days are left out, and then days that are not complete for all remaining homes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, SourceError
from noiseless.lab.datasets.files import found
from noiseless.lab.datasets.meter_files import SLOTS, home_days

Floats = NDArray[np.float64]
SHARE = 0.95
"""The smallest share of complete days that a home may have."""
YEAR = ("2012-07-01", "2013-07-01")
"""The period that the papers use."""
USUAL = ("meters/sgsc_homes_halfhour.parquet", "2012-2013 Solar home electricity data v2.csv")
"""Its path in the data folder."""
WHERE_FROM = "Ausgrid (ausgrid.com.au, solar home electricity data), or any utility that publishes half-hour readings"


@dataclass(frozen=True, eq=False)
class Panel:
    """kWh of each home in each half hour, day after day, without gaps."""

    readings: Floats
    """One row for each home."""
    origin: str
    """Where the data come from."""
    slots: int = SLOTS

    @property
    def homes(self) -> int:
        """The number of homes."""
        return len(self.readings)

    @property
    def days(self) -> int:
        """The number of days."""
        return int(self.readings.shape[1]) // self.slots

    def daily(self) -> Panel:
        """The same panel as daily totals."""
        by_day = self.readings.reshape(self.homes, self.days, self.slots).sum(axis=2)
        return replace(self, readings=by_day, slots=1, origin=f"{self.origin}, daily totals")


def meters(
    path: str | Path | None = None, *, start: str | None = None, end: str | None = None, share: float = SHARE
) -> Panel:
    """A panel of half-hour readings: long (home, time, kWh), wide (home, day, 48 columns), or Ausgrid's own csv.

    `start` and `end` are days; `end` is not included. Without them the built-in set is cut to the papers' year.
    """
    if path is None and start is None and end is None:
        start, end = YEAR
    first, last = _day(start, "start"), _day(end, "end")
    if first is not None and last is not None and first >= last:
        raise InputError(f"start={start!r} is not before end={end!r}; correct one of them")
    if not 0 <= share <= 1:
        raise InputError(f"share={share} is not from 0 to 1; give the smallest share of complete days of a home")
    file = found(path, USUAL, WHERE_FROM)
    home, day, values = home_days(file)
    inside = np.ones(len(day), dtype=bool)
    if first is not None or last is not None:
        if not np.issubdtype(day.dtype, np.datetime64):
            raise InputError(f"the days of {file.name!r} are not dates; leave start= and end= out")
        inside &= day >= first if first is not None else True
        inside &= day < last if last is not None else True
        if not inside.any():
            raise SourceError(
                f"{file.name!r} has no readings between start={start} and end={end}; choose another period"
            )
    return _complete(home[inside], day[inside], values[inside], share, file.name)


def _day(text: str | None, name: str) -> Any:
    try:
        return None if text is None else np.datetime64(text, "D")
    except ValueError:
        raise InputError(f"{name}={text!r} is not a day; write it as 2012-07-01") from None


def _complete(home: NDArray[np.int64], day: NDArray[Any], values: Floats, share: float, name: str) -> Panel:
    whole = np.asarray((np.nan_to_num(values, nan=-1) >= 0).all(axis=1) & np.isfinite(values).all(axis=1))
    homes, places = np.unique(home, return_inverse=True)
    days, when = np.unique(day, return_inverse=True)
    there = np.zeros((len(homes), len(days)), dtype=np.int64) - 1
    at = places.reshape(-1), when.reshape(-1)
    there[at] = np.where(whole, np.arange(len(whole)), -1)
    times = np.zeros(there.shape, dtype=np.int64)
    np.add.at(times, at, 1)
    there[times > 1] = -1
    kept = there[(there >= 0).mean(axis=1) >= share] if there.size else there
    common = kept[:, (kept >= 0).all(axis=0)] if len(kept) else kept
    if common.size == 0:
        raise SourceError(
            f"{name!r} has no homes with {share:.0%} complete days and days complete for all of them; lower "
            "share=, or choose another period with start= and end="
        )
    readings = values[common].reshape(len(common), -1)
    origin = (
        f"{name}: {len(common)} of {len(homes)} homes, {common.shape[1]} of {len(days)} days complete for all of them"
    )
    return Panel(readings, origin)
