"""Pages of the console without a browser: roles, cookies, forms, and what hostile texts do."""

from __future__ import annotations

import json
import re
from html import escape as escaped
from html import unescape
from pathlib import Path

import pytest
from tests.app.console.pages import ORIGIN, console
from tests.app.service.small import COUNT, SCHEMA, write

from noiseless.app.console.building import Chosen, built
from noiseless.app.console.console import HOME
from noiseless.app.console.console import PAGES as WITH_ROUTES
from noiseless.app.console.documents import html, read
from noiseless.app.service.reference import api_routes
from noiseless.app.service.roles import ROLES
from noiseless.errors import NoiselessError

PACKAGED = re.findall(
    r'"docs/(\w+)\.md" = ', (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
)
HOSTILE = "<script>alert(1)</script>\"'&"
OPEN = ("/console/sign-in", "/console/docs/{name}")
PAGES: dict[str, tuple[str, ...]] = {
    "/console": ROLES,
    "/console/verify": ROLES,
    "/console/compare": ROLES,
    "/console/new": ("custodian",),
    "/console/d/people": ("analyst", "custodian"),
    "/console/d/people/build?function=COUNT": ("analyst", "custodian"),
    "/console/d/people/basket": ("analyst", "custodian"),
    "/console/d/people/ledger": ROLES,
    "/console/d/people/about": ROLES,
    "/console/d/people/keeping": ("custodian",),
    "/console/d/people/waiting": ("custodian",),
    "/console/d/people/published": ROLES,
    "/console/d/people/copies": ("custodian",),
    "/console/d/people/spending": ("auditor", "custodian"),
}
FORMS: dict[str, tuple[str, ...]] = {
    "/console/d/people": ("analyst", "custodian"),
    "/console/d/people/live": ("analyst", "custodian"),
    "/console/d/people/basket": ("analyst", "custodian"),
    "/console/d/people/answers/1": ("analyst", "custodian"),
    "/console/d/people/tokens": ("custodian",),
    "/console/d/people/tokens/none/revoke": ("custodian",),
    "/console/d/people/check": ("custodian",),
    "/console/d/people/quotas": ("custodian",),
    "/console/d/people/freeze": ("custodian",),
    "/console/d/people/copies": ("custodian",),
    "/console/d/people/designs": ("custodian",),
    "/console/d/people/copies/1/audit": ("custodian",),
    "/console/d/people/published": ("analyst", "custodian"),
    "/console/d/people/published/1/end": ("analyst", "custodian"),
    "/console/d/people/waiting/1": ("custodian",),
    "/console/verify": ROLES,
    "/console/compare": ROLES,
    "/console/new": ("custodian",),
}

GIVEN = {
    "dataset": "people",
    "entry": "1",
    "form": "csv",
    "token": "none",
    "number": "1",
    "copy": "1",
    "job": "1",
}
"""What stands in the paths of pages."""


@pytest.fixture
def page(tmp_path):
    with console(write(tmp_path, budget=40)) as running:
        yield running


def test_every_page_is_for_its_roles(page):
    for path, roles in PAGES.items():
        assert page.get(path, None).status_code == 401, path
        for role in ROLES:
            found = page.get(path, role).status_code
            assert found == (200 if role in roles else 403), (path, role, found)
    for path, roles in FORMS.items():
        assert page.post(path, {}, None).status_code == 401, path
        for role in set(ROLES) - set(roles):
            assert page.post(path, {}, role).status_code == 403, (path, role)


def test_no_route_was_forgotten(page):
    routes = api_routes(each.router for each in WITH_ROUTES)
    assert len(routes) > len(PAGES)
    walked = {
        *OPEN,
        "/console/published/{which}",
        "/console/sign-in/issuer",
        "/console/sign-in/back",
        "/console/d/people/jobs/1",
        "/console/sign-out",
        "/console/d/people/answers/1/csv",
    }
    walked |= {path.partition("?")[0] for path in (*PAGES, *FORMS)}
    for each in routes:
        path = f"{HOME}{each.path}"
        for name, value in GIVEN.items():
            path = path.replace(f"{{{name}}}", value)
        assert path in walked, path


def test_every_page_forbids_what_is_not_ours(page):
    for path in PAGES:
        headers = page.get(path, "custodian").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        text = page.get(path, "custodian").text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text), path
        assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", text), path


def test_every_promise_leads_to_its_page(page):
    """The page of the documentation that the foot of a page names is there, without signing in."""
    for path in [*PAGES, *OPEN[:1]]:
        target = re.search(r'<a href="(/console/docs/[a-z_]+)">What this rests on', page.get(path, "custodian").text)[1]
        found = page.get(target, None)
        assert (found.status_code, "<h1" in found.text) == (200, True), path
    for name in ("nothing", "..%2Findex", "decisions/0039-console", "index.md"):
        assert page.get(f"/console/docs/{name}", None).status_code == 404, name


