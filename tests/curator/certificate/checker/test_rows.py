"""What the checker makes of released numbers: intervals calculated with, HAVING, ORDER BY and LIMIT, case by case."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product
from math import inf

import pytest

from noiseless.curator.certificate.checker import rows
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.intervals import Interval, exactly
from noiseless.curator.certificate.checker.numbers import MOST_BITS
from noiseless.curator.certificate.checker.plans import Plan
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

COUNT, SUM, AVG, MAX = ["count"], ["sum", ["column", "x"]], ["avg", ["column", "x"]], ["kth", ["column", "d"], "1"]
DAY = date(2024, 1, 31)
LINE = (
    {"g": "a", "n": 7, "b": True, "nobody": None},
    {
        ("count", None, ""): exactly(3),
        ("sum", "x", ""): Interval(Fraction(2), Fraction(-1), Fraction(5)),
        ("avg", "x", ""): None,
        ("kth", "d", "1"): Interval(DAY, DAY, date(2024, 2, 2)),
    },
)


def between(value, lower, upper):
    return Interval(*(end if isinstance(end, float) else Fraction(end) for end in (value, lower, upper)))


def number(text):
    return ["number", text]


def test_fields_of_a_line():
    for tree, cell in (
        (["key", "g"], "a"),
        (["key", "nobody"], None),
        (number("3/2"), exactly(Fraction(3, 2))),
        (["date", "2024-01-31"], DAY),
        (["text", "z"], "z"),
        (["truth", False], False),
        (COUNT, exactly(3)),
        (SUM, between(2, -1, 5)),
        (AVG, None),
        (["+", COUNT, SUM], between(5, 2, 8)),
        (["-", COUNT, SUM], between(1, -2, 4)),
        (["-", SUM, COUNT], between(-1, -4, 2)),
        (["*", COUNT, SUM], between(6, -3, 15)),
        (["/", SUM, COUNT], between(Fraction(2, 3), Fraction(-1, 3), Fraction(5, 3))),
        (["/", COUNT, SUM], between(Fraction(3, 2), -inf, inf)),
        (["/", COUNT, number("0")], None),
        (["+", AVG, COUNT], None),
        (["+", COUNT, AVG], None),
    ):
        assert rows.evaluate(tree, *LINE) == cell


ENDS = [-inf, -3, -1, 0, 2, inf]
INTERVALS = [(low, high) for low, high in product(ENDS, repeat=2) if low < inf and high > -inf and low <= high]


def inside(low, high):
    """Some numbers of an interval, far ones in place of its infinite ends."""
    first, last = max(low, -(10**6)), min(high, 10**6)
    return sorted({Fraction(first), Fraction(last), Fraction(first + last) / 2})


@pytest.mark.parametrize("operation", "+-*/")
def test_intervals_hold_every_result_and_no_more(operation):
    calculate = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
    for left, right in product(INTERVALS, repeat=2):
        values = [inside(*left)[-1], inside(*right)[-1]]
        given = [between(value, *ends) for value, ends in zip(values, (left, right), strict=True)]
        found = rows.combined(operation, *given)
        if operation == "/" and right[0] <= 0 <= right[1]:
            assert found == (None if values[1] == 0 else between(values[0] / values[1], -inf, inf))
            continue
        results = [calculate[operation](a, b) for a, b in product(inside(*left), inside(*right))]
        assert found.value == calculate[operation](*values)
        assert all(found.lower <= result <= found.upper for result in results)
        if not any(isinstance(end, float) for end in (*left, *right)):
            assert (found.lower, found.upper) == (min(results), max(results))
        elif operation in "+-":
            ends = right if operation == "+" else (-right[1], -right[0])
            assert (found.lower, found.upper) == (left[0] + ends[0], left[1] + ends[1])


def test_products_and_quotients_without_end():
    for left, right, product_of_both in (
        ((2, inf), (3, 4), (6, inf)),
        ((2, inf), (-4, -3), (-inf, -6)),
        ((-inf, 2), (3, 4), (-inf, 8)),
        ((0, inf), (0, inf), (0, inf)),
        ((-inf, inf), (0, 0), (0, 0)),
        ((-inf, -1), (-inf, -1), (1, inf)),
        ((-1, 2), (1, inf), (-inf, inf)),
    ):
        for one, two in ((left, right), (right, left)):
            found = rows.combined("*", between(1, *one), between(1, *two))
            assert (found.lower, found.upper) == product_of_both
    for sign in (1, -1):  # less than 1, and more than any double
        for factor in (Fraction(sign, 2), Fraction(sign * 10**400)):
            for one, two in ((between(1, 1, inf), exactly(factor)), (exactly(factor), between(1, 1, inf))):  # type: ignore[assignment]
                found = rows.combined("*", one, two)
                assert (found.lower, found.upper) == ((factor, inf) if sign > 0 else (-inf, factor))
                found = rows.combined("+", one, two)
                assert (found.lower, found.upper) == (1 + factor, inf)
    for divisor, quotient in (((2, inf), (0, 3)), ((-inf, -2), (-3, 0)), ((2, 3), (Fraction(4, 3), 3))):
        found = rows.combined("/", between(5, 4, 6), between(divisor[1] if divisor[0] == -inf else 2, *divisor))
        assert (found.lower, found.upper) == quotient
    for divisor in ((0, 2), (-2, 0), (-1, 1)):
        assert rows.combined("/", exactly(1), between(1, *divisor)) == between(1, -inf, inf)


def test_numbers_that_no_answer_has():
    """As many digits above and below the line as no budget has are refused, and not one fewer."""
    half = 1 << MOST_BITS // 2 - 1
    for wrong in ((half, 2 * half - 1, True), (2 * half, 2 * half - 1, False), (half, 2 * half + 1, False)):
        text = f"{wrong[0]}/{wrong[1]}"
        lines = {}, {("count", None, ""): exactly(Fraction(wrong[0], wrong[1]))}
        assert str(Fraction(text)) == text
        if wrong[2]:
            assert rows.evaluate(["+", COUNT, number("0")], *lines).value == Fraction(text)
        else:
            with pytest.raises(WrongCertificateError, match="too long"):
                rows.evaluate(["+", COUNT, number("0")], *lines)
    long = Fraction(1 << MOST_BITS)
    for interval in (Interval(Fraction(1), -long, Fraction(1)), Interval(Fraction(1), Fraction(1), long)):
        with pytest.raises(WrongCertificateError, match="too long"):
            rows.evaluate(["+", COUNT, number("0")], {}, {("count", None, ""): interval})
    whole = between(1, -inf, inf)
    assert rows.evaluate(["+", COUNT, number("0")], {}, {("count", None, ""): whole}) == whole


NO, OPEN, YES = (["=", COUNT, number("4")], ["=", AVG, number("4")], ["=", COUNT, number("3")])


@pytest.mark.parametrize(
    ("tree", "truth"),
    [
        (NO, False),
        (OPEN, None),
        (["=", number("4"), AVG], None),
        (YES, True),
        (["<>", COUNT, number("3")], False),
        (["<", COUNT, number("3")], False),
        (["<=", COUNT, number("3")], True),
        ([">", COUNT, number("3")], False),
        ([">=", COUNT, number("3")], True),
        (["<", COUNT, number("4")], True),
        ([">", COUNT, number("2")], True),
        (["=", ["key", "g"], ["text", "a"]], True),
        (["=", MAX, ["date", "2024-01-31"]], True),
        (["not", YES], False),
        (["not", NO], True),
        (["not", OPEN], None),
        (["and", YES, YES], True),
        (["and", YES, OPEN], None),
        (["and", OPEN, NO], False),
        (["or", NO, NO], False),
        (["or", NO, OPEN], None),
        (["or", OPEN, YES], True),
    ],
)
def test_having_is_of_three_values(tree, truth):
    assert rows._test(tree, *LINE) is truth


def finished(lines, having=None, order=(), limit=None, items=(("g", ["key", "g"]),)):
    made = [({"g": key}, {("count", None, ""): None if n is None else exactly(n)}) for key, n in lines]
    plan = Plan(items, TRUE, ("g",), None, having, order, limit, (("count", None, ""),), 1)
    return [row["g"] for row in rows.finish(plan, made)]


def test_lines_that_are_kept_and_their_order():
    lines = [("a", 2), ("b", None), ("c", 1), ("d", 2), (None, 3)]
    assert finished(lines) == ["a", "b", "c", "d", None]
    assert finished(lines, having=[">", COUNT, number("1")]) == ["a", "d", None]
    assert finished(lines, order=[(COUNT, False)]) == ["c", "a", "d", None, "b"]
    assert finished(lines, order=[(COUNT, True)]) == [None, "a", "d", "c", "b"]
    assert finished(lines, order=[(COUNT, True), (["key", "g"], True)]) == [None, "d", "a", "c", "b"]
    assert finished(lines, order=[(["key", "g"], True)], limit=2) == ["d", "c"]
    assert finished(lines, limit=0) == []


def test_how_fields_are_written():
    items = [("g", ["key", "g"]), ("n", ["key", "n"]), ("b", ["key", "b"]), ("none", AVG), ("s", SUM), ("d", MAX)]
    plan = Plan(items, TRUE, ("g", "n", "b"), None, None, [], None, (), 1)
    [row] = rows.finish(plan, [LINE])  # type: ignore[list-item]
    assert [{label: rows.in_writing(cell) for label, cell in row.items()}] == [
        {
            "g": "a",
            "n": "7",
            "b": True,
            "none": None,
            "s": {"value": "2", "lower": "-1", "upper": "5"},
            "d": {"value": "2024-01-31", "lower": "2024-01-31", "upper": "2024-02-02"},
        }
    ]
