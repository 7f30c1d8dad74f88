"""Every page at two widths in both themes: rules for everybody hold, and screenshots that people look at.

`NOISELESS_PICTURES=docs/pictures/console` writes the screenshots into the documentation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.app.console.browsing import Browser
from tests.app.console.seen import wrong_with

SIZES = {"desk": 1100, "phone": 390}
THEMES = ("light", "dark")
MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"
BUCKETS = "SELECT FLOOR(age / 10) * 10 AS from_age, COUNT(*) FROM people GROUP BY from_age"
TOGETHER = "SELECT AVG(age) FROM people WHERE smoker = 'no';\nSELECT AVG(age) FROM people WHERE age > 30;"


def typed(page: Any) -> None:
    page.fill("#sql", MEAN)
    page.fill("#amount", "0.5")
    page.locator("#live").filter(has_text="Left after it").wait_for()


def refused(page: Any) -> None:
    page.fill("#amount", "0.5")
    page.fill("#sql", "SELECT region, AVG(height) FROM people GROUP BY region")
    page.locator("#live .problem").filter(has_text="does not exist").wait_for()


def priced(page: Any) -> None:
    typed(page)
    page.click("button[value=prices]")
    page.locator("section[aria-label='prices at other errors']").wait_for()


def asked(page: Any) -> None:
    page.fill("#sql", BUCKETS)
    page.fill("#amount", "20")
    page.click("button[value=ask]")
    page.locator("section[aria-label=answer], input[name=confirmed]").first.wait_for(state="attached")
    if page.query_selector("input[name=confirmed]"):
        page.click("button[value=ask]")
    page.locator("section[aria-label=answer] svg.chart").wait_for()


def tried(page: Any) -> None:
    page.fill("#sql", MEAN)
    page.fill("#amount", "0.5")
    page.click("button[value=mock]")
    page.locator("section[aria-label=answer]").wait_for()


def choosing(page: Any) -> None:
    page.click(".builder summary")


def compared(page: Any) -> None:
    page.fill("#basket", TOGETHER)
    page.select_option("#precision", "bits")
    page.fill("#amount", "2")
    page.click("button[value=compare]")
    page.locator("section[aria-label='what together would cost']").wait_for()


def nothing(page: Any) -> None:
    pass


def signed_out(page: Any) -> None:
    page.click("text=Sign out")
    page.wait_for_load_state()


PAGES: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "datasets": ("analyst", "/console", nothing),
    "ask": ("analyst", "/console/d/people", typed),
    "refused": ("analyst", "/console/d/people", refused),
    "prices": ("analyst", "/console/d/people", priced),
    "form": ("analyst", "/console/d/people", choosing),
    "answer": ("analyst", "/console/d/people", asked),
    "mock": ("analyst", "/console/d/people", tried),
    "basket": ("analyst", "/console/d/people/basket", compared),
    "narrow": ("analyst", "/console/d/people/answers/1", nothing),
    "about": ("analyst", "/console/d/people/about", nothing),
    "ledger": ("analyst", "/console/d/people/ledger", nothing),
    "keeping": ("custodian", "/console/d/people/keeping", nothing),
    "waiting": ("custodian", "/console/d/people/waiting", nothing),
    "spending": ("custodian", "/console/d/people/spending", nothing),
    "verify": ("auditor", "/console/verify", nothing),
    "document": ("auditor", "/console/docs/guarantee", nothing),
    "sign_in": ("auditor", "/console", signed_out),
}
"""Every page: who looks at it, where it is, and what is done there first."""
COLOURS = 64


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_seen(browser, size, theme, tmp_path):
    folder = Path(os.environ.get("NOISELESS_PICTURES", tmp_path))
    opened: dict[str, Browser] = {}
    found: list[str] = []
    for name, (role, path, then) in PAGES.items():
        if role not in opened:
            opened[role] = browser(role, viewport={"width": SIZES[size], "height": 800}, color_scheme=theme)
        page = opened[role].page
        opened[role].open(path)
        then(page)
        picture = folder / f"{name}_{size}_{theme}.png"
        page.screenshot(path=picture, full_page=name != "document", animations="disabled")
        Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
        found += [f"{name}, {size}, {theme}: {each}" for each in wrong_with(page)]
    assert not found, "\n".join(found)


def test_the_rules_notice_what_is_wrong(browser):
    page = browser("analyst").page
    page.evaluate("""() => { document.querySelector("main").innerHTML =
      '<h3>x</h3><button></button><p id="a">y</p><p id="a" class="faint">z</p><input>';
      document.querySelector(".faint").style.color = "rgb(240, 240, 240)"; }""")
    said = " ".join(wrong_with(page))
    for rule in ("no name", "too faint", "one h1", "left out", "twice"):
        assert rule in said, rule
