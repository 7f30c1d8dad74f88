"""The Young People Survey: heights, weights and ages of about a thousand young people in Slovakia."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.lab.datasets.files import found, names_in, need, select

Floats = NDArray[np.float64]
WHERE_FROM = "the Young People Survey (responses.csv), a public data set"


@dataclass(frozen=True, eq=False)
class Bodies:
    """Heights in cm and weights in kg of the same people; those who did not say either are left out."""

    height: Floats
    weight: Floats
    origin: str


def survey(path: str | Path | None = None) -> Bodies:
    """The survey's heights and weights."""
    file = found(path, "young_people_survey/responses.csv", WHERE_FROM)
    need(file, names_in(file), ["Height", "Weight"])
    made = select(
        file, "CAST(Height AS DOUBLE) AS h, CAST(Weight AS DOUBLE) AS w", "WHERE h IS NOT NULL AND w IS NOT NULL"
    )
    height, weight = np.asarray(made["h"]), np.asarray(made["w"])
    return Bodies(height, weight, f"{file.name}: {len(height)} people who gave height and weight")
