"""Views over HTTP: each has its own ledger, in which its questions, holds and proofs are found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.app.service.small import listening, running, token

import noiseless as nl
from noiseless.curator.certificate.keys import PrivateKey

DECLARED = """source = "trips.parquet"
budget = 60
[unit]
column = "who"
rows = 3
order_by = "day"
[columns.day]
kind = "public"
[columns.km]
kind = "integer"
low = 0
high = 100
[per_person.homes]
total = "SUM(km)"
"""
MEAN, MEDIAN = "SELECT AVG(total) FROM homes", "SELECT MEDIAN(total) FROM homes"
VIEW = "?view=homes"


def write(folder: Path, more: str = "") -> Path:
    rows = range(60)
    table = {"who": [f"p{k // 3}" for k in rows], "day": [k % 3 for k in rows], "km": [k * 37 % 101 for k in rows]}
    pq.write_table(pa.table(table), folder / "trips.parquet")
    file = folder / "trips.toml"
    file.write_text(DECLARED + more, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"), "[policy]\nhold_above = 4\n"), rate=1_000_000) as found:
        yield found


def ask(served, sql: str, role: str, bits: int = 2, path: str = "ask"):
    return served.post(f"/datasets/trips/{path}", {"sql": sql, **({"bits": bits} if path == "ask" else {})}, role)


def test_a_proof_does_not_show_what_others_asked_about_a_view(served):
    """The first question about the table is the analyst's own, the first about the view is not."""
    assert ask(served, "SELECT AVG(km) FROM trips", "analyst").json()["entry"] == 1
    assert ask(served, MEAN, "custodian").json()["entry"] == 1
    deduced = ask(served, "SELECT SUM(total) FROM homes", "analyst", path="deduce").json()
    assert (deduced["facts"], deduced["certificate"]) == ([1], None)
    assert served.get(f"/datasets/trips/questions/1{VIEW}").status_code == 404
    assert served.get(f"/datasets/trips/certificates/1{VIEW}").status_code == 404
    assert served.get(f"/datasets/trips/ledger{VIEW}").json()["questions"][0]["questions"] is None
    proved = ask(served, "SELECT SUM(total) FROM homes", "custodian", path="deduce").json()["certificate"]
    assert proved["content"]["table"] == "homes"


def test_a_hold_about_a_view_can_be_seen_approved_and_collected(served):
    held = ask(served, MEDIAN, "analyst", 7)
    assert held.status_code == 409
    number = held.json()["hold"]
    [hold] = served.get(f"/datasets/trips/holds{VIEW}", "custodian").json()
    assert (hold["number"], hold["questions"]) == (number, [MEDIAN])
    assert served.get("/datasets/trips/holds", "custodian").json() == []
    assert served.get(f"/datasets/trips/status{VIEW}").json()["held"] == 1
    approve = f"/datasets/trips/decisions/{number}/approve"
    key = {"Idempotency-Key": "one"}
    assert served.post(f"{approve}{VIEW}", {}, "custodian", headers=key).status_code == 200
    assert served.post(approve, {}, "custodian", headers=key).json()["type"] == "/problems/idempotency-conflict"
    assert served.post(f"/datasets/trips/holds/{number}/collect{VIEW}", {}).json()["question"] == MEDIAN


def test_the_ledger_of_a_view_is_listed_exported_and_verified(served):
    for path in ("ledger/verified", "spending", "export", "schema", "public", "rotations", ""):
        found = served.get(f"/datasets/trips/{path}{VIEW}".replace("/?", "?"), "custodian")
        assert found.status_code == 200, path
        refused = served.get(f"/datasets/trips/{path}?view=others".replace("/?", "?"), "custodian")
        assert (refused.status_code, refused.json()["type"]) == (404, "/problems/unknown-view")
    assert served.get(f"/datasets/trips/ledger/verified{VIEW}", "auditor").json()["intact"]


def test_a_client_verifies_answers_about_views(tmp_path):
    key, file = PrivateKey.new(tmp_path / "key.pem"), write(tmp_path)
    text = token(file, "ada")["Authorization"].removeprefix("Bearer ")
    with listening(file, key=str(tmp_path / "key.pem")) as (host, port):
        url = f"http://{host}:{port}"
        with nl.connect(url, text, key=key.public) as remote:
            known = remote.ask(MEAN, bits=2)
            assert known.certificate.content["table"] == "homes"
            assert remote.refine(known, error="1/4").question == MEAN
            homes = remote.views["homes"]
            assert homes.recall(known.entry).rows[0].lower == known.rows[0].lower
            assert (homes.status().questions, remote.status().questions) == (2, 0)
            assert list(homes.schema.columns) == ["total"]
            by_person = "SELECT AVG(t) FROM (SELECT who, SUM(km) AS t FROM trips GROUP BY who) AS h"
            assert remote.ask(by_person, bits=2).rows[0].value == known.rows[0].value

        async def asked():
            async with await nl.connect_async(url, text, key=key.public) as remote:
                return await remote.ask(MEAN, bits=2), await remote.views["homes"].recall(known.entry)

        first, again = asyncio.run(asked())
        assert first.rows == again.rows == known.rows
