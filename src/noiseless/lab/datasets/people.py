"""The Young People Survey: heights, weights and ages of about a thousand young people in Slovakia."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.sources.quoting import identifier, quoted
from noiseless.errors import SourceError
from noiseless.lab.datasets.files import found, names_in, need, number, one_of, select

Floats = NDArray[np.float64]
USUAL = ("young_people_survey/responses.csv", "responses.csv")
"""Its path in the data folder."""
WHERE_FROM = "the Young People Survey (kaggle.com, miroslavsabo/young-people-survey, responses.csv)"

GROUPS = {"Gender": ("female", "male"), "Village - town": ("village", "city"), "Only child": ("no", "yes")}


@dataclass(frozen=True, eq=False)
class Bodies:
    """Heights in cm and weights in kg of the same people; people who did not give both are left out."""

    height: Floats
    weight: Floats
    origin: str

    @property
    def columns(self) -> dict[str, Floats]:
        """Both columns by name."""
        return {"height": self.height, "weight": self.weight}


@dataclass(frozen=True, eq=False)
class Measured:
    """Columns of numbers of the same people; people without all of them are left out."""

    columns: dict[str, Floats]
    origin: str


def survey(path: str | Path | None = None) -> Bodies:
    """The survey's heights and weights."""
    file = found(path, USUAL, WHERE_FROM)
    if path is not None and one_of(names_in(file), ["Height"]) is None:
        raise SourceError(
            f"{file.name!r} is not the survey, because it has no column Height; for your own table name a column="
        )
    (height, weight), rows = _numbers(file, ["Height", "Weight"])
    return Bodies(height, weight, f"{file.name}: {len(height)} of {rows} people gave height and weight")


def grouped(path: str | Path | None = None) -> Measured:
    """The survey's heights, weights and ages, and eight groups: by gender, village or town, and only children."""
    file = found(path, USUAL, WHERE_FROM)
    need(file, names_in(file), ["Height", "Weight", "Age", *GROUPS])
    columns = [f"{number(file, name)} AS {name.lower()}" for name in ("Height", "Weight", "Age")]
    parts = [
        f"{1 << place} * CASE {identifier(name)} WHEN {quoted(one)} THEN 0 WHEN {quoted(two)} THEN 1 END"
        for place, (name, (one, two)) in enumerate(GROUPS.items())
    ]
    made = select(file, ", ".join([*columns, f"{' + '.join(parts)} AS region"]))
    values: dict[str, Floats] = {
        name: np.ma.filled(np.ma.asarray(each, dtype=float), np.nan) for name, each in made.items()
    }
    whole = np.asarray(np.isfinite(np.stack([*values.values()])).all(axis=0))
    origin = f"{file.name}: {whole.sum()} of {len(whole)} people gave height, weight, age and group"
    return Measured({name: each[whole] for name, each in values.items()}, origin)


def numbers(path: str | Path, column: str) -> Measured:
    """One column of a user's table."""
    file = found(path, (), "its owner")
    (values,), rows = _numbers(file, [column])
    return Measured({column: values}, f"{file.name}: {len(values)} of {rows} rows have a number in {column}")


def _numbers(file: Path, names: list[str]) -> tuple[list[Floats], int]:
    """The columns of the rows that have a number in each, and the number of all rows."""
    known = names_in(file)
    there = [one_of(known, [name]) or name for name in names]
    need(file, known, there)
    columns = ", ".join(f"{number(file, name)} AS n{place}" for place, name in enumerate(there))
    made = select(file, columns)
    values = np.stack([np.ma.filled(np.ma.asarray(each), np.nan) for each in made.values()])
    whole = values[:, np.isfinite(values).all(axis=0)]
    if not whole.shape[1]:
        raise SourceError(f"{file.name!r} has no row with a number in {' and '.join(names)}; name another column")
    return [*whole], values.shape[1]
