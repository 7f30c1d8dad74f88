"""Applying the three policies to ten million rows, against a plain copy of the two columns."""

from __future__ import annotations

from functools import partial

import numpy as np

import noiseless as nl
from benchmarks.measure import Row, compared, seconds

ROWS = 10_000_000
PEOPLE = nl.Box(weight=(0, 200), height=(0, 250))
OBESE = nl.Boundary("weight", lambda height: 0.003 * height**2)


def rows() -> list[Row]:
    draw = np.random.default_rng(1)
    data = {"weight": draw.uniform(0, 200, ROWS), "height": draw.uniform(0, 250, ROWS)}
    copied = seconds(lambda: {name: values.copy() for name, values in data.items()}, repeat=5)
    told = []
    for policy in (nl.Collapse(OBESE, error=2), nl.Stretch(OBESE, error=2), nl.Shift(OBESE, error=2)):
        applied = seconds(partial(policy.apply, data, within=PEOPLE), repeat=5)
        what = f"{type(policy).__name__}.apply to 10^7 rows"
        told.append(compared(what, applied, copied, "numpy copy of the two columns", "≤ 5×"))
    return told
