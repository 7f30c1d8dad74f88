"""Walks of an analyst through the console in a real browser. Errors in its console fail them."""

from __future__ import annotations

import json
import re

import pyarrow as pa

MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"
BUCKETS = "SELECT FLOOR(age / 10) * 10 AS from_age, COUNT(*) FROM people GROUP BY from_age"
ASKED = "section[aria-label=answer]"


def fill(ann, sql: str, error: str = "") -> None:
    ann.open("/console/d/people")
    ann.page.fill("#sql", sql)
    if error:
        ann.page.fill("#amount", error)
    else:
        ann.page.select_option("#precision", "exact")


def ask(ann, sql: str, error: str = "") -> str:
    """Ask, and confirm if the question is dear. Returns the words of the answer."""
    fill(ann, sql, error)
    ann.page.click("button[value=ask]")
    ann.page.locator(f"{ASKED}, input[name=confirmed], #shown .problem").first.wait_for(state="attached")
    if ann.page.query_selector("input[name=confirmed]"):
        assert "Nothing has been spent" in ann.page.inner_text("main")
        ann.page.click("button[value=ask]")
    return ann.see(ASKED, "harged")


def test_ask_see_and_ask_again(browser):
    ann = browser("analyst")
    fill(ann, MEAN, "0.5")
    words = ann.see("#live", "Left after it")
    assert "This question is accepted" in words
    assert re.search(r"± 0\.[45]", words)
    ask(ann, MEAN, "0.5")
    assert ann.page.locator(f"{ASKED} svg.chart").count() == 1
    assert ann.page.locator(f"{ASKED} td svg").count() == 2
    assert ann.page.input_value("#sql") == MEAN
    ann.open("/console/d/people/ledger")
    ann.click("tbody a >> nth=0")
    assert "harged" in ann.page.inner_text("main")


def test_what_is_asked_once_more_is_seen_first_and_has_the_focus(browser):
    """Also on a phone, and even if many known results are shown below."""
    ann = browser("analyst", viewport={"width": 390, "height": 800})
    fill(ann, "SELECT age, COUNT(*) FROM people GROUP BY age")
    ann.page.click("button[value=ask]")
    ann.see("#ask [role=alert]", "Nothing has been spent")
    ann.page.wait_for_function("""() => { const { top, bottom } = document.querySelector("#ask [role=alert]")
        .getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }""")
    assert ann.page.locator("button[value=ask]:focus").inner_text() == "Yes, ask"


def test_what_follows_already_is_shown_before_what_is_bought(browser):
    ann = browser("analyst")
    ask(ann, "SELECT COUNT(*) FROM people WHERE smoker = 'yes'")
    fill(ann, "SELECT COUNT(*) FROM people WHERE smoker = 'no'")
    assert "4285" in ann.see("#live .known")
    ann.page.click("button[value=deduce]")
    assert "Nothing was charged" in ann.see(ASKED, "4285")


def test_a_histogram_for_buckets(browser):
    ann = browser("analyst")
    ask(ann, BUCKETS, "20")
    assert ann.page.get_attribute(f"{ASKED} svg.chart", "aria-label").startswith("COUNT(*) by from_age")
    assert ann.page.locator(f"{ASKED} svg.chart rect").count() == 22


def test_a_refusal_offers_a_question_that_is_accepted(browser):
    ann = browser("analyst")
    fill(ann, "SELECT AVG(nothing) FROM people", "1")
    assert "does not exist" in ann.see("#live .problem")
    ann.page.click("#live .use")
    assert ann.page.input_value("#sql").startswith("SELECT AVG(age)")
    assert "accepted" in ann.see("#live", "Left after it")


def test_a_lost_session_and_a_lost_server_keep_what_was_typed(browser):
    ann = browser("analyst")
    fill(ann, MEAN, "0.5")
    ann.see("#live", "Left after it")
    ann.page.context.clear_cookies()
    ann.page.click("button[value=ask]")
    assert "Your session has ended" in ann.see("#live .refused")
    assert ann.page.input_value("#sql") == MEAN
    ann.expected = (*ann.expected, "Failed to load resource: net::ERR_FAILED")
    ann.page.route("**/console/d/people**", lambda route: route.abort())
    for button in ("ask", "preview"):
        ann.page.click(f"button[value={button}]")
        assert "The server does not answer" in ann.see("#live .refused", "server")
    ann.page.locator("#sql").press_sequentially(" ")
    assert "The server does not answer" in ann.see("#live .refused")
    assert ann.page.input_value("#sql").strip() == MEAN


