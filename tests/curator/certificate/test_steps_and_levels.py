"""Certificates of questions of several steps and of stable levels: honest ones verify, and edited ones do not."""

from __future__ import annotations

import copy
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts

SCHEMA = nl.Schema(x=nl.Integer(0, 20), s=nl.Boolean(), g=nl.Public("n", "s"))
TABLE = pa.table(
    {
        "x": [k * k % 21 for k in range(4000)],
        "s": [k % 3 > 0 for k in range(4000)],
        "g": ["nns"[k % 3] for k in range(4000)],
    }
)


@pytest.fixture(scope="module")
def contents() -> dict[str, dict[str, Any]]:
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as curator:
        answers = {
            "mean": curator.ask("SELECT AVG(x) FROM t WHERE s", error=1),
            "finer": curator.ask("SELECT AVG(x) FROM t WHERE s", error="0.2"),
            "median": curator.ask("SELECT MEDIAN(x) FROM t WHERE s", error=1),
            "stable": curator.ask("SELECT g, AVG(x) FROM t WHERE s GROUP BY g", error=2, stable=True),
            "joint": curator.ask("SELECT AVG(x) FROM t WHERE s AND g = 's'", bits="0.2"),
            "variance": curator.ask("SELECT STDDEV_POP(x) FROM t WHERE s", error=3),
            "counts": curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s", error=40, stable=True),
        }
        for answer in answers.values():
            assert nl.verify(answer.certificate).count == answer.guarantee.count
        return {name: dict(answer.certificate.content) for name, answer in answers.items()}


def refused(content: dict[str, Any], words: str) -> None:
    edited = {name: value for name, value in content.items() if name != "id"}
    with pytest.raises(WrongCertificateError, match=words):
        check_counts(edited | {"id": "0" * 64})


def put(content: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    edited = copy.deepcopy(content)
    inside: Any = edited
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return edited


def test_the_kinds_of_releases(contents):
    kinds = {name: [row[0] for row in content["releases"]] for name, content in contents.items()}
    assert kinds["mean"] == ["head count", "centred total"]
    assert kinds["median"] == ["stable level"]
    assert kinds["variance"] == ["head count", "centred total", "centred squares"]
    assert set(kinds["stable"]) == {"stable level"}
    assert "~" in contents["finer"]["releases"][1][1]
    assert int(contents["joint"]["count"]) == 3
    assert len(contents["mean"]["steps"]) == 1


def test_another_place_or_level(contents):
    place = int(contents["mean"]["releases"][1][2])
    refused(put(contents["mean"], ("releases", 1, 2), str(place + 2)), "does not follow from what was released")
    guard = str(int(contents["mean"]["releases"][0][2]) + 1)
    refused(put(contents["mean"], ("releases", 0, 2), guard), "not that of a loud outcome")
    refused(put(contents["median"], ("releases", 0, 2), "1"), "nothing is released at the last level")
    refused(put(contents["median"], ("releases", 0, 2), "3"), "level is impossible")
    refused(put(contents["median"], ("releases", 0), ["stable level", "3/*", "1", "5"]), "last level")
    refused(put(contents["median"], ("releases", 0), ["stable level", "3/*", "0", "-1"]), "never stable")


def test_other_bins(contents):
    refused(put(contents["median"], ("releases", 0, 1), "3/25/*"), "do not fit into each other")
    refused(put(contents["median"], ("releases", 0, 1), "3/300/*"), "too wide")
    refused(put(contents["median"], ("releases", 0, 1), "3"), "a release is")
    refused(put(contents["mean"], ("releases", 1, 1), "900+19"), "guards of a centred total are narrower than the 20")
    refused(put(contents["mean"], ("releases", 1, 1), "900+20~21"), "impossible centre")
    refused(put(contents["mean"], ("releases", 0, 1), "9+1~3"), "impossible centre")
    bins = contents["finer"]["releases"][1][1]
    refused(put(contents["finer"], ("releases", 1, 1), bins.split("~")[0]), "does not follow")


def test_prices_of_steps(contents):
    mean = contents["mean"]
    refused(put(mean, ("steps", 0, "factor"), "1"), "charged less than the price")
    refused(put(mean, ("steps", 0, "weights"), mean["weights"]), "two steps")
    refused(put(mean, ("steps", 0, "entry"), mean["ledger"]["entry"]), "order of the ledger|not after its question")
    refused(put(mean, ("steps", 0, "hash"), "x"), "SHA-256")
    refused(put(mean, ("steps", 0, "weights", 0, 1), "1"), "at least 2 are needed")
    refused(put(mean, ("weights", 0, 2), "1"), "too low")
    refused(put(contents["joint"], ("weights", 0, 1), "2"), "at least 3 are needed")
    refused(put(contents["median"], ("weights", 0, 1), "1"), "at least 2 are needed")
    refused({name: value for name, value in contents["median"].items() if name != "weights"}, "without weights")


def test_a_price_of_a_step_cannot_be_hidden_in_the_last_entry(contents):
    mean = contents["mean"]
    moved = put(mean, ("weights",), mean["weights"] + mean["steps"][0]["weights"])
    refused({name: value for name, value in moved.items() if name != "steps"}, "charged separately")


def test_means_are_centred_or_not(contents):
    refused({name: value for name, value in contents["mean"].items() if name != "centred"}, "other releases")
    refused({**contents["mean"], "centred": False}, "centred is not true")
    refused({**contents["mean"], "centred": "yes"}, "centred is not true")


def test_what_other_data_would_have_made_necessary_is_verified_too():
    """Nobody is in a group, so its sum is not asked; with one person there it would be: the promise counts that."""
    rows = {"x": [140 + k * k % 71 for k in range(1000)], "c": ["ab"[k % 5 > 1] for k in range(1000)]}
    schema = nl.Schema(x=nl.Integer(140, 210, missing="apart"), c=nl.Category("a", "b", "none"))
    with nl.Curator.open(pa.table(rows), schema, budget=60, table="t", store=":memory:") as curator:
        answer = curator.ask("SELECT c, AVG(x) FROM t GROUP BY c", error=1)
    content = answer.certificate.content
    assert check_counts(content) < int(content["count"]) == answer.guarantee.count
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    assert f"at most {answer.guarantee.count} answers" in repr(nl.verify(answer.certificate))
    with nl.Curator.open(pa.table(rows), schema, budget=60, table="t", store=":memory:") as curator:
        curator.ask("SELECT c, COUNT(x) FROM t GROUP BY c", error=5)
        answer = curator.ask("SELECT c, AVG(x) FROM t GROUP BY c", error=1)  # its first step is paid for
    assert "steps" not in answer.certificate.content
    assert nl.verify(answer.certificate).count == answer.guarantee.count > check_counts(answer.certificate.content)
