"""Codes in flight: how each is computed, so that a statement computes only those that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class InFlight:
    """The codes of a table, in SQL. What a statement does not name would cost a database milliseconds to plan.

    >>> InFlight("SELECT * FROM people", {"c0": '"age" + 0', "c1": "0"}).codes_for("SUM(c0)", " WHERE c0 < 3")
    '(SELECT "age" + 0 AS c0 FROM (SELECT * FROM people) AS t0) AS codes'
    """

    rows: str
    """The statement that finds the rows."""
    columns: Mapping[str, str]
    """The names of the codes, and how they are computed from a row."""
    places: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Codes that depend on a text only: the code of each text. The text is the column `c0_text` for the code `c0`."""
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
