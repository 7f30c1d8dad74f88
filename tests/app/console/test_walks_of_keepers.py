"""Walks of custodians and auditors in a real browser, and every page of theirs at two widths in both themes.

`NOISELESS_PICTURES=docs/pictures/console` writes the screenshots into the documentation.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest
import uvicorn
from PIL import Image
from tests.app.console.browsing import Browser
from tests.app.console.seen import wrong_with
from tests.app.console.test_screens import COLOURS, SIZES, THEMES
from tests.app.service.small import COUNT, serving, token, write

from noiseless.app.console.console import with_console
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings

DEAR = "SELECT age, COUNT(*) FROM people GROUP BY age"
HOLD = "[policy]\nhold_above = 2\n"
HERE = "/console/d/people"
COPY_TO_COMPARE = "town,ill\na,no\na,yes\nb,no\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, dict[str, str]]]:
    """A table whose dear questions wait, a folder of tables to declare, and files to compare."""
    home = tmp_path_factory.mktemp("served")
    tables = home / "tables"
    tables.mkdir()
    for name in ("visits", "wards"):
        rows = {"patient_id": range(300), "age": [k % 90 for k in range(300)], "ward": ["a", "b", "c"] * 100}
        pandas.DataFrame(rows).to_csv(tables / f"{name}.csv", index=False)
    (home / "one.csv").write_text(COPY_TO_COMPARE, encoding="utf-8")
    (home / "two.csv").write_text(COPY_TO_COMPARE.replace("a,yes\n", ""), encoding="utf-8")
    file = write(home, budget=60, rows=2000, more=HOLD)
    tokens: dict[str, str] = {role: token(file, f"Ann the {role}", role)["Authorization"].split()[1] for role in ROLES}
    tokens["home"] = str(home)
    app = with_console(Settings.read([file], tables=str(tables)))
    with serving(uvicorn.Config(app, port=0, log_config=None, access_log=False)) as (host, port):
        yield f"http://{host}:{port}", tokens


@pytest.fixture(scope="module", autouse=True)
def questions(chromium, server) -> None:
    """One question is answered, one waits, and more bits are requested."""
    ann = Browser(chromium, server, "analyst")
    for path, body in (
        ("ask", {"sql": COUNT}),
        ("ask", {"sql": "SELECT COUNT(*) FROM people WHERE age > 40 AND region = 'north'"}),
        ("ask", {"sql": DEAR}),
        ("requests", {"bits": 5, "reason": "the last chapter of the thesis", "about": "budget"}),
    ):
        ann.page.request.post(f"{server[0]}/datasets/people/{path}", data=body, headers={"origin": server[0]})
    ann.close()


def test_the_custodian_decides_what_waits(browser):
    carl = browser("custodian", java_script_enabled=False)
    carl.open(f"{HERE}/keeping")
    carl.click("text=1 question is on hold")
    assert DEAR in carl.see("main")
    carl.click("button[aria-label^='Approve question']")
    carl.see("h3", "approved")
    carl.page.fill("article:has-text('thesis') input[name=bits]", "2")
    carl.click("button[aria-label^='Grant request']")
    assert "thesis" not in carl.see("main")
    carl.open(f"{HERE}/keeping")
    assert "of 62 bits left" in carl.see("main")


def test_a_freeze_and_a_quota_with_the_keyboard(browser):
    carl = browser("custodian", java_script_enabled=False)
    carl.open(f"{HERE}/keeping")
    carl.page.focus("form[action$='/freeze'] input[name=reason]")
    carl.page.keyboard.type("an audit")
    carl.page.keyboard.press("Enter")
    carl.see(".problem", "Frozen")
    carl.click("text=Answer everything again")
    carl.page.focus("form[action$='/quotas'] input[name=name]")
    carl.page.keyboard.type("Bob")
    carl.page.keyboard.press("Tab")
    carl.page.keyboard.type("3")
    carl.page.keyboard.press("Enter")
    carl.see("th[scope=row]", "Bob")


def test_the_ledger_is_filtered_and_drawn(browser):
    carl = browser("auditor")
    carl.open(f"{HERE}/ledger")
    carl.page.fill("input[name=text]", "smoker")
    carl.click("form[role=search] button")
    assert carl.page.locator("tbody tr").count() == 1
    carl.click("text=The budget over time")
    assert carl.page.locator("svg.chart path.spent").count() == 2


def test_a_copy_from_sliders_to_its_audit(browser):
    carl = browser("custodian")
    carl.open(f"{HERE}/copies")
    carl.page.locator("input[type=range][name=bits]").fill("6")
    carl.see("output", "6")
    carl.click("button[value=preview]")
    carl.see("section[aria-label=preview]", "the middle of its cell")
    carl.click("button[value=release]")
    carl.see("section[aria-label=preview]", "Nothing has been spent")
    carl.click("button[value=release]")
    carl.page.locator("main a", has_text="its certificate").wait_for()
    carl.open(f"{HERE}/copies")
    carl.page.fill("input[name=quasi]", "age")
    carl.click("article button")
    assert "k = " in carl.see("section.card", "Audit of the copy")


def test_from_a_table_to_a_served_dataset(browser, server):
    carl = browser("custodian", java_script_enabled=False)
    carl.open("/console")
    carl.click("text=A new dataset")
    carl.click("text=visits.csv")
    assert "seems to identify a person" in carl.see("main")
    for field, text in (("low 1", "0"), ("high 1", "120"), ("values 2", "a, b, c"), ("budget", "6")):
        carl.page.fill(f"input[name='{field}']", text)
    carl.page.select_option("select[name='kind 2']", "public")
    carl.click("button[value=plan]")
    assert "AVG(age) by ward" in carl.see("section[aria-label='what the budget buys']")
    assert carl.page.input_value("input[name='high 1']") == "120"
    carl.click("button[value=declare]")
    text = carl.see("code.token")
    carl.click("text=Sign out")
    carl.sign_in(text)
    carl.open("/console/d/visits/keeping")
    carl.click("text=Check the table")
    assert "every promise is kept" in carl.see("pre")


def test_a_ledger_and_two_tables_are_looked_at(browser, server, tmp_path):
    audrey = browser("auditor")
    export = tmp_path / "people.jsonl"
    export.write_bytes(audrey.page.request.get(f"{server[0]}/datasets/people/export").body())
    audrey.open("/console/verify")
    audrey.page.set_input_files("#file", export)
    audrey.click("main form button")
    assert "none was changed or left out" in audrey.see(".good")
    audrey.click("text=Compare two published tables")
    for name in ("one", "two"):
        audrey.page.set_input_files(f"input[name={name}]", f"{server[1]['home']}/{name}.csv")
    audrey.click("main form button")
    assert "by a single row" in audrey.see("section[aria-label=result]")


def test_an_answer_is_published_by_both_and_opened_by_anyone(browser, server, chromium):
    for role in ("analyst", "custodian"):
        somebody = browser(role, java_script_enabled=False)
        somebody.open(f"{HERE}/published")
        somebody.page.fill("input[name=entry]", "1")
        somebody.click("form.row button")
    address = somebody.page.get_attribute("text=the public page", "href")
    page = chromium.new_context().new_page()
    page.goto(server[0] + address)
    assert "recomputed from the certificate" in page.inner_text("main")
    assert page.locator("form").count() == 0
    page.context.close()
    somebody.click("button[aria-label='Publish question 1 no longer']")
    assert "None yet" in somebody.see("main")


def filled(page: Any) -> None:
    for field, text in (("low 1", "0"), ("high 1", "120"), ("values 2", "a, b, c"), ("budget", "6")):
        page.fill(f"input[name='{field}']", text)
    page.select_option("select[name='kind 2']", "public")
    page.click("button[value=plan]")
    page.locator("section[aria-label='what the budget buys']").wait_for()


def sliding(page: Any) -> None:
    page.locator("input[type=range][name=bits]").fill("6")
    page.click("button[value=preview]")
    page.locator("section[aria-label=preview]").wait_for()


def nothing(page: Any) -> None:
    pass


PAGES: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "queue": ("custodian", f"{HERE}/waiting", nothing),
    "over_time": ("custodian", f"{HERE}/spending", nothing),
    "copies": ("custodian", f"{HERE}/copies", sliding),
    "new": ("custodian", "/console/new", nothing),
    "declare": ("custodian", "/console/new?file=wards.csv", filled),
    "published": ("auditor", f"{HERE}/published", nothing),
    "compare": ("auditor", "/console/compare", nothing),
}
"""Pages with something on them: who looks at each, where it is, and what is done there first."""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_seen(browser, server, size, theme, tmp_path):
    folder = Path(os.environ.get("NOISELESS_PICTURES", tmp_path))
    opened: dict[str, Browser] = {}
    found: list[str] = []
    for name, (role, path, then) in PAGES.items():
        if role not in opened:
            opened[role] = browser(role, viewport={"width": SIZES[size], "height": 800}, color_scheme=theme)
        page = opened[role].page
        opened[role].open(path)
        then(page)
        if name == "compare":
            for file in ("one", "two"):
                page.set_input_files(f"input[name={file}]", f"{server[1]['home']}/{file}.csv")
            opened[role].click("main form button")
        picture = folder / f"{name}_{size}_{theme}.png"
        page.screenshot(path=picture, full_page=True, animations="disabled")
        Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
        found += [f"{name}, {size}, {theme}: {each}" for each in wrong_with(page)]
    assert not found, "\n".join(found)
