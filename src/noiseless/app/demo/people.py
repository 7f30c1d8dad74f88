"""Synthetic people, always the same ones, and the truth about them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import noiseless as nl

REGIONS = ("north", "east", "south", "west")
SCHEMA = nl.Schema(
    height=nl.Real(100, 250, step="0.1"),
    age=nl.Integer(0, 120),
    income=nl.Integer(0, 200_000),
    smoker=nl.Category("no", "yes"),
    region=nl.Public(*REGIONS),
)
BUDGET = 16


@dataclass(frozen=True)
class People:
    """The columns of the table."""

    height: NDArray[Any]
    age: NDArray[Any]
    income: NDArray[Any]
    smoker: NDArray[Any]
    region: NDArray[Any]

    @classmethod
    def made(cls, number: int) -> People:
        """This number of people, from a fixed seed."""
        random = np.random.default_rng(2026)
        region = random.integers(0, len(REGIONS), number)
        age = np.clip(random.gamma(4.5, 10, number), 0, 110).astype(int)
        height = random.normal(166 + 2.5 * region - 0.03 * np.abs(age - 40), 9.5)
        income = np.exp(random.normal(10.1, 0.6, number))
        return cls(height.round(1), age, income.astype(int), random.random(number) < 0.18, region)

    def write(self, folder: Path) -> Path:
        """Write the table, with its schema and budget beside it; return the path of the schema."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {
            "height": self.height,
            "age": self.age,
            "income": self.income,
            "smoker": np.where(self.smoker, "yes", "no"),
            "region": np.array(REGIONS)[self.region],
        }
        pq.write_table(pa.table(columns), folder / "people.parquet")
        path = folder / "people.toml"
        path.write_text(nl.Declaration(SCHEMA, "people.parquet", None, BUDGET).write(), encoding="utf-8")
        return path

    def old_smokers(self) -> int:
        """The number of smokers aged 65 or more."""
        return int((self.smoker & (self.age >= 65)).sum())

    def median_age(self) -> float:
        """The median age: the k-th smallest, k = ⌈n/2⌉."""
        middle = (len(self.age) + 1) // 2 - 1
        return float(np.partition(self.age, middle)[middle])

    def mean(self, column: str, region: str | None = None) -> float:
        """The mean of values clamped to the declared bounds, of all people or of one region."""
        low, high = {"age": (0, 120), "income": (0, 200_000), "height": (100, 250)}[column]
        values = np.clip(getattr(self, column), low, high)
        return float(values.mean() if region is None else values[self.region == REGIONS.index(region)].mean())
