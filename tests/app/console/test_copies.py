"""The pages of copies: previews, releases asked once more, audits, and designs."""

from __future__ import annotations

import re
import time

import pytest
from tests.app.console.pages import console
from tests.app.service.small import COUNT, write

COPIES = "/console/d/people/copies"
CHOSEN = {"bits": "6", "keep age": "yes", "weight age": "1", "intervals": "yes"}


@pytest.fixture
def page(tmp_path):
    with console(write(tmp_path, budget=40)) as open_console:
        yield open_console


def finished(page, path: str) -> str:
    for _ in range(600):
        text = page.get(path, "custodian").text
        if "This page looks again" not in text:
            return text
        time.sleep(0.1)
    raise AssertionError("the job did not end")


def test_a_copy_is_previewed_released_and_audited(page):
    response = page.post(COPIES, {**CHOSEN, "action": "preview"}, "custodian").text
    assert "the middle of its cell" in response
    assert "would be charged" in response
    compared = page.post(COPIES, {**CHOSEN, "action": "utility"}, "custodian").text
    assert "Compared with the table" in compared
    once = page.post(COPIES, {**CHOSEN, "action": "release"}, "custodian").text
    assert "Nothing has been spent" in once
    assert page.get("/datasets/people/ledger").json()["total"] == 0
    confirmed = re.search(r'name="confirmed" value="([^"]+)"', once)[1]
    begun = page.post(COPIES, {**CHOSEN, "action": "release", "confirmed": confirmed}, "custodian")
    assert begun.status_code == 303
    assert "200 rows" in finished(page, begun.headers["location"])
    listed = page.get(COPIES, "custodian").text
    audit = re.search(r'action="(/console/d/people/copies/\w+/audit)"', listed)[1]
    found = page.post(audit, {"quasi": "age", "sensitive": "region"}, "custodian").text
    assert "k = " in found
    assert 'role="alert"' in page.post(audit, {"quasi": "<i>", "sensitive": ""}, "custodian").text
    copy = audit.split("/")[-2]
    over_http = page.get(f"/datasets/people/copies/{copy}", "auditor")
    assert over_http.status_code == 200


def test_a_copy_that_cannot_be_is_refused_and_what_was_chosen_stays(page):
    for wrong in ({"bits": ""}, {"bits": "x"}, {"bits": "6", "keep nothing": "yes"}):
        found = page.post(COPIES, {**wrong, "keep age": "yes", "action": "release"}, "custodian").text
        assert 'role="alert"' in found or "the budget does not allow it" in found
    hostile = page.post(COPIES, {"bits": "6", "keep <script>": "yes", "action": "preview"}, "custodian").text
    assert '<script>"' not in hostile
    assert page.post("/console/d/people/copies/../../x/audit", {}, "custodian").status_code == 404
    assert (
        page.post("/console/d/people/copies/..%2F..%2Fpeople/audit", {"quasi": "age"}, "custodian").status_code == 404
    )


def test_a_design_is_looked_for(page):
    refused = page.post("/console/d/people/designs", {"questions": "SELECT x FROM people; y"}, "custodian").text
    assert 'role="alert"' in refused
    assert "SELECT x FROM people; y" in refused
    begun = page.post("/console/d/people/designs", {"questions": f"{COUNT};", "bits": "4"}, "custodian")
    assert begun.status_code == 303
    assert "error then" in finished(page, begun.headers["location"])
