"""Every page of analysts at two widths in both themes: the rules of `seen.py`, and screenshots that people look at."""

from __future__ import annotations

from typing import Any

import pytest
from tests.app.console.pictures import DOCUMENTED, SIZES, THEMES, Look, looked_at
from tests.app.console.seen import wrong_with
from tests.app.console.test_walks_of_keepers import PAGES as OF_KEEPERS

MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"
BUCKETS = "SELECT FLOOR(age / 10) * 10 AS from_age, COUNT(*) FROM people GROUP BY from_age"
TOGETHER = "SELECT AVG(age) FROM people WHERE smoker = 'no';\nSELECT AVG(age) FROM people WHERE age > 30;"


def question(page: Any, sql: str, error: str) -> None:
    page.fill("#sql", sql)
    page.select_option("#precision", "error")
    page.fill("#amount", error)


def typed(page: Any) -> None:
    question(page, MEAN, "0.5")
    page.locator("#live").filter(has_text="Left after it").wait_for()


def refused(page: Any) -> None:
    question(page, "SELECT region, AVG(height) FROM people GROUP BY region", "0.5")
    page.locator("#live .problem").filter(has_text="does not exist").wait_for()


def priced(page: Any) -> None:
    typed(page)
    page.click("button[value=prices]")
    page.locator("section[aria-label='prices at other errors']").wait_for()


def asked(page: Any) -> None:
    question(page, BUCKETS, "20")
    page.click("button[value=ask]")
    page.locator("section[aria-label=answer], input[name=confirmed]").first.wait_for(state="attached")
    if page.query_selector("input[name=confirmed]"):
        page.click("button[value=ask]")
    page.locator("section[aria-label=answer] svg.chart").wait_for()


def tried(page: Any) -> None:
    question(page, MEAN, "0.5")
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


def confirming(page: Any) -> None:
    page.fill("#sql", "SELECT age, COUNT(*) FROM people GROUP BY age")
    page.select_option("#precision", "exact")
    page.click("button[value=ask]")
    page.locator("input[name=confirmed]").wait_for(state="attached")


def follows(page: Any) -> None:
    question(page, "SELECT COUNT(*) FROM people WHERE age < 50", "20")
    page.locator("#live .known").wait_for()


def bars(page: Any) -> None:
    page.fill("#sql", "SELECT region, COUNT(*) FROM people WHERE smoker = 'yes' GROUP BY region")
    page.select_option("#precision", "exact")
    page.click("button[value=ask]")
    page.locator("section[aria-label=answer] svg.chart").wait_for()


def ended(page: Any) -> None:
    """The session is over, and the form is sent as it is without scripts."""
    page.fill("#sql", MEAN)
    page.context.clear_cookies()
    page.evaluate("document.getElementById('ask').submit()")
    page.locator("#token").wait_for()


def signed_in_again(page: Any) -> None:
    token = next(each["value"] for each in page.context.cookies())
    ended(page)
    page.fill("#token", token)
    page.click("main form button")
    page.locator("text=signed in again").wait_for()


def signed_out(page: Any) -> None:
    page.click("text=Sign out")
    page.wait_for_load_state()


PAGES = {
    "datasets": Look("analyst", "/console"),
    "ask": Look("analyst", "/console/d/people", typed),
    "refused": Look("analyst", "/console/d/people", refused),
    "prices": Look("analyst", "/console/d/people", priced),
    "form": Look("analyst", "/console/d/people", choosing),
    "confirm": Look("analyst", "/console/d/people", confirming, whole=False),
    "answer": Look("analyst", "/console/d/people", asked),
    "bars": Look("analyst", "/console/d/people", bars),
    "known": Look("analyst", "/console/d/people", follows),
    "mock": Look("analyst", "/console/d/people", tried),
    "basket": Look("analyst", "/console/d/people/basket", compared),
    "question": Look("analyst", "/console/d/people/answers/1"),
    "about": Look("analyst", "/console/d/people/about"),
    "ledger": Look("analyst", "/console/d/people/ledger"),
    "document": Look("auditor", "/console/docs/guarantee", whole=False),
    "problem": Look("auditor", "/console/d/nothing/about"),
    "sign_in": Look("auditor", "/console", signed_out),
    "signed_in_again": Look("custodian", "/console/d/people", signed_in_again),
    "session_ended": Look("other", "/console/d/people", ended),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_seen(signed_in, name, tmp_path):
    found = looked_at(name, PAGES[name], signed_in(PAGES[name].role), tmp_path)
    assert not found, "\n".join(found)


def test_the_documentation_has_a_picture_of_every_page():
    """At both widths in both themes, and of no page that is gone. See `pictures.py` for how they are made."""
    names = [*PAGES, *OF_KEEPERS]
    assert len(names) == len(set(names))
    expected = {f"{name}_{size}_{theme}.png" for name in names for size in SIZES for theme in THEMES}
    assert {each.name for each in DOCUMENTED.iterdir()} == expected


def test_the_rules_notice_what_is_wrong(browser):
    page = browser("analyst").page
    page.evaluate("""() => { document.querySelector("main").innerHTML =
      '<h3>x</h3><button></button><p id="a">y</p><p id="a" class="faint">z</p><input>';
      document.querySelector(".faint").style.color = "rgb(240, 240, 240)"; }""")
    said = " ".join(wrong_with(page))
    for rule in ("no name", "too faint", "one h1", "left out", "twice"):
        assert rule in said, rule
