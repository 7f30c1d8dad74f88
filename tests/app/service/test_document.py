"""The OpenAPI document is kept: whatever is sent, no server error, no undocumented status, no undocumented body."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.generation import GenerationMode
from tests.app.service.small import COUNT, MEAN, listening, running, token, write

load_all_checks()
UNWANTED = CHECKS.get_by_names(["positive_data_acceptance", "negative_data_rejection", "ignored_auth"])
"""Not every text is a question, parameters that nobody knows are ignored, and tokens are tested with the roles."""
EXAMPLES = 6
SQL = st.sampled_from(
    [MEAN, COUNT, "SELECT region, SUM(age) FROM people GROUP BY region", "SELECT", "SELECT 1; SELECT"]
)


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    file = write(tmp_path_factory.mktemp("served"), budget=40)
    with listening(file, rate=1_000_000) as (host, port):
        found = schemathesis.openapi.from_url(f"http://{host}:{port}/openapi.json")
        yield found, token(file, "the custodian", "custodian")


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
def test_every_operation_keeps_to_the_document(schema, mode):
    """With what the document allows and with what it does not, about the dataset that exists and about others."""
    document, header = schema
    seen: Counter[int] = Counter()
    for found in document.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.path_parameters or operation.query):
            continue

        @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(generation_mode=mode), SQL, st.booleans())
        def keeps_to_it(case, sql, real):
            if real and "dataset" in case.path_parameters:
                case.path_parameters["dataset"] = "people"
            if real and isinstance(case.body, dict) and isinstance(case.body.get("sql"), str):
                case.body["sql"] = sql
            seen[case.call_and_validate(headers=header, excluded_checks=UNWANTED).status_code] += 1

        keeps_to_it()
    assert seen[422] > 0
    assert mode is GenerationMode.NEGATIVE or min(seen[200], seen[404]) > 0


def test_a_wrong_document_is_noticed(tmp_path):
    """The same test fails where a status is not in the document."""
    file = write(tmp_path)
    with listening(file, rate=1_000_000) as (host, port):
        raw = schemathesis.openapi.from_url(f"http://{host}:{port}/openapi.json").raw_schema
        del raw["paths"]["/datasets/{dataset}"]["get"]["responses"]["404"]
        wrong = schemathesis.openapi.from_dict(raw)
        wrong.config.update(base_url=f"http://{host}:{port}")
        case = wrong["/datasets/{dataset}"]["GET"].Case(path_parameters={"dataset": "unknown"})
        with pytest.raises(BaseExceptionGroup, match="Schemathesis found 1 distinct failure"):
            case.call_and_validate(headers=token(file, "ada"), excluded_checks=UNWANTED)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"))) as found:
        yield found


def test_the_page_needs_nothing_from_elsewhere(served):
    page = served.client.get("/docs")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert re.findall(r'(?:src|href)="([^"]*)"', page.text) == ["docs/style.css", "openapi.json"]
    assert "<script" not in page.text
    assert "POST /datasets/{dataset}/ask" in page.text
    assert "(custodian)" in page.text
    assert served.client.get("/docs/style.css").headers["content-type"].startswith("text/css")
    assert served.client.get("/openapi.json").json()["paths"]["/metrics"]["get"]["x-roles"] == ["auditor", "custodian"]


@pytest.mark.parametrize(("path", "status"), [("/nowhere", 404), ("/datasets/", 404), ("/verify", 405)])
def test_other_paths_are_problems_too(served, path, status):
    found = served.client.get(path)
    assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert found.json()["next_step"] == "see /docs for all paths"
