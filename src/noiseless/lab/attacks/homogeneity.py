"""Who is known with certainty in a k-anonymous table? Classes whose rows agree (TIFS §V)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from noiseless.curator.audit.mondrian import k_anonymous
from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Neighbour:
    """Knows everybody's quasi-identifiers, and so their class; wants the sensitive value."""

    quasi: Sequence[str]
    sensitive: str
    name: str = "homogeneity"

    def choose(self, games: int, draw: np.random.Generator) -> Ints:
        """Whom to look for: everybody."""
        return np.arange(games)

    def observe(self, chosen: Ints, reports: nw.DataFrame[Any]) -> Ints:
        """The number of sensitive values in each person's class; missing counts as a value."""
        classes = _numbered([reports[name].to_list() for name in self.quasi])
        pairs = np.unique(np.stack([classes, _numbered([reports[self.sensitive].to_list()])]), axis=1)
        found: Ints = np.bincount(pairs[0])[classes[chosen]]
        return found

    def guess(self, evidence: Ints, draw: np.random.Generator) -> NDArray[np.bool_]:
        """Whether the adversary knows the value of each person."""
        found: NDArray[np.bool_] = evidence == 1
        return found


def homogeneity(
    table: Any, quasi: Sequence[str], sensitive: str, ks: Sequence[Number], origin: str = "a table"
) -> Curve:
    """The share of people whose sensitive value is the only one in their class, against k; exact.

    For each k the table is made k-anonymous by Mondrian; k = 1 leaves the quasi-identifiers unchanged.
    """
    if not ks:
        raise InputError("k is empty; give at least one k")
    if sensitive in quasi:
        raise InputError(f"{sensitive!r} is both quasi and sensitive; leave it out of quasi=")
    adversary, draw, points = Neighbour(quasi, sensitive), drawn(SEED), []
    for given in ks:
        k = exact_number(given, "k")
        if k.denominator != 1:
            raise InputError(f"k={given} is not valid; use a whole number of rows")
        published = nw.from_native(k_anonymous(table, quasi, int(k)), eager_only=True)
        if sensitive not in published.columns:
            raise InputError(f"sensitive column {sensitive!r} is not in the table; name one of its columns")

        evidence = adversary.observe(adversary.choose(len(published), draw), published)
        points.append(Point.exactly({"k": int(k)}, float(adversary.guess(evidence, draw).mean())))
    return Curve(f"homogeneity of {sensitive}", "share known with certainty", tuple(points), origin, most=1.0)


def _numbered(columns: list[list[Any]]) -> Ints:
    """A different number for each different row of some columns."""
    known: dict[tuple[str, ...], int] = {}
    return np.array([known.setdefault(tuple(map(repr, row)), len(known)) for row in zip(*columns, strict=True)])
