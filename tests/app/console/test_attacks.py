"""What somebody may try on the console with a browser, a link or a token of a small role."""

from __future__ import annotations

import re

import pytest
from tests.app.console.pages import ORIGIN, console
from tests.app.service.small import COUNT, token, write

from noiseless.app.console.session import NAME

BACK = "/console/d/people"


@pytest.fixture
def page(tmp_path):
    with console(write(tmp_path, budget=40)) as running:
        yield running


def test_no_response_of_the_console_can_be_framed_or_kept(page):
    """Refusals and pages for strangers, too."""
    for path, role in (
        ("/console", None),
        ("/console/sign-in", None),
        ("/console/nothing", "analyst"),
        ("/console/d/people/keeping", "analyst"),
        ("/console/d/people/ledger?before=x", "analyst"),
        ("/console/published/nothing", None),
        ("/console/docs/nothing", None),
    ):
        headers = page.get(path, role).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["cache-control"] == "no-store", path
        assert headers["x-content-type-options"] == "nosniff", path


def test_the_cookie_is_for_tls_only_behind_tls(page):
    form = {"token": page.tokens["analyst"], "back": BACK}
    for sent, secure in (({}, False), ({"x-forwarded-proto": "https"}, True)):
        cookie = page.post("/console/sign-in", form, None, headers=ORIGIN | sent).headers["set-cookie"].lower()
        assert ("secure" in cookie) == secure
        assert "domain=" not in cookie
        assert "expires=" not in cookie


def test_nobody_is_signed_in_with_a_session_that_another_site_chose(page):
    """A form of another site cannot sign anyone in, nor can a token in an address. A planted cookie is ignored."""
    form = {"token": page.tokens["analyst"], "back": BACK}
    for origin in ({}, {"origin": "https://elsewhere.example"}, {"origin": "null"}):
        found = page.post("/console/sign-in", form, None, headers=origin)
        assert (found.status_code, "set-cookie" in found.headers) == (401, False)
    found = page.get(f"/console/sign-in?token={page.tokens['analyst']}&back=https://elsewhere.example", None)
    assert page.tokens["analyst"] not in found.text
    assert "elsewhere" not in found.text
    planted = page.client.get(BACK, headers={"cookie": f"{NAME}=chosen"})
    assert planted.status_code == 401
    assert "chosen" not in planted.text


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://elsewhere.example/console/x",
        "//elsewhere.example",
        "javascript:alert(1)",
        "/console/\\elsewhere.example",
    ],
)
def test_after_signing_in_nobody_is_sent_elsewhere(page, elsewhere):
    """Neither the field of the form nor the Referer of a browser leads to another site."""
    found = page.post("/console/sign-in", {"token": page.tokens["analyst"], "back": elsewhere}, None)
    assert found.headers["location"] == "/console"
    ended = page.post(BACK, {"sql": COUNT, "action": "ask"}, None, headers=ORIGIN | {"referer": elsewhere})
    back = re.search(r'name="back" value="([^"]*)"', ended.text)[1]
    assert back.startswith("/console")
    assert "elsewhere" not in back


def test_a_token_for_one_dataset_does_nothing_to_another(tmp_path, page):
    """A custodian of one dataset sees and changes nothing of another on the same server."""
    other = tmp_path / "other"
    other.mkdir()
    with console(write(other, "others", budget=40)) as second:
        second.tokens["stranger"] = page.tokens["custodian"]
        for path in ("", "/keeping", "/waiting", "/ledger", "/copies", "/published", "/answers/1", "/about"):
            assert second.get(f"/console/d/others{path}", "stranger").status_code == 401, path
    mine = token(page.file, "Carl", "custodian")["Authorization"].split()[1]
    page.tokens["Carl"] = mine
    for role in ("analyst", "auditor"):
        made = page.post("/console/d/people/tokens", {"name": "x", "role": "custodian"}, role)
        assert made.status_code == 403
        assert page.post(f"/console/d/people/tokens/{mine.split('_')[1]}/revoke", {}, role).status_code == 403
    assert page.get("/console/d/people/keeping", "Carl").status_code == 200


def test_what_the_check_finds_is_for_custodians_only(page):
    """It says how many values are missing or clamped. No page of others repeats it, also after it was made."""
    said = page.post("/console/d/people/check", {}, "custodian").text
    verdict = re.search(r"<strong>(The table[^<]*)</strong>", said)[1]
    for role in ("analyst", "auditor"):
        assert page.post("/console/d/people/check", {}, role).status_code == 403
        for path in ("", "/about", "/ledger", "/spending", "/published"):
            assert verdict not in page.get(f"/console/d/people{path}", role).text


def test_files_are_texts_whatever_is_in_them(page):
    """A download is never shown by the browser as a page."""
    page.ask('SELECT COUNT(*) AS "<script>alert(1)</script>" FROM people WHERE age > 50')
    for form in ("csv", "arrow", "json"):
        found = page.get(f"/console/d/people/answers/1/{form}")
        assert found.headers["content-disposition"].startswith("attachment;"), form
        assert found.headers["x-content-type-options"] == "nosniff", form
        assert "html" not in found.headers["content-type"], form
