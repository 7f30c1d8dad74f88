"""Questions over HTTP have the answers, prices and refusals of the library."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from tests.app.service.small import COUNT, MEAN, running, write

import noiseless as nl
from noiseless.app.fields import answer_fields
from noiseless.app.service.written import ARROW


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"))) as found:
        yield found


def test_an_answer_is_that_of_the_library(served, tmp_path):
    found = served.ask(COUNT).json()
    with nl.Curator.open(write(tmp_path)) as curator:
        wanted = json.loads(json.dumps(answer_fields(curator.ask(COUNT))))
    for name in ("question", "count", "bits", "factor", "rows"):
        assert found[name] == wanted[name]
    assert found["rows"] == [{"COUNT(*)": {"value": "29", "lower": "29", "upper": "29"}}]
    certificate = nl.Certificate.from_json(json.dumps(found["certificate"]))
    assert str(nl.verify(certificate).count) == found["count"]


def test_a_preview_is_free_and_says_the_price(served):
    before = served.get("/datasets/people").json()["remaining"]
    found = served.post("/datasets/people/preview", {"sql": MEAN, "bits": 1}).json()
    assert served.get("/datasets/people").json()["remaining"] == before
    assert (found["count"], found["affordable"]) == ("2", True)
    assert found["rows"][0]["errors"].keys() == {"AVG(age)"}


def test_an_answer_comes_as_arrow_if_that_is_preferred(served):
    table = served.ask(MEAN, error=5, headers={"Accept": f"{ARROW}, application/json;q=0.5"})
    assert table.headers["content-type"] == ARROW
    found = pa.ipc.open_stream(table.content).read_all()
    assert found.column_names == ["AVG(age)", "AVG(age)_lower", "AVG(age)_upper"]
    assert json.loads(found.schema.metadata[b"noiseless"])["question"] == MEAN
    assert served.ask(MEAN, error=5, headers={"Accept": "text/html"}).status_code == 406


def test_a_batch_a_refinement_and_a_recall(served):
    answered = served.post("/datasets/people/batch", {"questions": [MEAN, COUNT], "bits": 1}).json()
    assert [each["question"] for each in answered["answers"]] == [MEAN, COUNT]
    entry = served.ask("SELECT SUM(age) FROM people WHERE smoker = 'no'", bits=1).json()["entry"]
    finer = served.post("/datasets/people/refine", {"entry": entry, "error": 300}).json()
    assert finer["question"] == "SELECT SUM(age) FROM people WHERE smoker = 'no'"
    again = served.get(f"/datasets/people/questions/{finer['entry']}").json()
    assert again["rows"] == finer["rows"]


def test_a_refusal_names_the_thing_the_rule_and_the_next_step(served):
    refused = served.ask("SELECT AVG(weight) FROM people", bits=1)
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    problem = refused.json()
    assert problem["about"] == "column 'weight'"
    assert problem["rule"] == "column 'weight' does not exist"
    assert problem["next_step"].startswith("the columns are age, smoker, region")
    dear = served.ask("SELECT MEDIAN(age) FROM people", bits=3, max_bits="0.5")
    assert (dear.status_code, dear.json()["type"]) == (402, "/problems/budget-exceeded")
