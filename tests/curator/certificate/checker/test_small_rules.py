"""The smallest rules of the checker: how numbers are written, what a content is made of, in which order rows are."""

from __future__ import annotations

import hashlib
from datetime import date
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from noiseless.curator.certificate.checker import numbers, shape, wrong
from noiseless.curator.certificate.checker.order import Order
from noiseless.curator.certificate.checker.wrong import WrongCertificateError


def test_numbers_have_one_spelling():
    assert [numbers.whole(text) for text in ("0", "-7", "12", "9" * 4300)] == [0, -7, 12, int("9" * 4300)]
    assert [numbers.rational(text) for text in ("0", "-7", "3/2", "-1/2")] == [0, -7, Fraction(3, 2), Fraction(-1, 2)]
    assert numbers.day("2024-01-31") == date(2024, 1, 31)
    for text in ("", "-0", "01", "+1", " 1", "1 ", "1_0", "1.0", "١", 1, None, True, "9" * 4301, "1/2"):
        with pytest.raises(WrongCertificateError):
            numbers.whole(text)
    for text in ("2/4", "3/1", "1/0", "1/-2", "0/2", "1/", "/2", "1/2/3", 1, None):
        with pytest.raises(WrongCertificateError):
            numbers.rational(text)
    for text in ("20240131", "2024-W05-3", 5, None):
        with pytest.raises(WrongCertificateError):
            numbers.day(text)


def test_counts_are_bounded():
    assert numbers.bounded((1 << numbers.MOST_BITS) - 1).bit_length() == numbers.MOST_BITS
    with pytest.raises(WrongCertificateError, match="larger than any budget"):
        numbers.bounded(1 << numbers.MOST_BITS)


def test_lists():
    wrong.require(True, "x")
    with pytest.raises(WrongCertificateError, match="x"):
        wrong.require(False, "x")
    assert wrong.pairs([[1, 2], [3, 4]]) == [(1, 2), (3, 4)]
    assert (wrong.elements([]), wrong.pairs([])) == ([], [])
    for given in ("ab", {"a": 1}, None, (1, 2)):
        with pytest.raises(WrongCertificateError):
            wrong.elements(given)
    for wanted in ([[1]], [[1, 2], [1, 2, 3]], ["ab"], [{"a": 1, "b": 2}]):
        with pytest.raises(WrongCertificateError):
            wrong.pairs(wanted)


def nested(depth):
    content: Any = "x"
    for _ in range(depth - 1):
        content = [content]
    return content


def test_what_a_content_is_made_of(monkeypatch):
    for fine in (None, True, "x", [], {}, {"a": [None, {"b": "c"}, False]}, nested(150)):
        shape.check_shape(fine)
    for odd in (1, 1.5, b"x", [1], {"a": 1}, {1: "a"}, {"a": "b", 1: "a"}, [["x", [2]]], ("x",), nested(151)):
        with pytest.raises(WrongCertificateError):
            shape.check_shape(odd)
    monkeypatch.setattr(shape, "MOST_NODES", 4)
    shape.check_shape(["x", ["y"]])
    with pytest.raises(WrongCertificateError, match="too large"):
        shape.check_shape(["x", ["y", "z"]])


def test_an_id_is_of_the_names_in_their_order():
    """By UTF-16 code units, in which a letter beyond the first plane comes before U+FF61."""
    one = {"b": [{"\uff61": "1", "\U0001f600": "2"}], "a": "x"}
    text = '{"a":"x","b":[{"\U0001f600":"2","\uff61":"1"}]}'
    found = hashlib.sha256(text.encode()).hexdigest()
    shape.check_id({**one, "id": found})
    with pytest.raises(WrongCertificateError, match="was changed"):
        shape.check_id({**one, "a": "y", "id": found})


def checked(names, *batches):
    order, kind = Order(names), pa.bool_() if isinstance(batches[0][0][0], bool) else pa.int64()
    for rows in batches:
        columns = [pa.array([row[at] for row in rows], (kind, pa.int64())[at]) for at in range(2)]
        order.check(pa.RecordBatch.from_arrays(columns, ["a", "b"]))


ORDERED = [
    [[(1, 2), (1, 2), (1, 3), (2, 1)]],
    [[(1, 2)], [], [(1, 2), (2, 0)], [(2, 1)]],
    [[(1, 2), (1, None), (1, None), (None, 0), (None, 0), (None, None)]],
    [[(False, 1), (True, 0)]],
    [[(1000, 2), (2000, 1)]],
]
UNORDERED = [
    [[(2, 1), (1, 2)]],
    [[(1, 2), (1, 1)]],
    [[(1, 2)], [(1, 1)]],
    [[(1, 5), (2, 5)], [(1, 9)]],
    [[(None, 1), (1, 1)]],
    [[(1, None), (1, 1)]],
    [[(1, 0), (None, 2), (None, 1)]],
    [[(True, 1), (False, 0)]],
    [[(1, 1), (1, 2), (3, 0), (2, 9)]],
]


@pytest.mark.parametrize("batches", ORDERED)
def test_rows_in_order(batches):
    checked(["a", "b"], *batches)
    checked([], [(2, 1), (1, 2)])


@pytest.mark.parametrize("batches", UNORDERED)
def test_rows_out_of_order(batches):
    with pytest.raises(WrongCertificateError, match="not ordered"):
        checked(["a", "b"], *batches)