def test_a_session_that_ends_without_scripts_keeps_the_question(browser, server):
    ann = browser("analyst", java_script_enabled=False)
    fill(ann, MEAN, "0.5")
    ann.page.context.clear_cookies()
    ann.click("button[value=ask]")
    assert MEAN in ann.page.inner_text("main pre")
    ann.sign_in(server[1]["analyst"])
    ann.click("main form button")
    assert ann.page.input_value("#sql") == MEAN
    assert "What it would cost" in ann.page.inner_text("main")


def test_completion_with_the_keyboard(browser):
    ann = browser("analyst")
    fill(ann, "", "1")
    field = ann.page.locator("#sql")
    field.press_sequentially("SELECT AVG(ag")
    ann.see("#choices li", "age")
    field.press("ArrowDown")
    assert ann.page.get_attribute("#sql", "aria-activedescendant") == "choice-0"
    field.press("Enter")
    assert ann.page.input_value("#sql") == "SELECT AVG(age"
    field.press_sequentially(") FROM people WHERE smoker = 'y")
    ann.page.click("#choices li[data-word=\"'yes'\"]")
    assert ann.page.input_value("#sql").endswith("smoker = 'yes'")
    field.press_sequentially(" AND r")
    field.press("Escape")
    assert ann.page.locator("#choices").is_hidden()
    field.press("Tab")
    assert ann.page.locator("#precision:focus").count() == 1
    assert ann.page.locator(".editor pre .keyword").count() >= 3
    assert ann.page.locator(".editor pre").inner_text().strip() == ann.page.input_value("#sql")


def test_from_error_to_price(browser):
    ann = browser("analyst")
    fill(ann, MEAN, "1")
    ann.page.locator("#slide").fill("80")
    assert float(ann.page.input_value("#amount")) > 10
    ann.see("#live", "Left after it")
    ann.page.click("button[value=prices]")
    rows = ann.see("section[aria-label='prices at other errors']")
    assert rows.count("bits") >= 5
    ann.page.click("section[aria-label='prices at other errors'] tbody button >> nth=0")
    ann.page.locator("#amount[value^='7.']").wait_for()
    assert 7 < float(ann.page.input_value("#amount")) < 8


def test_made_up_rows_cost_nothing(browser):
    ann = browser("analyst")
    fill(ann, "SELECT AVG(age) FROM people WHERE smoker = 'no'", "1")
    before = ann.page.inner_text(".left")
    ann.page.click("button[value=mock]")
    assert "This says nothing about the data" in ann.see(ASKED)
    assert ann.page.inner_text(".left") == before
    assert ann.page.locator(f"{ASKED} a").count() == 0


def test_a_basket_saves_and_is_asked(browser):
    ann = browser("analyst")
    for sql in ("SELECT AVG(age) FROM people WHERE smoker = 'no'", "SELECT AVG(age) FROM people WHERE age > 30"):
        fill(ann, sql, "1")
        ann.click("button[value=add]")
    ann.open("/console/d/people/basket")
    assert ann.page.input_value("#basket").count(";") == 2
    ann.page.select_option("#precision", "bits")
    ann.page.fill("#amount", "2")
    ann.click("button[value=compare]")
    assert "bits less" in ann.page.inner_text(".good")
    ann.click("button[value=ask]")
    if ann.page.query_selector("input[name=confirmed]"):
        ann.click("button[value=ask]")
    assert "2 questions, together" in ann.page.inner_text(ASKED)
    assert ann.page.locator(f"{ASKED} article").count() == 2
    with ann.page.expect_download() as found:
        ann.page.click("article >> nth=1 >> text=csv")
    assert found.value.path().read_text().startswith('"AVG(age)"')


def test_narrow_download_and_verify(browser):
    ann = browser("analyst")
    ask(ann, "SELECT SUM(age) FROM people WHERE region = 'south'", "100")  # finer than what other walks asked
    ann.click(f"{ASKED} >> a:has-text('of the ledger')")
    entry = ann.page.url.rpartition("/")[2]
    with ann.page.expect_download() as found:
        ann.page.click("a:text-is('Arrow')")
    table = pa.ipc.open_stream(found.value.path().read_bytes()).read_all()
    assert table.column_names == ["SUM(age)", "SUM(age)_lower", "SUM(age)_upper"]
    with ann.page.expect_download() as found:
        ann.page.click("a:text-is('Certificate')")
    assert json.loads(found.value.path().read_text())["content"]["question"].startswith("SELECT SUM")
    ann.page.fill("input[name=error]", "20")
    ann.page.fill("input[name=most]", "0.0001")
    ann.click("button:text-is('Narrow')")
    assert ann.see(".problem")
    assert ann.page.input_value("input[name=error]") == "20"
    ann.page.fill("input[name=most]", "40")
    ann.click("button:text-is('Narrow')")
    assert f"Narrowed from question {entry}" in ann.see(".good, .problem")


