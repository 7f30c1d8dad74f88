"""Every route × every role: who gets in, who does not, and that nobody does without a valid token."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import APIRouter, FastAPI
from tests.app.service.small import COUNT, MEAN, running, token, write

import noiseless as nl
from noiseless.app.service.application import ROUTES
from noiseless.app.service.caller import allowed
from noiseless.app.service.reference import api_routes, document, roles_of
from noiseless.app.service.roles import ROLES
from noiseless.app.service.state import states_of
from noiseless.app.service.tokens import MARK, Tokens

ANALYST, AUDITOR, CUSTODIAN = {"analyst", "custodian"}, {"auditor", "custodian"}, {"custodian"}
EVERYBODY = {"analyst", "auditor", "custodian"}
D = "/datasets/{dataset}"
MAY: dict[str, set[str]] = {
    "GET /datasets": EVERYBODY,
    f"GET {D}": EVERYBODY,
    f"GET {D}/schema": EVERYBODY,
    f"GET {D}/public": EVERYBODY,
    f"GET {D}/status": EVERYBODY,
    f"GET {D}/check": CUSTODIAN,
    f"POST {D}/preview": ANALYST,
    f"POST {D}/preview_batch": ANALYST,
    f"POST {D}/ask": ANALYST,
    f"POST {D}/deduce": ANALYST,
    f"POST {D}/batch": ANALYST,
    f"POST {D}/refine": ANALYST,
    f"GET {D}/questions/{{entry}}": ANALYST,
    f"GET {D}/plan": ANALYST,
    f"GET {D}/mock": ANALYST,
    f"POST {D}/mock/ask": ANALYST,
    f"GET {D}/ledger": EVERYBODY,
    f"GET {D}/ledger/verified": AUDITOR,
    f"GET {D}/spending": AUDITOR,
    f"GET {D}/quotas": CUSTODIAN,
    f"POST {D}/quotas": CUSTODIAN,
    f"GET {D}/certificates/{{entry}}": EVERYBODY,
    "POST /verify": EVERYBODY,
    "POST /verify/export": EVERYBODY,
    "POST /compare": EVERYBODY,
    f"POST {D}/copies/preview": CUSTODIAN,
    f"POST {D}/copies": CUSTODIAN,
    f"POST {D}/copies/utility": CUSTODIAN,
    f"POST {D}/copies/{{copy}}/audit": EVERYBODY,
    f"GET {D}/copies": EVERYBODY,
    f"GET {D}/copies/{{copy}}": EVERYBODY,
    f"GET {D}/copies/{{copy}}/certificate": EVERYBODY,
    f"POST {D}/designs": ANALYST,
    f"GET {D}/jobs": ANALYST,
    f"GET {D}/jobs/{{job}}": ANALYST,
    f"GET {D}/jobs/{{job}}/events": ANALYST,
    f"DELETE {D}/jobs/{{job}}": ANALYST,
    f"GET {D}/holds": EVERYBODY,
    f"POST {D}/holds/{{number}}/collect": ANALYST,
    f"GET {D}/requests": EVERYBODY,
    f"POST {D}/requests": ANALYST,
    f"POST {D}/decisions/{{number}}/withdraw": ANALYST,
    f"POST {D}/decisions/{{number}}/approve": CUSTODIAN,
    f"POST {D}/decisions/{{number}}/refuse": CUSTODIAN,
    f"POST {D}/decisions/{{number}}/grant": CUSTODIAN,
    f"POST {D}/freeze": CUSTODIAN,
    f"POST {D}/unfreeze": CUSTODIAN,
    f"GET {D}/rotations": EVERYBODY,
    f"GET {D}/export": AUDITOR,
    f"GET {D}/tokens": CUSTODIAN,
    f"POST {D}/tokens": CUSTODIAN,
    f"DELETE {D}/tokens/{{token}}": CUSTODIAN,
    f"GET {D}/published": EVERYBODY,
    f"POST {D}/published": ANALYST,
    f"DELETE {D}/published/{{entry}}": ANALYST,
    "GET /sources": CUSTODIAN,
    "GET /sources/columns": CUSTODIAN,
    "POST /sources/plan": CUSTODIAN,
    "POST /sources/declare": CUSTODIAN,
    "GET /metrics": AUDITOR,
}
FREE = {"GET /health", "GET /ready", "GET /docs", "GET /docs/style.css"}
FREE |= {"GET /published/{which}", "GET /published/{which}/certificate"}
ENDS = ("value", "lower", "upper")
ROUTERS = [each.router for each in ROUTES]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served")), rate=1_000_000) as found:
        yield found


def test_the_table_has_every_route():
    found = {f"{method} {route.path}" for route in api_routes(ROUTERS) for method in route.methods}
    assert found == MAY.keys() | FREE


@pytest.mark.parametrize("route", MAY)
def test_a_route_lets_its_roles_in_and_nobody_else(served, route):
    method, _, path = route.partition(" ")
    url = re.sub(r"\{(\w+)\}", lambda found: "people" if found[1] == "dataset" else "0", path)
    for role in ROLES:
        status = served.client.request(method, url, headers=served.tokens[role], json={}).status_code
        assert (status == 403) is (role not in MAY[route]), (role, status)
        assert status != 401
    for wrong in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {MARK}0_0"}):
        assert served.client.request(method, url, headers=wrong, json={}).status_code == 401


def test_a_route_without_a_role_is_refused():
    router = APIRouter()

    @router.get("/secret")
    async def secret() -> None: ...

    with pytest.raises(RuntimeError, match="/secret must say once who may use it"):
        document(FastAPI(), [router])
    assert roles_of(api_routes(ROUTERS)[2]) == sorted(EVERYBODY)
    assert allowed().roles == EVERYBODY


def test_tokens_that_are_wrong_expired_or_revoked(served):
    def status(header: dict[str, str]) -> int:
        return served.client.get("/datasets/people", headers=header).status_code

    good = served.tokens["analyst"]["Authorization"]
    flipped = good[:-1] + ("A" if good[-1] != "A" else "B")
    late = token(served.file, "late", expires=datetime.now(UTC) - timedelta(seconds=1))
    soon = token(served.file, "soon", expires=datetime.now(UTC) + timedelta(days=1))
    [(state, _)] = states_of([served.file])
    assert status(soon) == 200
    assert [each.name for each in Tokens(state).revoke("soon")] == ["soon"]
    state.close()
    wrong = [flipped, good.removeprefix("Bearer "), f"Basic {good[7:]}", good[:-5], f"Bearer {'é' * 40}", "Bearer a b"]
    assert [status({"Authorization": each.encode("latin-1")}) for each in wrong] == [401] * len(wrong)
    assert [status(late), status(soon)] == [401, 401]


def test_only_the_hash_of_a_token_is_stored(served):
    stored = b"".join(each.read_bytes() for each in served.file.parent.glob("noiseless.service.sqlite*"))
    secret = served.tokens["analyst"]["Authorization"].split("_", 2)[2]
    assert len(secret) == 43
    assert secret.encode() not in stored
    assert b"the analyst" in stored


def test_a_token_is_for_its_dataset_alone(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    first, second = write(tmp_path), write(tmp_path, "visits")
    third = write(tmp_path / "elsewhere", "trips")
    with running(first, second, third) as served:
        assert [each["name"] for each in served.get("/datasets").json()] == ["people"]
        other, unknown = served.get("/datasets/visits"), served.get("/datasets/unknown")
        assert (other.status_code, unknown.status_code) == (404, 404)
        assert other.json()["rule"].replace("visits", "unknown") == unknown.json()["rule"]
        trips = token(third, "ada")
        assert [each["name"] for each in served.client.get("/datasets", headers=trips).json()] == ["trips"]
        assert served.client.get("/datasets/trips", headers=trips).status_code == 200
        found = [served.client.get(f"/datasets/{name}", headers=trips) for name in ("people", "unknown")]
        assert [each.status_code for each in found] == [404, 404]
        assert found[0].text.replace("people", "unknown") == found[1].text


def test_analysts_do_not_see_the_texts_of_others(served):
    other = token(served.file, "bob")
    mine = served.ask(COUNT).json()["entry"]
    [listed] = served.get("/datasets/people/ledger").json()["questions"]
    [hidden] = served.client.get("/datasets/people/ledger", headers=other).json()["questions"]
    assert (listed["questions"], hidden["questions"]) == ([COUNT], None)
    assert {**listed, "questions": None} == hidden
    for path in (f"questions/{mine}", f"certificates/{mine}", "questions/77"):
        refused = served.client.get(f"/datasets/people/{path}", headers=other)
        assert refused.status_code == 404
        assert "smoker" not in refused.text
    refined = {"entry": mine, "error": 1}
    assert served.client.post("/datasets/people/refine", headers=other, json=refined).status_code == 404
    for role in ("auditor", "custodian"):
        assert served.get("/datasets/people/ledger", role).json()["questions"][0]["questions"] == [COUNT]
        assert served.get(f"/datasets/people/certificates/{mine}", role).status_code == 200


def test_a_deduction_does_not_show_the_questions_of_others(tmp_path):
    """Its proof lists the facts with their plans, so it is only for those who may see them all."""
    sql = "SELECT COUNT(*) FROM people WHERE smoker = 'no'"
    with running(write(tmp_path)) as served:
        served.ask(COUNT)
        mine = served.post("/datasets/people/deduce", {"sql": sql}).json()
        assert (mine["rows"], mine["facts"], mine["cost"]) == ([{"COUNT(*)": dict.fromkeys(ENDS, "171")}], [1], 0)
        certificate = nl.Certificate.from_json(json.dumps(mine["certificate"]))
        assert nl.verify(certificate).count == 1
        other = token(served.file, "bob")
        for path in ("deduce", "ask"):
            found = served.client.post(f"/datasets/people/{path}", headers=other, json={"sql": sql})
            assert (found.json()["rows"], found.json()["facts"]) == (mine["rows"], [1])
            assert found.json()["certificate"] is None
            assert "yes" not in found.text
        assert served.post("/datasets/people/deduce", {"sql": sql}, "custodian").json()["certificate"] is not None


def test_the_custodian_may_let_analysts_see_all_texts(tmp_path):
    with running(write(tmp_path, more="[service]\nshare_questions = true\n")) as served:
        entry = served.ask(MEAN, error=5).json()["entry"]
        other = token(served.file, "bob")
        assert served.client.get(f"/datasets/people/questions/{entry}", headers=other).json()["question"] == MEAN


def test_tokens_are_made_and_revoked_over_http(served):
    made = served.post("/datasets/people/tokens", {"name": "eve", "role": "auditor"}, "custodian").json()
    header = {"Authorization": f"Bearer {made['token']}"}
    assert served.client.get("/datasets/people/ledger", headers=header).status_code == 200
    listed = served.get("/datasets/people/tokens", "custodian").json()
    assert made["id"] in [each["id"] for each in listed]
    assert made["token"] not in str(listed)
    assert not served.client.delete(f"/datasets/people/tokens/{made['id']}", headers=served.tokens["custodian"]).json()[
        "valid"
    ]
    assert served.client.get("/datasets/people/ledger", headers=header).status_code == 401
    for never in ("2001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"):
        refused = served.post("/datasets/people/tokens", {"name": "eve", "quota": 1, "expires": never}, "custodian")
        assert (refused.status_code, refused.json()["next_step"]) == (422, "name a moment in between")
    assert served.get("/datasets/people/quotas", "custodian").json() == []
