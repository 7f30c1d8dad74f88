"""Codes in flight: how each is computed, so that a statement computes only those that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from noiseless.curator.sources.codes import UNKNOWN

EXACT = 2.0**53
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class InFlight:
    """The codes of a table, in SQL. A statement holds only the codes that it names, so that it is quick to plan.

    >>> InFlight("SELECT * FROM people", {"c0": '"age" + 0', "c1": "0"}).codes_for("SUM(c0)", " WHERE c0 < 3")
    '(SELECT "age" + 0 AS c0 FROM (SELECT * FROM people) AS t0) AS codes'
    """

    rows: str
    """The statement that finds the rows."""
    columns: Mapping[str, str]
    """The names of the codes, and how they are computed from a row."""
    places: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Codes that depend on a text only: the code of each text. The text is the column `c0_text` for the code `c0`.

    The column `c0_double` is the code as a double. Databases group by texts and add up doubles faster.
    """
    derived: Mapping[str, str] = field(default_factory=dict)
    """Codes that are computed from other codes."""

    def codes_for(self, *parts: str) -> str:
        """The codes that these parts of a statement name, for its FROM clause."""
        named = set(re.findall(r"\w+", " ".join(parts)))
        derived = {name: made for name, made in self.derived.items() if name in named}
        named |= set(re.findall(r"\w+", " ".join(derived.values())))
        wanted = [f"{made} AS {name}" for name, made in self.columns.items() if name in named]
        codes = f"(SELECT {', '.join(wanted) or '1 AS nothing'} FROM ({self.rows}) AS t0) AS codes"
        more = "".join(f", {made} AS {name}" for name, made in derived.items())
        return f"(SELECT codes.*{more} FROM {codes}) AS codes" if more else codes

    def as_texts(self, keys: list[str]) -> list[str]:
        """The keys, with a text in place of each code that depends on nothing else."""
        return [f"{key}_text" if key in self.places else key for key in keys]

    def as_doubles(self, numbers: list[str]) -> list[str]:
        """The numbers, with sums of doubles in place of sums of codes."""

        def doubled(found: re.Match[str]) -> str:
            return f"SUM({found[1]}_double)" if f"{found[1]}_double" in self.columns else found[0]

        return [re.sub(r"^SUM\((c[0-9]+)\)$", doubled, number) for number in numbers]

    def rounded(self, rows: list[Row]) -> bool:
        """Whether a sum of doubles may have been rounded on the way.

        Codes are not negative: if a sum is below 2^53, so was every sum on the way.
        """
        return any(isinstance(each, float) and not each < EXACT for row in rows for each in row)

    def as_codes(self, keys: list[str], rows: list[Row]) -> list[Row]:
        """The rows, with codes in place of texts."""
        if not self.places.keys() & keys:
            return rows
        places = [self.places.get(key) for key in keys]
        return [
            (
                *(row[i] if code is None else code.get(row[i], UNKNOWN) for i, code in enumerate(places)),
                *row[len(keys) :],
            )
            for row in rows
        ]
