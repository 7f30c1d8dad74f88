"""The numbers of every figure in quick mode, made once for all tests."""

from __future__ import annotations

from functools import cache

from noiseless.lab.figures.catalogue import FIGURES
from noiseless.lab.figures.figure import Numbers
from noiseless.lab.figures.material import Material

QUICK = Material(quick=True)


@cache
def numbers(name: str) -> Numbers:
    return FIGURES[name].numbers(QUICK)
