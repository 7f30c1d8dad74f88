"""Screenshots of pages, which people look at, and the rules of `seen.py` on the same pages.

A page with something wrong has its picture in the folder of the test run. With NOISELESS_PICTURES=docs/pictures/console
all pages have theirs in the documentation; then run all tests of `tests/app/console`, so that they show one state of
the pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from tests.app.console.browsing import Browser
from tests.app.console.seen import wrong_with

SIZES = {"desk": 1280, "phone": 390}
HEIGHT = 800
WANTED = os.environ.get("NOISELESS_PICTURES")
"""The folder for pictures of all pages."""
THEMES = ("light", "dark")
COLOURS = 24
"""Of a picture: pages have few, and a small file is kept for ever."""
DOCUMENTED = Path(__file__).parents[3] / "docs/pictures/console"


class Look(NamedTuple):
    """A picture to take: who looks at the page, its address, and what is done there first."""

    role: str
    path: str
    then: Callable[[Any], object] = lambda page: None
    whole: bool = True
    """Whether all of the page is in the picture, however long it is."""


def looked_at(name: str, look: Look, opened: Browser, folder: Path) -> list[str]:
    """What is wrong with a page at every width in every theme. Themes and widths change while it is open."""
    page, found = opened.page, list[str]()
    opened.open(look.path)
    look.then(page)
    for (size, width), theme in product(SIZES.items(), THEMES):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=theme)
        called = f"{name}_{size}_{theme}"
        wrong = wrong_with(page)
        if WANTED or wrong:
            _drawn(page, look, Path(WANTED or folder) / f"{called}.png")
        found += [f"{called}: {each}" for each in wrong]
    return found


def _drawn(page: Any, look: Look, picture: Path) -> None:
    page.screenshot(path=picture, full_page=look.whole, animations="disabled")
    Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