def test_pages_of_the_documentation_are_safe():
    shown = html(
        f"# A {HOSTILE}\n\n[x](javascript:alert(1)) [y](https://elsewhere.example) ![z](https://e.example/z.png)"
    )
    assert "<script" not in shown
    assert "href" not in shown
    assert "<img" not in shown
    assert 'href="sql#where"' in html("[x](sql.md#where)")
    missing = [name for name in PACKAGED if read(name) is None]
    assert not missing


def test_a_token_becomes_a_cookie_that_scripts_cannot_read(page):
    for token, status in ((page.tokens["analyst"], 303), ("noiseless_x_y", 401), ("", 401)):
        found = page.post("/console/sign-in", {"token": token, "back": "/console/d/people"}, None)
        assert found.status_code == status
        cookie = found.headers.get("set-cookie", "").lower()
        assert ("httponly" in cookie and "samesite=strict" in cookie) == (status == 303)
    assert found.text.count("not valid here") == 1
    for back in ("https://elsewhere.example", "//elsewhere.example", "/console/..//x", "/console/\\x", ""):
        target = page.post("/console/sign-in", {"token": page.tokens["analyst"], "back": back}, None)
        assert target.headers["location"] == "/console", back
    out = page.post("/console/sign-out", {}, "analyst")
    assert 'noiseless_session=""' in out.headers["set-cookie"]


def test_other_sites_can_send_nothing(page):
    """The cookie does not sign in a form of another site, nor a request of the API."""
    for origin in ({}, {"origin": "https://elsewhere.example"}, {"origin": "null"}):
        assert page.post("/console/d/people", {"sql": COUNT, "action": "ask"}, headers=origin).status_code == 401
        sent = page.client.post("/datasets/people/ask", json={"sql": COUNT}, headers=origin | page.cookie())
        assert sent.status_code == 401
    assert page.get("/datasets/people/ledger").json()["total"] == 0


def test_ask_without_scripts(page):
    response = page.post("/console/d/people", {"sql": COUNT, "action": "preview"})
    assert "What it would cost" in response.text
    assert "1 bit" in response.text
    asked = page.ask(COUNT)
    assert "Charged 1 bit" in asked.text
    assert "Question 1 of the ledger" in asked.text
    assert "29" in asked.text
    again = page.ask(COUNT)
    assert "Nothing was charged" in again.text
    assert page.get("/console/d/people/answers/1").status_code == 200
    follows = page.post(
        "/console/d/people", {"sql": "SELECT COUNT(*) FROM people WHERE smoker = 'no'", "action": "deduce"}
    )
    assert "171" in follows.text


def test_a_dear_question_is_asked_for_once_more(page):
    sql = "SELECT age, COUNT(*) FROM people GROUP BY age"
    first = page.ask(sql)
    assert "Nothing has been spent" in first.text
    confirmed = re.search(r'name="confirmed" value="([^"]+)"', first.text)[1]
    assert "Nothing has been spent" in page.ask(sql, confirmed="1").text
    assert "Charged" in page.ask(sql, confirmed=confirmed).text
    assert page.get("/console/d/people/ledger").text.count("<code>SELECT age") == 1


def test_a_refusal_keeps_what_was_typed(page):
    sql = f"SELECT AVG(nothing) FROM people WHERE x = '{HOSTILE}'"
    found = page.ask(sql)
    assert found.status_code == 200
    assert 'role="alert"' in found.text
    assert HOSTILE not in found.text
    assert "&lt;script&gt;" in found.text
    too_dear = page.post(
        "/console/d/people", {"sql": "SELECT AVG(age) FROM people", "precision": "bits", "amount": "50"}
    )
    assert "budget" in too_dear.text.lower()


def test_hostile_texts_are_texts(page):
    made = page.post("/console/d/people/tokens", {"name": HOSTILE, "role": "analyst"}, "custodian")
    assert made.status_code == 200
    assert HOSTILE not in made.text
    assert "&lt;script&gt;" in made.text
    labelled = page.ask(f'SELECT COUNT(*) AS "{HOSTILE.replace(chr(34), "")}" FROM people WHERE age > 50')
    assert "<script>alert" not in labelled.text
    assert "<script>alert" not in page.get("/console/d/people/ledger", "custodian").text
    for form in ({"name": "", "role": "analyst"}, {"name": "x", "role": "god"}, {"name": "x", "days": "-1"}):
        assert page.post("/console/d/people/tokens", form, "custodian").status_code == 422
    kind = {"content-type": "application/x-www-form-urlencoded"}
    broken = page.client.post("/console/d/people", content=b"\xff=%", headers=ORIGIN | page.cookie() | kind)
    assert broken.status_code in (200, 422)
    assert page.client.post("/console/verify", json={}, headers=ORIGIN | page.cookie()).status_code == 415


