"""All figures by name: those of the papers in their order, then ours."""

from __future__ import annotations

from noiseless.lab.figures import (
    cdc5,
    composition,
    lifetime,
    nht4,
    nht5,
    nht6,
    nht7,
    nht8,
    np3,
    np4,
    np5,
    np6,
    policies,
    theorem8,
    tifs1,
    tifs2,
    tifs3,
)
from noiseless.lab.figures.figure import Figure

PAPERS = (tifs1, tifs2, tifs3, nht4, nht5, nht6, nht7, nht8, cdc5, np3, np4, np5, np6)
OURS = (composition, lifetime, policies, theorem8)
FIGURES: dict[str, Figure] = {module.FIGURE.name: module.FIGURE for module in (*PAPERS, *OURS)}
