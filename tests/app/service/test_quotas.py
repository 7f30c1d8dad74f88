"""The quota of a token is what the ledger enforces."""

from __future__ import annotations

import json

import pytest
from tests.app import running as commands
from tests.app.service.small import running, token, write


def add(file, name: str, *words: object) -> dict[str, str]:
    made = commands.run("keys", "add", name, "--dataset", file, "--json", *words)
    assert made.returncode == 0, made.stderr
    return {"Authorization": f"Bearer {json.loads(made.stdout)['token']}"}


def counts(served, header: dict[str, str], *ages: int) -> list[int]:
    asked = [f"SELECT COUNT(*) FROM people WHERE age >= {age}" for age in ages]
    posted = [served.client.post("/datasets/people/ask", json={"sql": sql}, headers=header) for sql in asked]
    return [each.status_code for each in posted]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"), budget=30)) as found:
        yield found


def test_an_analyst_spends_their_quota_and_no_more(served):
    ada, bob = add(served.file, "ada", "--quota", 2), token(served.file, "bob")
    assert counts(served, ada, 10, 20, 30, 10) == [200, 200, 402, 200]
    assert counts(served, bob, 30, 31, 32) == [200] * 3
    refused = served.client.post(
        "/datasets/people/ask", json={"sql": "SELECT COUNT(*) FROM people WHERE age >= 33"}, headers=ada
    )
    assert "quota of 'ada'" in refused.json()["rule"]
    quotas = served.client.get("/datasets/people/status", headers=ada).json()["quotas"]
    assert quotas == [{"name": "ada", "spent": 2.0, "left": 0.0}]
    assert served.client.get("/datasets/people/status", headers=bob).json()["quotas"] == []
    add(served.file, "ada", "--quota", 3)  # while the server runs
    assert counts(served, ada, 33, 34) == [200, 402]


def test_members_of_a_project_share_its_quota(served):
    made = [{"name": name, "project": "climate", "project_quota": "2"} for name in ("eve", "kim")]
    tokens = [served.post("/datasets/people/tokens", each, "custodian").json()["token"] for each in made]
    eve, kim = ({"Authorization": f"Bearer {each}"} for each in tokens)
    assert [*counts(served, eve, 50), *counts(served, kim, 51, 52), *counts(served, eve, 53)] == [200, 200, 402, 402]
    [shared] = served.client.get("/datasets/people/status", headers=kim).json()["quotas"]
    assert shared == {"name": "project climate", "spent": 2.0, "left": 0.0}


def test_a_copy_counts_for_the_quota_of_its_custodian(tmp_path):
    file = write(tmp_path)
    boss = add(file, "boss", "--role", "custodian", "--quota", 1)
    with running(file) as served:
        job = served.client.post("/datasets/people/copies", json={"bits": 5}, headers=boss).json()["id"]
        with served.client.stream("GET", f"/datasets/people/jobs/{job}/events", headers=boss) as stream:
            last = json.loads([line for line in stream.iter_lines() if line.startswith("data: ")][-1][6:])
    assert (last["state"], "quota of 'boss'" in last["problem"]["rule"]) == ("failed", True)


def test_wrong_quotas_are_refused_and_nothing_is_made(served):
    for wrong in ({"quota": "much"}, {"quota": -1}, {"project_quota": 1}, {"project": "p", "project_quota": -1}):
        assert served.post("/datasets/people/tokens", {"name": "max"} | wrong, "custodian").status_code == 422
    assert "max" not in [each["name"] for each in served.get("/datasets/people/tokens", "custodian").json()]
