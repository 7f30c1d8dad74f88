"""Screenshots of pages, which people look at, and the rules of `seen.py` on the same pages.

They are written into a folder of the test run. With `NOISELESS_PICTURES=docs/pictures/console` they are written into
the documentation instead; then run all tests of `tests/app/console`, so that they show one state of the pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from tests.app.console.browsing import Browser
from tests.app.console.seen import wrong_with

SIZES = {"desk": 1280, "phone": 390}
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


def looked_at(
    pages: dict[str, Look], open_as: Callable[..., Browser], size: str, theme: str, folder: Path
) -> list[str]:
    """Take a picture of every page, and say what is wrong with it."""
    folder, opened, found = Path(os.environ.get("NOISELESS_PICTURES", folder)), dict[str, Browser](), list[str]()
    for name, look in pages.items():
        if look.role not in opened:
            opened[look.role] = open_as(look.role, viewport={"width": SIZES[size], "height": 800}, color_scheme=theme)
        page = opened[look.role].page
        opened[look.role].open(look.path)
        look.then(page)
        picture = folder / f"{name}_{size}_{theme}.png"
        page.screenshot(path=picture, full_page=look.whole, animations="disabled")
        Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
        found += [f"{name}, {size}, {theme}: {each}" for each in wrong_with(page)]
    return found
