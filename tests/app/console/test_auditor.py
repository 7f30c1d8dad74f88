"""The auditor's pages: a certificate or a ledger in words, two tables compared, answers that anyone may open."""

from __future__ import annotations

import base64
import json

import pytest
from tests.app.console.pages import ORIGIN, console
from tests.app.service.small import COUNT, running, token, write

from noiseless.app.console.uploads import parts_of
from noiseless.app.service.problems import Problem

ONE, TWO = "town,n\na,1\na,1\nb,2\n", "town,n\na,1\nb,2\n"


@pytest.fixture
def page(tmp_path):
    with console(write(tmp_path, budget=40)) as open_console:
        yield open_console


def upload(page, path: str, files: dict[str, bytes], role: str = "auditor", **texts: str):
    page.client.cookies.clear()
    sent = {name: ("x", content) for name, content in files.items()}
    return page.client.post(path, data=texts, files=sent, headers=ORIGIN | page.cookie(role))


def test_a_whole_ledger_is_verified_in_words(page):
    page.ask(COUNT)
    export = page.get("/datasets/people/export", "auditor").content
    good = upload(page, "/console/verify", {"file": export}).text
    assert "none was changed or left out" in good
    assert "1 certificates" in good
    assert page.client.post(
        "/verify/export",
        json={"export": export.decode()},
        headers=page.cookie("auditor") | ORIGIN,
    ).json() == {
        "dataset": json.loads(export.splitlines()[0])["dataset"],
        "entries": len(export.splitlines()) - 2,
        "certificates": 1,
        "uncertified": [],
        "signed": False,
        "signed_by": "",
        "trusted": False,
    }
    changed = export.replace(b"the analyst", b"somebody else")
    assert 'role="alert"' in upload(page, "/console/verify", {"file": changed}).text
    assert "not a certificate" in upload(page, "/console/verify", {"file": b"\xff\x00<script>"}).text
    cut = b"\n".join(export.splitlines()[:2])
    assert "Unsigned: its end may have been cut off" in upload(page, "/console/verify", {"file": cut}).text


def test_files_may_be_larger_for_those_who_are_known(tmp_path):
    body = {"export": "x" * 3000}
    with running(write(tmp_path), largest_body=1000, largest_upload=10_000) as served:
        assert served.client.post("/verify/export", json=body).status_code == 413
        assert served.post("/verify/export", body).status_code == 422
        assert served.post("/verify/export", {"export": "x" * 20_000}).status_code == 413
        assert served.post("/datasets/people/ask", {"sql": "x" * 3000}).status_code == 413


def test_two_tables_are_compared(page):
    found = upload(page, "/console/compare", {"one": ONE.encode(), "two": TWO.encode()}).text
    assert "1 of them by a single row" in found
    again = upload(page, "/console/compare", {"one": ONE.encode(), "two": TWO.encode()}, same_order="yes").text
    assert "not the same people row by row" in again
    for wrong in ({"one": b"", "two": b"x"}, {"one": b"PAR1nonsense", "two": b"x"}):
        refused = upload(page, "/console/compare", wrong).text
        assert 'role="alert"' in refused
        assert "/tmp" not in refused
        assert "/dev/shm" not in refused
    hostile = "<script>alert(1)</script>,n\n<img src=x>,1\n"
    text = upload(page, "/console/compare", {"one": hostile.encode(), "two": hostile.encode() + b"y,2\n"}).text
    assert "<script>alert" not in text
    assert "<img" not in text


def test_two_tables_over_http(tmp_path):
    one, two = ({"format": "csv", "base64": base64.b64encode(each.encode()).decode()} for each in (ONE, TWO))
    with running(write(tmp_path)) as served:
        found = served.post("/compare", {"one": one, "two": two}, "auditor").json()
        assert (found["common"], found["by_one"], found["shown"][0]["values"]) == (2, 1, {"town": "a", "n": "1"})
        wrong = served.post("/compare", {"one": one, "two": {"format": "csv", "base64": "%"}})
        assert wrong.json()["rule"] == "base64 is not valid base64"


