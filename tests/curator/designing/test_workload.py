"""How workloads are written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import noiseless as nl
from noiseless.curator.designing.clock import Clock
from noiseless.curator.designing.workload import Wish, in_text, wishes

ONE, TWO = "SELECT COUNT(*) FROM t", "SELECT AVG(a) FROM t"


def test_lists_mappings_and_files(tmp_path):
    assert wishes([ONE, TWO]) == (Wish(ONE), Wish(TWO))
    half = Wish(TWO, Fraction(2), Fraction(1, 2))
    assert wishes({ONE: 3, TWO: {"weight": 2, "error": 0.5}}) == (Wish(ONE, Fraction(3)), half)
    file = tmp_path / "w.sql"
    file.write_text(f"-- about people\n{ONE};\n-- weight 2, error 0.5\n-- of all\n{TWO};\n")
    assert wishes(file) == (Wish(ONE), half)


def test_there_can_be_more_seconds_than_a_float_holds():
    assert Clock.of(10**400).go_on()


def test_case_does_not_matter():
    assert in_text(f"-- Weight 2, ERROR 0.5\n{ONE}") == [Wish(ONE, Fraction(2), Fraction(1, 2))]


def test_comments_inside_and_after_questions_say_nothing():
    assert in_text(f"{ONE} -- weight 9\n; {TWO}; -- weight 7") == [Wish(ONE), Wish(TWO)]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (ONE, r"put it into \[ \]"),
        ([], "at least one"),
        ([ONE, ONE], "twice"),
        ({ONE: {"wait": 2}}, "weight, error"),
        ({ONE: 0}, "above 0"),
        ({ONE: {"error": -1}}, "0 or more"),
        ({ONE: 10**400}, "from 1/1000000 to 1000000"),
        ({ONE: "1e-400"}, "above 0"),
        ({ONE: {"error": 10**400}}, "at most"),
        (Path("no", "such.sql"), "does not exist"),
        (Path(), "cannot be read as a file"),
    ],
)
def test_a_wrong_workload_is_refused(given, words):
    with pytest.raises(nl.errors.InputError, match=words):
        wishes(given)


@pytest.mark.parametrize("note", ["weight two", "weight 2, weight 3", "error", "weight 1 error 2"])
def test_a_wrong_comment_is_refused(tmp_path, note):
    file = tmp_path / "w.sql"
    file.write_text(f"-- {note}\n{ONE};")
    with pytest.raises(nl.errors.InputError):
        wishes(file)


def test_a_file_without_questions_is_refused(tmp_path):
    file = tmp_path / "w.sql"
    file.write_text("-- weight 2\n")
    with pytest.raises(nl.errors.QuestionError, match="no questions"):
        wishes(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(nl.errors.QuestionError, match="UTF-8"):
        wishes(file)
