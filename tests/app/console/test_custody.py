"""The custodian's pages: what waits, quotas, a freeze, the ledger with filters, the budget over time."""

from __future__ import annotations

import re

import pytest
from tests.app.console.pages import ORIGIN, console
from tests.app.service.small import COUNT, running, write

HOLD = "[policy]\nhold_above = 1\n"
DEAR = "SELECT age, COUNT(*) FROM people GROUP BY age"


@pytest.fixture
def page(tmp_path):
    with console(write(tmp_path, budget=40)) as open_console:
        yield open_console


def test_quotas_are_set_and_kept(page):
    found = page.post("/console/d/people/quotas", {"name": "the analyst", "quota": "1"}, "custodian")
    assert found.status_code == 200
    assert "the analyst" in found.text
    assert "Charged 1 bit" in page.ask(COUNT).text
    assert "quota" in page.ask("SELECT COUNT(*) FROM people WHERE age > 7").text
    together = {"name": "the analyst", "project": "study", "project_quota": "3"}
    assert "project study" in page.post("/console/d/people/quotas", together, "custodian").text
    for form in ({"name": "x"}, {"name": "", "quota": "1"}, {"name": "x", "quota": "-1"}, {"name": "x", "quota": "a"}):
        assert page.post("/console/d/people/quotas", form, "custodian").status_code == 422, form


def test_a_freeze_and_its_end(page):
    refused = page.post("/console/d/people/freeze", {"action": "freeze", "reason": ""}, "custodian")
    assert 'role="alert"' in refused.text
    frozen = page.post("/console/d/people/freeze", {"action": "freeze", "reason": "an audit"}, "custodian")
    assert frozen.status_code == 303
    assert "Frozen" in page.get("/console/d/people/keeping", "custodian").text
    assert "frozen" in page.ask(COUNT).text
    page.post("/console/d/people/freeze", {"action": "unfreeze"}, "custodian")
    assert "Charged 1 bit" in page.ask(COUNT).text


def test_requests_are_granted_and_refused(page):
    asked = {"bits": "2", "reason": "<b>for the thesis</b>", "about": "budget"}
    header = {"authorization": f"Bearer {page.tokens['analyst']}"}
    numbers = [
        page.client.post("/datasets/people/requests", json=asked, headers=header).json()["number"] for _ in range(2)
    ]
    listed = page.get("/console/d/people/waiting", "custodian").text
    assert "&lt;b&gt;for the thesis" in listed
    assert "<b>" not in listed
    granted = page.post(f"/console/d/people/waiting/{numbers[0]}", {"action": "grant", "bits": "1"}, "custodian")
    assert granted.status_code == 303
    assert page.get("/datasets/people/status", "custodian").json()["budget"] == 41
    without = page.post(f"/console/d/people/waiting/{numbers[1]}", {"action": "refuse", "reason": ""}, "custodian")
    assert 'role="alert"' in without.text
    kept = page.post(f"/console/d/people/waiting/{numbers[1]}", {"action": "grant", "bits": "a lot"}, "custodian")
    assert 'value="a lot"' in kept.text
    page.post(f"/console/d/people/waiting/{numbers[1]}", {"action": "refuse", "reason": "no"}, "custodian")
    assert "thesis" not in page.get("/console/d/people/waiting", "custodian").text
    assert 'role="alert"' in page.post("/console/d/people/waiting/77", {"action": "approve"}, "custodian").text
    assert 'role="alert"' in page.post("/console/d/people/waiting/77", {"action": "<i>"}, "custodian").text


def test_the_ledger_is_filtered(page):
    page.ask(COUNT)
    page.ask("SELECT COUNT(*) FROM people WHERE age > 7", "custodian")
    ledger = "/console/d/people/ledger"
    assert "1</a></th>" in page.get(f"{ledger}?analyst=the+analyst", "custodian").text
    assert "age &gt; 7" not in page.get(f"{ledger}?analyst=the+analyst", "custodian").text
    assert "age &gt; 7" in page.get(f"{ledger}?text=AGE", "custodian").text
    assert "smoker" not in page.get(f"{ledger}?text=AGE", "custodian").text
    assert "No question matches" in page.get(f"{ledger}?sort=copy", "custodian").text
    assert page.get(f"{ledger}?sort=nonsense&text=%3Cscript%3E", "custodian").text.count("<script>") == 0


