"""The console in a real browser: walks, errors in its console, and screenshots that people look at.

Debian's chromium is used. `NOISELESS_PICTURES=docs/pictures/console` writes the screenshots into the documentation.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.app.service.small import serving, token, write

from noiseless.app.console.console import with_console
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium; .ci/run does")
SIZES = {"desk": 1100, "phone": 390}
THEMES = ("light", "dark")
MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"
PAGES = {
    "datasets": ("analyst", "/console"),
    "ask": ("analyst", f"/console/d/people?sql={MEAN.replace(' ', '%20')}"),
    "answer": ("analyst", "/console/d/people/answers/1"),
    "ledger": ("analyst", "/console/d/people/ledger"),
    "about": ("analyst", "/console/d/people/about"),
    "keeping": ("custodian", "/console/d/people/keeping"),
    "verify": ("auditor", "/console/verify"),
}
NAMED = "a, button, input:not([type=hidden]), select, textarea, svg[role=img]"
NAMELESS = """(named) => [...document.querySelectorAll(named)].filter((e) => e.checkVisibility())
  .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length)))
  .map((e) => e.outerHTML.slice(0, 80))"""
FAINT = """() => {
  const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const has = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  return [...document.querySelectorAll("main *, header *, footer *")].filter((e) => e.checkVisibility() && has(e))
    .filter((e) => { const [one, two] = [light(getComputedStyle(e).color), light(paper(e))].sort((a, b) => b - a);
      return (one + 0.05) / (two + 0.05) < 4.5; }).map((e) => e.outerHTML.slice(0, 80)); }"""
"""Names for screen readers, and the contrast of texts, as WCAG 2 asks for them."""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a console, and a token for every role."""
    file = write(tmp_path_factory.mktemp("served"), budget=20, rows=5000)
    tokens: dict[str, str] = {role: token(file, f"Ann the {role}", role)["Authorization"].split()[1] for role in ROLES}
    app = with_console(Settings.read([file]))
    with serving(uvicorn.Config(app, port=0, log_config=None, access_log=False)) as (host, port):
        yield f"http://{host}:{port}", tokens


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all walks."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Browser:
    """A signed-in browser. Whatever its console calls an error, other than a refusal by the server, fails the test."""

    def __init__(self, chromium: Any, server: tuple[str, dict[str, str]], role: str, **more: Any) -> None:
        self.address, self.errors = server[0], list[str]()
        self.page = chromium.new_context(**more).new_page()
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.open("/console")
        self.page.fill("#token", server[1][role])
        self.click("main button")

    def open(self, path: str) -> None:
        self.page.goto(self.address + path)

    def click(self, what: str) -> None:
        self.page.click(what)
        self.page.wait_for_load_state()

    def close(self) -> None:
        self.page.context.close()
        assert not [each for each in self.errors if "Failed to load resource: the server responded" not in each]


@pytest.fixture
def browser(chromium, server) -> Iterator[Any]:
    opened: list[Browser] = []

    def open_as(role: str, **more: Any) -> Browser:
        opened.append(Browser(chromium, server, role, **more))
        return opened[-1]

    yield open_as
    for each in opened:
        each.close()


def test_ask_see_and_ask_again(browser):
    ann = browser("analyst")
    ann.open("/console/d/people")
    ann.page.fill("#sql", MEAN)
    ann.page.fill("#amount", "0.5")
    ann.page.wait_for_selector("#live >> text=bits left after it")
    assert re.search(r"certain to ± 0\.[45]", ann.page.inner_text("#live"))
    ann.click("button[value=ask]")
    if ann.page.query_selector("input[name=confirmed]"):
        assert "Nothing has been spent" in ann.page.inner_text("main")
        ann.click("button[value=ask]")
    assert "Charged" in ann.page.inner_text("section[aria-label=answer]")
    assert ann.page.locator("section[aria-label=answer] svg").count() == 2
    assert ann.page.input_value("#sql") == MEAN
    ann.open("/console/d/people/ledger")
    ann.click("tbody th a")
    assert "Charged" in ann.page.inner_text("main")


def test_a_refusal_and_a_lost_session_keep_what_was_typed(browser):
    ann = browser("analyst")
    ann.open("/console/d/people")
    ann.page.fill("#sql", "SELECT AVG(nothing) FROM people")
    ann.page.wait_for_selector("#live .refused")
    assert "does not exist" in ann.page.inner_text("#live")
    ann.page.context.clear_cookies()
    ann.page.fill("#sql", MEAN)
    ann.page.wait_for_selector("#live >> text=session has ended")
    ann.page.reload()
    assert "Sign in" in ann.page.inner_text("h1")


def test_completion_and_the_slider(browser):
    ann = browser("analyst")
    ann.open("/console/d/people")
    ann.page.fill("#sql", "")
    ann.page.locator("#sql").press_sequentially("SELECT AVG(ag")
    ann.page.click(".choices button >> text=age")
    assert ann.page.input_value("#sql") == "SELECT AVG(age"
    ann.page.fill("#amount", "1")
    ann.page.locator("#slide").fill("80")
    assert float(ann.page.input_value("#amount")) > 10


def test_everything_works_with_the_keyboard_and_without_scripts(browser):
    ann = browser("analyst", java_script_enabled=False)
    ann.open("/console/d/people")
    for _ in range(40):
        ann.page.keyboard.press("Tab")
        if ann.page.locator("#sql:focus").count():
            break
    ann.page.keyboard.type("SELECT COUNT(*) FROM people WHERE age >= 50")
    ann.page.select_option("#precision", "exact")
    ann.page.focus("button[value=ask]")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_load_state()
    assert "Charged 1 bit" in ann.page.inner_text("section[aria-label=answer]")


def test_build_a_question_without_sql(browser):
    ann = browser("analyst")
    ann.open("/console/d/people")
    ann.page.click(".builder summary")
    ann.page.select_option("select[name=function]", "AVG")
    ann.page.select_option("select[name=column]", "age")
    ann.page.select_option("select[name=group]", "region")
    ann.click(".builder button")
    assert " ".join(ann.page.input_value("#sql").replace(chr(34), "").split()) == MEAN


def test_the_custodian_makes_and_revokes_a_token(browser):
    carl = browser("custodian")
    carl.open("/console/d/people/keeping")
    carl.page.fill("input[name=name]", "Bob")
    carl.click("text=Make a token")
    assert carl.page.inner_text("code.token").startswith("noiseless_")
    carl.click("[aria-label='Revoke the token of Bob']")
    assert "revoked" in carl.page.inner_text("main")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_seen(browser, size, theme, tmp_path):
    """Nothing runs over the edge, everything has a name, every text can be read; and a screenshot of it."""
    folder = Path(os.environ.get("NOISELESS_PICTURES", tmp_path))
    opened = {}
    for name, (role, path) in PAGES.items():
        if role not in opened:
            opened[role] = browser(role, viewport={"width": SIZES[size], "height": 800}, color_scheme=theme)
        page = opened[role].page
        opened[role].open(path)
        if name == "ask":
            page.fill("#amount", "0.5")
            page.wait_for_selector("#live >> text=left after it")
        page.screenshot(path=folder / f"{name}_{size}_{theme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        assert page.evaluate(NAMELESS, NAMED) == [], name
        assert page.evaluate(FAINT) == [], name
