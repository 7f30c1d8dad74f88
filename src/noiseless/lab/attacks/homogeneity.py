"""Who is known with certainty in a k-anonymous table? Classes whose rows agree (TIFS §V)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noiseless.curator.audit.audit import audit
from noiseless.curator.audit.mondrian import k_anonymous
from noiseless.errors import InputError
from noiseless.lab.attacks.curve import Curve, Point


def homogeneity(table: Any, quasi: Sequence[str], sensitive: str, ks: Sequence[int], origin: str = "a table") -> Curve:
    """The share of rows whose sensitive value is the only one of their class, against k; exact."""
    if not ks:
        raise InputError("give at least one k")
    points = []
    for k in ks:
        [told] = audit(k_anonymous(table, quasi, k), quasi, sensitive).sensitive
        share = told.known_rows / len(table)
        points.append(Point({"k": k}, share, share, share))
    return Curve("homogeneity", "share known with certainty", tuple(points), origin)
