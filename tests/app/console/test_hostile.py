"""Names, values, questions and files that contain markup: every page shows them as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import uvicorn
from tests.app.console.browsing import Browser
from tests.app.service.small import serving, token

import noiseless as nl
from noiseless.app.console.console import with_console
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings

MARKUP = """<b data-pwned onfocus=x autofocus>"'&`{{7*7}}<b>"""
NAME = f"""a #1?x=2&y%41 {MARKUP.replace("/", "")}"""
"""A dataset has the name of its file, which may hold whatever a file system allows."""
HERE = f"/console/d/{quote(NAME)}"
SQL_NAME, SQL_COLUMN = (f'"{each.replace(chr(34), chr(34) * 2)}"' for each in (NAME, MARKUP))
VALUE = MARKUP.replace("'", "''")
QUESTIONS = (
    f"SELECT {SQL_COLUMN}, COUNT(*) AS \"<b data-pwned>\" FROM {SQL_NAME} WHERE kind = '{VALUE}' GROUP BY {SQL_COLUMN}",
    f"SELECT AVG(age) FROM {SQL_NAME} WHERE kind <> '{VALUE}'",
)
PAGES = ("", "/basket", "/ledger", "/about", "/published", "/answers/1", "/spending", "/keeping", "/waiting", "/copies")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, dict[str, str]]]:
    """A table in which everything that has a name has a hostile one."""
    home = tmp_path_factory.mktemp("hostile")
    tables = home / "tables"
    tables.mkdir()
    columns = {
        "age": [k % 90 for k in range(400)],
        "kind": ["no", MARKUP] * 200,
        MARKUP: ["north", "north", MARKUP, MARKUP] * 100,
    }
    pq.write_table(pa.table(columns), home / f"{NAME}.parquet")
    pq.write_table(pa.table(columns), tables / f"{MARKUP}.parquet")
    schema = nl.Schema(
        {"age": nl.Integer(0, 100), "kind": nl.Category("no", MARKUP), MARKUP: nl.Public("north", MARKUP)}
    )
    file = home / "served.toml"
    hold = "[policy]\nhold_above = 3\n"
    file.write_text(nl.Declaration(schema, f"{NAME}.parquet", None, 60).write() + hold, encoding="utf-8")
    tokens: dict[str, str] = {role: token(file, f"{role} {MARKUP}", role)["Authorization"].split()[1] for role in ROLES}
    app = with_console(Settings.read([file], tables=str(tables)))
    with serving(uvicorn.Config(app, port=0, log_config=None, access_log=False)) as (host, port):
        yield f"http://{host}:{port}", tokens


def harmless(each: Browser) -> None:
    """No text became an element, an attribute or a script. What the console says is looked at when it closes."""
    page = each.page
    assert page.locator("[data-pwned], [onfocus], [onclick], main b").count() == 0, page.url
    assert "49" not in page.title()


def test_hostile_names_are_texts_on_every_page(browser, server):
    for role in ("custodian", "analyst", "auditor"):
        somebody = browser(role)
        harmless(somebody)
        api = f"{server[0]}/datasets/{quote(NAME)}"
        if role == "analyst":
            dear = f"SELECT age, COUNT(*) FROM {SQL_NAME} GROUP BY age"
            wish = {"bits": 3, "reason": MARKUP, "about": "budget"}
            sent = (("ask", {"sql": QUESTIONS[0]}), ("ask", {"sql": dear}), ("requests", wish))
            found = [
                somebody.page.request.post(f"{api}/{path}", data=body, headers={"origin": server[0]}).status
                for path, body in sent
            ]
            assert found == [200, 409, 200]  # answered, on hold, requested
    for role in ("custodian", "analyst", "auditor"):
        somebody = browser(role)
        shown = 0
        for path in PAGES:
            somebody.open(HERE + path)
            harmless(somebody)
            shown += "data-pwned" in somebody.page.inner_text("body")
            for address in somebody.page.eval_on_selector_all(
                "header a, main a", "all => all.map((each) => each.getAttribute('href'))"
            ):
                assert "<" not in address, address
                assert address.startswith(("/console", "/datasets", "/published", "?", "#")), address
        assert shown >= 5  # the others are not for this role
        for link in somebody.page.locator("header nav a").all():  # the menu leads to pages of this dataset
            assert somebody.page.request.get(server[0] + str(link.get_attribute("href"))).status == 200


def test_hostile_questions_and_refusals_are_texts(browser):
    ann = browser("analyst")
    for sql in (*QUESTIONS, f"SELECT {SQL_COLUMN.upper()} FROM {SQL_NAME}", f"SELECT '{VALUE}", MARKUP):
        ann.open(HERE)
        ann.page.fill("#sql", sql)
        ann.page.fill("#amount", "5")
        ann.page.locator("#live > *").first.wait_for()
        harmless(ann)
        for button in ("preview", "mock", "deduce", "prices"):
            ann.page.click(f"button[value={button}]")
            ann.page.locator("#shown > *").first.wait_for()
            harmless(ann)
            assert ann.page.input_value("#sql") == sql
    ann.page.fill("#sql", "")
    ann.page.locator("#sql").press_sequentially("SELECT AVG(age) FROM x WHERE kind = '<")
    ann.see("#choices li", "data-pwned")
    harmless(ann)


def test_hostile_forms_and_files_are_texts(browser, tmp_path):
    carl = browser("custodian")
    carl.open(f"{HERE}/keeping")
    carl.page.fill("form[action$=tokens] input[name=name]", MARKUP)
    carl.click("text=Make a token")
    harmless(carl)
    carl.page.fill("form[action$=quotas] input[name=name]", MARKUP)
    carl.page.fill("input[name=quota]", "3")
    carl.click("text=Set the quota")
    harmless(carl)
    assert "data-pwned" in carl.see("th[scope=row]", "data-pwned")
    carl.click("text=Check the table")
    harmless(carl)
    carl.open("/console/new")
    harmless(carl)
    carl.click("main ul a")
    harmless(carl)
    carl.page.fill("input[name='low 0']", MARKUP)
    carl.click("button[value=plan]")
    harmless(carl)
    assert carl.page.input_value("input[name='low 0']") == MARKUP
    carl.open(f"{HERE}/copies")
    carl.click("button[value=preview]")
    harmless(carl)
    table = tmp_path / "<b data-pwned>.csv"
    table.write_text(f'"{MARKUP.replace(chr(34), chr(34) * 2)}",n\n<b data-pwned>,1\n', encoding="utf-8")
    other = tmp_path / "two.csv"
    other.write_text(table.read_text("utf-8") + "x,2\n", encoding="utf-8")
    carl.open("/console/compare")
    carl.page.set_input_files("input[name=one]", table)
    carl.page.set_input_files("input[name=two]", other)
    carl.click("main form button")
    harmless(carl)
    carl.open("/console/verify")
    for text in (MARKUP, f'{{"content": {{"question": "{MARKUP.replace(chr(34), "")}"}}}}'):
        carl.page.fill("#certificate", text)
        carl.page.fill("#key", MARKUP)
        carl.click("main form button")
        harmless(carl)
        assert carl.page.input_value("#certificate") == text
    carl.open(f"/console/nothing/{quote(MARKUP)}")
    harmless(carl)