def test_a_token_behind_the_address_signs_in_with_one_click(browser, server):
    ann = browser("analyst")
    ann.click("text=Sign out")
    ann.page.goto("about:blank")
    ann.open(f"/console/sign-in#token={server[1]['custodian']}")
    ann.page.wait_for_url("**/console/sign-in")
    assert ann.page.input_value("#token") == server[1]["custodian"]
    ann.page.keyboard.press("Enter")
    assert "custodian" in ann.see(".who")


def test_history_is_free_and_ones_own(browser):
    ann, otto = browser("analyst"), browser("other")
    ask(ann, "SELECT COUNT(*) FROM people WHERE age = 42")
    ann.open("/console/d/people")
    ann.click("section[aria-label='your last questions'] a >> nth=0")
    assert "age = 42" in ann.page.inner_text("main")
    otto.open("/console/d/people")
    assert "age = 42" not in otto.page.content()


def test_signing_out_forgets_what_was_typed(browser, server):
    ann = browser("analyst")
    fill(ann, "SELECT 'a secret of Ann'", "1")
    ann.see("#live .problem")
    ann.open("/console/d/people")
    assert "secret" in ann.page.input_value("#sql")
    assert ann.page.input_value("#amount") == "1"
    ann.click("text=Sign out")
    assert ann.page.evaluate("localStorage.length") == 0
    ann.sign_in(server[1]["other"])
    ann.open("/console/d/people")
    assert ann.page.input_value("#sql") == ""


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
    assert "Charged 1 bit" in ann.page.inner_text(ASKED)
    ann.click("button[value=add]")
    assert "age >= 50" in ann.page.input_value("#basket")
    ann.click("button[value=preview]")
    ann.page.fill("#sql", "SELECT COUNT(*) FROM people WHERE age >= 70")
    ann.click("button[value=add]")
    assert ann.page.input_value("#basket").count("COUNT") == 2


def test_build_a_question_without_sql_and_without_scripts(browser):
    ann = browser("analyst", java_script_enabled=False)
    ann.open("/console/d/people")
    ann.page.click(".builder summary")
    ann.page.select_option("select[name=function] >> nth=0", "AVG")
    ann.page.select_option("select[name=column] >> nth=0", "age")
    ann.page.select_option("select[name=group]", "region")
    ann.page.select_option("select[name=where]", "smoker")
    ann.page.select_option("select[name=sign]", "=")
    ann.page.fill("input[name=value]", "yes")
    ann.click(".builder button")
    assert ann.page.locator("select[name=group]").count() == 2
    ann.page.select_option("select[name=function] >> nth=1", "COUNT")
    ann.page.select_option("select[name=group] >> nth=1", "age")
    ann.page.fill("input[name=width] >> nth=1", "25")
    ann.page.select_option("select[name=where] >> nth=1", "age")
    ann.page.fill("input[name=value] >> nth=1", "old")
    ann.click(".builder button")
    assert "not a number" in ann.page.inner_text(".problem")
    assert ann.page.input_value("input[name=width] >> nth=1") == "25"
    ann.page.fill("input[name=value] >> nth=1", "18")
    ann.click(".builder button")
    assert ann.page.input_value("#sql").split("\n") == [
        "SELECT region, FLOOR(age / 25) * 25, AVG(age), COUNT(*)",
        "FROM people",
        "WHERE smoker = 'yes' AND age >= 18",
        "GROUP BY region, FLOOR(age / 25) * 25",
    ]
    ann.page.fill("#amount", "5")
    ann.click("button[value=preview]")
    assert "What it would cost" in ann.page.inner_text("main")


def test_the_custodian_makes_and_revokes_a_token(browser):
    carl = browser("custodian")
    carl.open("/console/d/people/keeping")
    carl.page.fill("form[action$=tokens] input[name=name]", "Bob")
    carl.click("text=Make a token")
    assert carl.page.inner_text("code.token").startswith("noiseless_")
    carl.click("[aria-label='Revoke the token of Bob']")
    assert "revoked" in carl.page.inner_text("main")


def test_nothing_moves_for_those_who_want_it_still(browser):
    for wish, moves in (("reduce", False), ("no-preference", True)):
        ann = browser("analyst", reduced_motion=wish)
        seconds = ann.page.evaluate("getComputedStyle(document.querySelector('.gauge .fill')).transitionDuration")
        assert (seconds != "0s") == moves
