"""Taxi trips: where they begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, SourceError
from noiseless.lab.datasets.files import found, listed, names_in, number, one_of, rows_in, select

Floats = NDArray[np.float64]
Ends = tuple[float, float]
NORTH, EAST = (40.49, 40.92), (-74.27, -73.68)
"""The papers' box around New York City."""
ENDS = {
    "pickup_latitude": ("pickup_latitude", "start_lat", "pickup_lat"),
    "pickup_longitude": ("pickup_longitude", "start_lon", "start_lng", "pickup_lon", "pickup_lng"),
    "dropoff_latitude": ("dropoff_latitude", "end_lat", "dropoff_lat"),
    "dropoff_longitude": ("dropoff_longitude", "end_lon", "end_lng", "dropoff_lon", "dropoff_lng"),
}
USUAL = ("taxi/nyc_trips.parquet", "yellow_tripdata_2014-01.csv", "green_tripdata_2014-01.csv")
"""Its path in the data folder."""
WHERE_FROM = "the New York Taxi and Limousine Commission (nyc.gov/tlc; files up to June 2016 have coordinates)"


@dataclass(frozen=True, eq=False)
class Trips:
    """Four coordinates of each trip, in degrees: north and east of its begin and its end."""

    points: Floats
    origin: str
    north: Ends = NORTH
    east: Ends = EAST
    """The box that is divided, from public knowledge."""

    @property
    def rows(self) -> int:
        """The number of trips."""
        return len(self.points)


def taxi(
    path: str | Path | None = None, most: int = 1_000_000, *, north: Ends | None = None, east: Ends | None = None
) -> Trips:
    """The first `most` trips that begin and end in a box; column names of the TLC in 2014 and common variants."""
    if (north is None) != (east is None):
        raise InputError("a box needs both north= and east=; give each a lower and an upper end in degrees")
    north, east = north or NORTH, east or EAST
    if most < 1:
        raise InputError(f"most={most} is not valid; give at least 1")
    if not (north[0] < north[1] and east[0] < east[1]):
        raise InputError(
            f"north={north} or east={east} is not valid; give each a lower and then an upper end, in degrees"
        )
    file = found(path, USUAL, WHERE_FROM)
    names = names_in(file)
    ends = {name: one_of(names, candidates) for name, candidates in ENDS.items()}
    if absent := [name for name, there in ends.items() if there is None]:
        raise SourceError(
            f"{file.name!r} has no column for {absent[0]!r} ({', '.join(ENDS[absent[0]])}); {listed(file, names)}"
        )
    columns = [number(file, str(there)) for there in ends.values()]
    inside = " AND ".join(
        f"{column} BETWEEN {low} AND {high}" for column, (low, high) in zip(columns, (north, east) * 2, strict=True)
    )
    selected = ", ".join(f"{column} AS e{place}" for place, column in enumerate(columns))
    made = select(file, selected, f"WHERE {inside} LIMIT {int(most)}")
    points = np.stack([np.asarray(made[f"e{place}"]) for place in range(4)], axis=1)
    if not len(points):
        raise SourceError(f"{file.name!r} has no trip inside north {north}, east {east}; give the box of your city")
    where = "the papers' box around New York City" if (north, east) == (NORTH, EAST) else f"north {north}, east {east}"
    many = f"the first {most}" if len(points) == most else f"{len(points)} of {rows_in(file)}"
    return Trips(points, f"{file.name}: {many} trips are inside {where}", north, east)
