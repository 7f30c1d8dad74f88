"""Draw the pictures of the documentation: python docs/pictures/make.py. A test checks that they are up to date."""

from __future__ import annotations

from pathlib import Path

import noiseless as nl


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    return {"reach.svg": nl.calibrate(nl.Mean(n=300, low=0, high=60), bits=2).picture()}


if __name__ == "__main__":
    for name, svg in pictures().items():
        Path(__file__).with_name(name).write_text(svg, encoding="utf-8")