def test_analysts_do_not_read_the_questions_of_others(page):
    page.ask(COUNT, "custodian")
    assert "smoker" not in page.get("/console/d/people/ledger", "analyst").text
    assert "another analyst" in page.get("/console/d/people/ledger", "analyst").text
    assert page.get("/console/d/people/answers/1", "analyst").status_code == 404
    assert "smoker" in page.get("/console/d/people/ledger", "auditor").text


def test_tokens_are_made_shown_once_and_revoked(page):
    made = page.post("/console/d/people/tokens", {"name": "Bob", "role": "analyst", "days": "7"}, "custodian").text
    text = re.search(r"noiseless_[0-9a-f]+_[\w-]+", made)[0]
    assert text not in page.get("/console/d/people/keeping", "custodian").text
    page.tokens["Bob"] = text
    assert page.get("/console/d/people", "Bob").status_code == 200
    page.post(f"/console/d/people/tokens/{text.split('_')[1]}/revoke", {}, "custodian")
    gone = page.get("/console/d/people", "Bob")
    assert gone.status_code == 401
    assert "session has ended" in gone.text
    assert page.post("/console/d/people/tokens/none/revoke", {}, "custodian").status_code == 404


def test_verify_says_what_is_wrong(page):
    page.ask(COUNT)
    certificate = page.get("/datasets/people/certificates/1").json()
    good = page.post("/console/verify", {"certificate": json.dumps(certificate)})
    assert "recomputed, and correct" in good.text
    certificate["content"]["count"] = "1"
    assert "the certificate is wrong" in page.post("/console/verify", {"certificate": json.dumps(certificate)}).text
    for text in ("", "/etc/passwd", "{", "[]"):
        assert "not a certificate" in page.post("/console/verify", {"certificate": text}).text


def test_the_check_is_for_the_custodian(page):
    found = page.post("/console/d/people/check", {}, "custodian")
    assert found.status_code == 200
    assert "<pre>" in found.text


@pytest.mark.parametrize(
    ("given", "sql"),
    [
        ({}, "SELECT COUNT(*)\nFROM people"),
        (
            {"function": "AVG", "column": "age", "group": "region", "where": "smoker", "sign": "=", "value": "yes"},
            "SELECT region, AVG(age)\nFROM people\nWHERE smoker = 'yes'\nGROUP BY region",
        ),
        ({"where": "age", "sign": "<", "value": "50"}, "SELECT COUNT(*)\nFROM people\nWHERE age < 50"),
        ({"where": "smoker", "sign": "=", "value": "o'"}, "SELECT COUNT(*)\nFROM people\nWHERE smoker = 'o'''"),
    ],
)
def test_questions_are_built(given, sql):
    assert built(Chosen.of({name: [text] for name, text in given.items()}), SCHEMA, "people") == sql


@pytest.mark.parametrize("given", [{"column": "x"}, {"function": "DROP"}, {"sign": "OR"}, {"function": "AVG"}])
def test_only_what_the_form_offers_is_built(given):
    with pytest.raises(NoiselessError):
        built(Chosen.of({name: [text] for name, text in {"where": "age", **given}.items()}), SCHEMA, "people")


def escape(text: str) -> str:
    """As the templates write it."""
    return escaped(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def test_a_session_that_ends_keeps_the_question(page):
    """Also without scripts: the sign-in page carries it, and after signing in one click goes on."""
    sql = f"SELECT COUNT(*) FROM people WHERE smoker = '{HOSTILE}'"
    form = {"sql": sql, "precision": "error", "amount": "2", "action": "ask"}
    ended = page.post("/console/d/people", form, None)
    assert ended.status_code == 401
    assert HOSTILE not in ended.text
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', ended.text))
    assert hidden.keys() == {"back", "sql", "precision", "amount"}
    back = {name: unescape(text) for name, text in hidden.items()}
    assert back["sql"] == sql
    wrong = page.post("/console/sign-in", {**back, "token": "noiseless_x_y"}, None)
    assert escape(sql) in wrong.text
    signed_in = page.post("/console/sign-in", {**back, "token": page.tokens["analyst"]}, None)
    assert signed_in.status_code == 200
    assert "httponly" in signed_in.headers["set-cookie"].lower()
    assert 'action="/console/d/people"' in signed_in.text
    assert 'value="ask"' not in signed_in.text
    on = page.post("/console/d/people", {**back, "action": "preview"})
    assert escape(sql) in on.text
    elsewhere = page.post("/console/d/people", form, None, headers={"origin": "https://elsewhere.example"})
    assert "smoker" not in elsewhere.text


def test_what_does_not_fit_is_said_on_a_page(page):
    for path, status in (
        ("/console/d/people/ledger?before=x", 422),
        ("/console/nothing", 404),
        ("/console/d/none", 404),
    ):
        found = page.get(path, "custodian")
        assert (found.status_code, "<h1>That did not work" in found.text) == (status, True), path