def test_a_filter_says_nothing_about_texts_that_may_not_be_read(page):
    """Otherwise an analyst could guess the questions of others, word by word."""
    page.ask(COUNT, "custodian")
    for path in ("/console/d/people/ledger?text={}", "/datasets/people/ledger?text={}"):
        right, wrong = (page.get(path.format(word)).text.replace(word, "") for word in ("smoker", "horses"))
        assert right == wrong
    assert "smoker" in page.get("/datasets/people/ledger?text=SMOKER", "auditor").text


def test_long_searches_go_on_from_page_to_page(page, monkeypatch):
    from noiseless.app.service import finding

    monkeypatch.setattr(finding, "LOOKED", 3)
    for age in range(8):
        page.ask(f"SELECT COUNT(*) FROM people WHERE age > {age}", "custodian" if age == 0 else "analyst")
    path, seen = "/datasets/people/ledger?analyst=the custodian", []
    before = ""
    for _ in range(3):
        part = page.get(f"{path}{before}", "auditor").json()
        seen.append([each["number"] for each in part["questions"]])
        before = f"&before={part['next_before']}"
    assert seen == [[], [], [1]]
    assert part["next_before"] is None


def test_the_budget_over_time(page):
    page.ask(COUNT)
    page.ask("SELECT COUNT(*) FROM people WHERE age > 30 AND region = 'north'")
    found = page.get("/datasets/people/spending", "auditor").json()
    assert found[-1]["spent"] == {"north": 2.0, "south": 1.0}
    assert found[0]["spent"] == {"north": 0.0, "south": 0.0}
    assert found[-1]["budget"] == 40
    drawn = page.get("/console/d/people/spending", "auditor").text
    assert drawn.count('<svg class="chart"') == 1
    assert re.search(r'class="spent line1" d="M[\d.HV,]+"', drawn)


def test_quotas_over_http(tmp_path):
    with running(write(tmp_path)) as served:
        said = served.post("/datasets/people/quotas", {"name": "ada", "quota": 2}, "custodian")
        assert said.json() == [{"name": "ada", "bits": "2", "members": ["ada"]}]
        assert served.get("/datasets/people/quotas", "custodian").json() == said.json()
        for wrong in ({"name": "ada"}, {"name": "ada", "project_quota": 1}):
            assert served.post("/datasets/people/quotas", wrong, "custodian").status_code == 422


def test_what_is_on_hold_is_not_spent(tmp_path):
    with console(write(tmp_path, budget=40, more=HOLD)) as page:
        page.ask(DEAR)
        page.client.post("/datasets/people/ask", json={"sql": DEAR}, headers=page.cookie() | ORIGIN)
        assert page.get("/datasets/people/status").json()["held"] == 1
        found = page.get("/datasets/people/spending", "auditor").json()
        assert found[-1]["spent"] == {"north": 0.0, "south": 0.0}


def test_a_hold_is_approved(tmp_path):
    with console(write(tmp_path, budget=40, more=HOLD)) as page:
        ask = {"authorization": f"Bearer {page.tokens['analyst']}"}
        held = page.client.post("/datasets/people/ask", json={"sql": DEAR}, headers=ask)
        assert held.status_code == 409
        number = held.json()["hold"]
        assert "GROUP BY age" in page.get("/console/d/people/waiting", "custodian").text
        assert page.post(f"/console/d/people/waiting/{number}", {"action": "approve"}, "custodian").status_code == 303
        assert "approved" in page.get("/console/d/people/waiting", "custodian").text
        done = page.client.post(f"/datasets/people/holds/{number}/collect", json={}, headers=ask)
        assert done.status_code == 200
