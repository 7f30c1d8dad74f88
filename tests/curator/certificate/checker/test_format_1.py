"""Certificates of format 1, as they were written then, still verify; those that were charged more too."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts

LINES = (Path(__file__).parent / "format_1.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("place", range(len(LINES)))
def test_they_verify_with_their_signatures(place):
    found = nl.verify(LINES[place])
    assert found.signed
    assert found.count <= int(found.certificate.content["count"])  # older rules were dearer


@pytest.mark.parametrize("place", range(len(LINES)))
def test_what_was_charged_is_at_least_what_is_needed(place):
    content = json.loads(LINES[place])["content"]
    count = check_counts(content)
    assert check_counts({**content, "count": str(count + 3)}) == count <= int(content["count"])
    with pytest.raises(WrongCertificateError, match="is needed"):
        check_counts({**content, "count": str(count - 1)})


@pytest.mark.parametrize(("place", "field", "value"), [(1, "changes", "0"), (0, "reads", ["age"]), (2, "changes", "1")])
def test_what_follows_from_a_condition_is_computed_from_it(place, field, value):
    content = json.loads(LINES[place])["content"]
    for release in content["releases"]:
        release[field] = value
    with pytest.raises(WrongCertificateError, match="condition"):
        check_counts(content)


def test_a_release_that_is_charged_less_than_it_needs():
    content = json.loads(LINES[0])["content"]
    for place, release in enumerate(content["releases"]):
        for field, value in (("answers", "1"), ("rows", "101"), ("width", "0"), ("kind", "guess"), ("released", [])):
            other = copy.deepcopy(content)
            other["releases"][place][field] = value
            assert release[field] != value
            with pytest.raises(WrongCertificateError):
                check_counts(other)


def test_copies_were_written_without_their_assumptions_at_first():
    content = json.loads(LINES[3])["content"]
    count = int(content["count"])
    content.pop("assumptions")
    assert check_counts(content) == count
    content["columns"][0]["answers"] = "1"
    with pytest.raises(WrongCertificateError, match="answers"):
        check_counts(content)


def test_many_cells_in_few_words():
    content = json.loads(LINES[0])["content"]
    for cells in ("0-9999999", "0-99999999999", "5-3", "0-1-2-9999999", "", "-1", "0,,1"):
        other = copy.deepcopy(content)
        other["releases"] = [{**other["releases"][0], "cells": cells}]
        with pytest.raises(WrongCertificateError):
            check_counts(other)


def test_a_copy_of_format_1_must_have_what_its_file_has(tmp_path):
    """Called by the old name, a certificate without columns once passed for any file."""
    (tmp_path / "raw.csv").write_text("name,x\nann,1\nbob,2\n")
    with nl.Curator.open(pa.table({"x": [1, 2]}), nl.Schema(x=nl.Integer(0, 9)), budget=9, table="t") as curator:
        made = curator.release(tmp_path / "out.csv", bits=1)
    content = {k: v for k, v in made.certificate.content.items() if k not in ("id", "sort")}
    content |= {"format": "noiseless microdata certificate 1"}
    digest = hashlib.sha256((tmp_path / "raw.csv").read_bytes()).hexdigest()
    found = nl.verify(Certificate(content), file=tmp_path / "out.csv")
    assert (found.count, found.whole, found.signed) == (2, False, False)
    for forged in ({"columns": [], "count": "1", "count per row": "1"}, {}):
        with pytest.raises(nl.CertificateError):
            nl.verify(Certificate(content | forged | {"sha256": digest}), file=tmp_path / "raw.csv")
