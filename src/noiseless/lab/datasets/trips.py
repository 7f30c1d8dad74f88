"""Taxi trips: where they begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.source import identifier
from noiseless.errors import SourceError
from noiseless.lab.datasets.files import found, names_in, one_of, select

Floats = NDArray[np.float64]
NORTH, EAST = (40.49, 40.92), (-74.27, -73.68)
"""The papers' box around New York City."""
ENDS = {
    "pickup_latitude": ("pickup_latitude", "start_lat", "pickup_lat"),
    "pickup_longitude": ("pickup_longitude", "start_lon", "pickup_lon", "pickup_lng"),
    "dropoff_latitude": ("dropoff_latitude", "end_lat", "dropoff_lat"),
    "dropoff_longitude": ("dropoff_longitude", "end_lon", "dropoff_lon", "dropoff_lng"),
}
WHERE_FROM = "the New York Taxi and Limousine Commission (files up to June 2016 have coordinates)"


@dataclass(frozen=True, eq=False)
class Trips:
    """Four coordinates of each trip, in degrees: where it began and where it ended, north and east."""

    points: Floats
    origin: str

    @property
    def rows(self) -> int:
        """How many trips."""
        return len(self.points)


def taxi(path: str | Path | None = None, most: int = 1_000_000) -> Trips:
    """The first so many trips that begin and end in the papers' box; TLC headers of 2014 and common variants."""
    file = found(path, "taxi/nyc_trips.parquet", WHERE_FROM)
    names = names_in(file)
    ends = {name: one_of(names, candidates) for name, candidates in ENDS.items()}
    if absent := [name for name, there in ends.items() if there is None]:
        raise SourceError(f"{file.name!r} has no column for {absent[0]!r}; it has {', '.join(names[:12])}")
    columns = [f"CAST({identifier(str(there))} AS DOUBLE)" for there in ends.values()]
    inside = " AND ".join(
        f"{column} BETWEEN {low} AND {high}" for column, (low, high) in zip(columns, (NORTH, EAST) * 2, strict=True)
    )
    selected = ", ".join(f"{column} AS e{place}" for place, column in enumerate(columns))
    made = select(file, selected, f"WHERE {inside} LIMIT {int(most)}")
    points = np.stack([np.asarray(made[f"e{place}"]) for place in range(4)], axis=1)
    if not len(points):
        raise SourceError(f"{file.name!r} has no trip inside north {NORTH}, east {EAST}")
    return Trips(points, f"{file.name}: {len(points)} trips inside the papers' box around New York City")