def test_both_must_agree_to_publish(page):
    page.ask(COUNT)
    path = "/console/d/people/published"
    assert page.post(path, {"entry": "1"}, "analyst").status_code == 303
    assert "not public" in page.get(path, "analyst").text
    assert page.get("/datasets/people/published", "auditor").json()[0]["id"] is None
    assert page.post(path, {"entry": "1"}, "custodian").status_code == 303
    [agreed] = page.get("/datasets/people/published", "auditor").json()
    address = agreed["id"]
    seen = page.get(f"/console/published/{address}", None)
    assert seen.status_code == 200
    assert "recomputed from the certificate" in seen.text
    assert "29" in seen.text
    assert page.get(f"/published/{address}", None).json()["question"] == COUNT
    certificate = page.get(f"/published/{address}/certificate", None)
    assert "smoker" in certificate.json()["content"]["question"]
    for role in ("analyst", "custodian"):
        assert page.post(f"{path}/1/end", {"place": "0"}, role).status_code == 303
        for where in (f"/console/published/{address}", f"/published/{address}", f"/published/{address}/certificate"):
            assert page.get(where, None).status_code == 404
        for other in ("analyst", "custodian"):
            page.post(path, {"entry": "1"}, other)
        [agreed] = page.get("/datasets/people/published", "auditor").json()
        assert agreed["id"] not in (None, address)
        address = agreed["id"]


def test_nobody_publishes_the_answers_of_others(page):
    page.ask(COUNT)
    page.tokens["bob"] = token(page.file, "bob")["Authorization"].split()[1]
    for entry in ("1", "7", "x", "", "-1", "9" * 30):
        refused = page.post("/console/d/people/published", {"entry": entry}, "bob")
        assert 'role="alert"' in refused.text, entry
    assert page.post("/console/d/people/published/1/end", {"place": "0"}, "bob").status_code == 404
    page.post("/console/d/people/published", {"entry": "1"}, "custodian")
    assert page.get("/datasets/people/published", "bob").json() == []
    assert page.get("/datasets/people/published", "custodian").json()[0]["asker"] == ""
    assert page.get("/console/published/nothing", None).status_code == 404


def test_a_custodian_who_asked_agrees_as_both(page):
    page.ask(COUNT, "custodian")
    page.post("/console/d/people/published", {"entry": "1"}, "custodian")
    [agreed] = page.get("/datasets/people/published", "analyst").json()
    assert agreed["id"] is not None


def test_a_proof_that_shows_questions_of_others_is_not_published(page):
    page.ask(COUNT, "custodian")
    page.ask("SELECT COUNT(*) FROM people WHERE smoker = 'no'")
    entries = page.get("/datasets/people/ledger", "custodian").json()
    for number in range(1, entries["total"] + 1):
        page.post("/console/d/people/published", {"entry": str(number)}, "analyst")
        page.post("/console/d/people/published", {"entry": str(number)}, "custodian")
    for agreed in page.get("/datasets/people/published", "custodian").json():
        if agreed["id"] is not None and agreed["entry"] > 1:
            assert "'yes'" not in json.dumps(page.get(f"/published/{agreed['id']}", None).json())


class Sent:
    """A request with a body."""

    def __init__(self, kind: str, body: bytes) -> None:
        self.headers, self._body = {"content-type": kind}, body

    async def body(self) -> bytes:
        return self._body


@pytest.mark.parametrize("content", [b"", b"\r\n", b"a\rb\nc\r\n\r\n--", bytes(range(256)), b"\r\n--BX\r"])
def test_files_arrive_byte_for_byte(content):
    import asyncio

    head = (
        b'--B\r\nContent-Disposition: form-data; name="one"; filename="\xc3\xa9.csv"\r\nContent-Type: text/csv\r\n\r\n'
    )
    body = head + content + b"\r\n--B--\r\n"
    if b"\r\n--B" in content:
        return
    assert asyncio.run(parts_of(Sent("multipart/form-data; boundary=B", body))) == {"one": content}


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "multipart/form-data; boundary=\xe9", ""])
def test_other_forms_are_refused(kind):
    import asyncio

    with pytest.raises(Problem):
        asyncio.run(parts_of(Sent(kind, b"--B--")))
    with pytest.raises(Problem):
        asyncio.run(parts_of(Sent("multipart/form-data; boundary=B", b"--B\r\nno end")))
