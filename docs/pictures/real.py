"""Draw the lab's curves and the gallery on the real data: NOISELESS_DATA=… python docs/pictures/real.py.

Prints the numbers of the curves. Of a figure the smaller of its two pictures is kept.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

import noiseless as nl

MANY = 5000
"""Games."""
TWENTY = {"meters": {"threshold": 20}}
"""kWh in a day, which splits the days of homes better than the middle of the range."""
CURVES = {
    "household": ("household", {"games": MANY, "printed": True}),
    "disaggregation": ("disaggregation", {}),
    "trips": ("trips", {"bits": [0, 4, 8, 10, 12, 14, 16, 20]}),
    "tester": ("tester", {"bits": [1, 2, 5, 10, 15, 20]}),
    "estimator": ("estimator", {}),
    "distinguisher": ("distinguisher", {"games": MANY, "of": "meters"}),
    "homogeneity": ("homogeneity", {}),
    "guards": ("guards", {"bits": [1, 2, 3, 4, 6, 8], "codes": 16}),
    "levels": ("levels", {"bits": [1, 2, 3, 4, 6, 8], "codes": 16}),
    "bisection": ("bisection", {}),
    "averaging": ("averaging", {}),
    "differencing": ("differencing", {}),
}
NUMBERS = [
    *(
        ("household", {"n": n, "adversary": adversary, "games": MANY, "bits": [0, 1, 2, 3, None]})
        for adversary in ("correlation", "mean square", "peak")
        for n in (4, 8, 16)
    ),
    ("household", {"games": MANY, "bits": [0, 1, 2], "printed": True}),
    *(
        ("household", {"games": MANY, "n": n, "bits": [bits], "high": high})
        for n, bits, high in ((4, 2, 400), (8, 3, 800))
    ),
    ("household", {"games": 1000, "bits": [0, 1, 2, 3, None], "half_hourly": True}),
    *(("tester", {"bits": [1, 5, 10, 20], "policy": policy}) for policy in ("collapse", "stretch")),
    *(
        ("distinguisher", {"games": MANY, "of": of, **TWENTY.get(of, {}), **options})
        for of in ("meters", "trips", "survey")
        for options in (
            {},
            {"pair": "extremes"},
            {"definition": "indistinguishable"},
            {"definition": "indistinguishable", "pair": "extremes"},
            {"definition": "indistinguishable", "knows": "habits"},
            {"definition": "policy"},
            {"definition": "policy", "policy": "shift"},
        )
    ),
]
"""Only printed, for the pages."""


def gallery() -> None:
    home = Path(__file__).with_name("gallery")
    with TemporaryDirectory() as folder:
        made = nl.figures(folder)
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for figure in made:
            shutil.copy(min(figure.files[:2], key=lambda file: file.stat().st_size), home)


def main() -> None:
    if not os.environ.get("NOISELESS_DATA"):
        raise SystemExit("set NOISELESS_DATA to the folder of the real data")
    gallery()
    console = Console(width=110)
    for file, (name, options) in CURVES.items():
        curve = nl.attack(name, **options)
        Path(__file__).with_name(f"lab_{file}.svg").write_text(curve.picture(), encoding="utf-8")
        console.print(curve)
    for name, options in NUMBERS:
        console.print(options)
        console.print(nl.attack(name, **options))


if __name__ == "__main__":
    main()
