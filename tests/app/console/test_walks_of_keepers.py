"""Walks of custodians and auditors in a real browser, and every page of theirs at two widths in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas
import pytest
import uvicorn
from tests.app.console.browsing import Browser
from tests.app.console.pictures import Look, looked_at
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
    """Two questions are answered, one of them is published, one waits, and more bits are requested."""
    ann, carl = (Browser(chromium, server, role) for role in ("analyst", "custodian"))
    for path, body in (
        ("ask", {"sql": COUNT}),
        ("ask", {"sql": "SELECT COUNT(*) FROM people WHERE age > 40 AND region = 'north'"}),
        ("ask", {"sql": DEAR}),
        ("requests", {"bits": 5, "reason": "the last chapter of the thesis", "about": "budget"}),
    ):
        ann.page.request.post(f"{server[0]}/datasets/people/{path}", data=body, headers={"origin": server[0]})
    asked = ann.page.request.get(f"{server[0]}/datasets/people/ledger").json()["questions"]
    for each in (ann, carl):
        form = {"entry": f"{asked[0]['number']}", "place": "0"}
        each.page.request.post(f"{server[0]}{HERE}/published", form=form, headers={"origin": server[0]})
        each.close()


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
    carl.click("text=Answer all questions again")
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
    somebody.click("button[aria-label='Stop publishing question 1']")
    assert somebody.page.locator("button[aria-label='Stop publishing question 1']").count() == 0


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


def released(page: Any) -> None:
    sliding(page)
    for _ in range(2):
        page.click("button[value=release]")
        page.wait_for_load_state()
    page.locator("main a", has_text="its certificate").wait_for()


def declared(page: Any) -> None:
    filled(page)
    page.click("button[value=declare]")
    page.locator("code.token").wait_for()
    page.evaluate("document.querySelector('code.token').textContent = 'noiseless_…'")  # the picture stays the same


def given_a_token(page: Any) -> None:
    page.fill("form[action$=tokens] input[name=name]", "Bob")
    page.click("text=Make a token")
    page.locator("code.token").wait_for()
    page.evaluate("document.querySelector('code.token').textContent = 'noiseless_…'")
    page.click("text=Check the table")
    page.locator("main pre").wait_for()


def verified(page: Any) -> None:
    certificate = page.request.get(f"{address(page)}/datasets/people/certificates/1").text()
    page.fill("#certificate", certificate)
    page.click("main form button")
    page.locator(".good").wait_for()


def compared(page: Any) -> None:
    for name, rows in (("one", COPY_TO_COMPARE), ("two", COPY_TO_COMPARE.replace("a,yes\n", ""))):
        file = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": rows.encode()}
        page.set_input_files(f"input[name={name}]", files=[file])
    page.click("main form button")
    page.locator("section[aria-label=result]").wait_for()


def for_everyone(page: Any) -> None:
    page.click("text=the public page >> nth=0")
    page.locator("section[aria-label=verification]").wait_for()


def waits(page: Any) -> None:
    """Something else to decide about, once."""
    if page.locator("article", has_text="next year").count() == 0:
        said: dict[str, Any] = {"headers": {"origin": address(page)}}
        wish = {"bits": 3, "reason": "the same questions next year", "about": "budget"}
        hold = {"sql": f"{DEAR} HAVING COUNT(*) > 5", "bits": 5}
        page.request.post(f"{address(page)}/datasets/people/requests", data=wish, **said)
        page.request.post(f"{address(page)}/datasets/people/ask", data=hold, **said)
        page.reload()


def address(page: Any) -> str:
    return str(page.evaluate("location.origin"))


PAGES = {
    "custody": Look("custodian", f"{HERE}/keeping", given_a_token),
    "waiting": Look("custodian", f"{HERE}/waiting", waits),
    "over_time": Look("custodian", f"{HERE}/spending"),
    "copies": Look("custodian", f"{HERE}/copies", sliding),
    "work": Look("custodian", f"{HERE}/copies", released),
    "new": Look("custodian", "/console/new"),
    "declare": Look("custodian", "/console/new?file=wards.csv", filled),
    "declared": Look("custodian", "/console/new?file=wards.csv", declared),
    "verify": Look("auditor", "/console/verify", verified),
    "published": Look("auditor", f"{HERE}/published"),
    "public": Look("auditor", f"{HERE}/published", for_everyone),
    "compare": Look("auditor", "/console/compare", compared),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_seen(signed_in, name, tmp_path):
    found = looked_at(name, PAGES[name], signed_in(PAGES[name].role), tmp_path)
    assert not found, "\n".join(found)
