"""A rule comes with its numbers: what was put in, and what comes out."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance

HALF = Fraction(1, 2)
ROWS = 40
TABLE = pd.DataFrame(
    {
        "age": [20 + (7 * k) % 61 for k in range(ROWS)],
        "pay": [(7919 * k) % 900 for k in range(ROWS)],
        "ill": ["yes" if k % 7 == 0 else "no" for k in range(ROWS)],
        "region": ["n" if k % 3 else "s" for k in range(ROWS)],
        "person": [k // 3 for k in range(ROWS)],
        "day": [k % 3 for k in range(ROWS)],
    }
)
COLUMNS = {
    "age": nl.Integer(0, 120),
    "pay": nl.Real(-100, 900, step="0.5"),
    "ill": nl.Category("no", "yes"),
    "region": nl.Public("n", "s"),
}
QUESTIONS = [
    ("SELECT AVG(age) FROM t", {"bits": 3}),
    ("SELECT SUM(pay) FROM t", {"error": 5000}),
    ("SELECT SUM(pay) FROM t WHERE ill = 'yes'", {"bits": 4}),
    ("SELECT AVG(pay) FROM t WHERE ill = 'yes'", {"bits": 5}),
    ("SELECT COUNT(*) FROM t WHERE ill = 'yes'", {}),
    ("SELECT ill, COUNT(*) FROM t GROUP BY ill", {}),
    ("SELECT MEDIAN(age) FROM t", {"bits": 3}),
    ("SELECT MAX(age) FROM t WHERE ill = 'no'", {"bits": 3}),
    ("SELECT VAR_POP(age) FROM t", {"bits": 6}),
    ("SELECT region, AVG(age), VAR_POP(age) FROM t GROUP BY region", {"bits": 9}),
    ("SELECT COUNT(*) FROM t", {}),
]
SEVERAL = {"unit": "person", "rows": 3, "order_by": "day", "day": nl.Public()}
FORMULA = re.compile(r"((?:1 \+ Σ )?[\(⌈⌊][^;:=]*?) = (\d+)")
GIVEN = re.compile(r"\b(w|M'|M|n|r) = (\d+)")


def value(formula, given):
    """What a formula of a rule is, with its letters replaced."""
    if summed := re.fullmatch(r"1 \+ Σ \((.*)\)", formula):
        return 1 + sum(value(summed[1], {**given, "i": i}) for i in range(1, given["last"] + 1))
    text = re.sub(r"(?<=[\w)⌋'])(?=M|\(n)", "*", formula).replace("²", "**2").replace("−", "-").replace("M'", "P")
    text = re.sub(r"⌊n\*\*2/4⌋", "(n*n//4)", text)
    text = re.sub(r"[⌈⌊]", lambda found: {"⌈": "ceil(Fraction(", "⌊": "floor(Fraction("}[found[0]], text)
    text = re.sub(r"/w[⌉⌋]", ")/w)", text)
    return eval(text, {"ceil": ceil, "floor": floor, "Fraction": Fraction, "P": given.get("M'")} | given)


def complete(rule):
    """Whether every formula of a rule comes with all its numbers, and is what it says."""
    found = [part for part in rule.split("; ") if FORMULA.search(part)]
    for part in found:
        given = {name: int(number) for name, number in GIVEN.findall(part)}
        given |= {"last": int(last[1])} if (last := re.search(r"i = 1, …, (\d+)", part)) else {}
        formula, count = FORMULA.search(part).groups()
        if value(formula, given) != int(count):
            return False
    return not re.search(r"[⌈Σ]", " ".join(part for part in rule.split("; ") if part not in found))


@pytest.mark.parametrize("unit", [{}, SEVERAL], ids=["one row", "three rows"])
@pytest.mark.parametrize(("sql", "how"), QUESTIONS)
def test_every_rule_comes_with_its_numbers(sql, how, unit):
    curator = nl.Curator.open(TABLE, nl.Schema(**COLUMNS, **unit), budget=60, table="t")
    preview = curator.preview(sql, **how)
    assert complete(preview.rule), preview.rule
    assert preview.rule in preview.guarantee.explain()
    if not unit and preview.rule.count(";") == 0 and "= " in preview.rule:
        assert f"= {preview.count}" in preview.rule or "one more for zero rows" in preview.rule
    assert curator.ask(sql, **how).guarantee.statement == preview.rule


@pytest.mark.parametrize(
    "column", [nl.Integer(0, 7), nl.Real("-1.25", "0.25", step="0.5")], ids=["whole", "both sides"]
)
def test_the_numbers_of_rules(column):
    """For every number of rows of a person, up to all of the table, and every width."""
    for size, rows, width in product(range(1, 6), range(1, 6), (1, 2, 3, 10, 500)):
        for release in (Total(Part((0,), size), "x", column, HALF), Variance(Part((0,), size), "x", column, HALF)):
            text = release.stated(width, min(rows, size))
            assert complete(text), text
            assert str(release.answers(width, min(rows, size))) in text
        some = Part((0,), size, Within("x", ((1, 2),)), ("x",), 1)
        text = FilteredTotal(some, "x", column, HALF).stated(width, min(rows, size))
        assert complete(text), text


def test_a_rule_without_its_numbers_is_noticed():
    """As it was."""
    assert not complete("a sum of codes in bins of w: at most ⌈M/w⌉ + 1 answers")
    assert not complete("a sum of codes in bins of w = 24: at most ⌈M/w⌉ + 1 = 65 answers for M = 1500")
    assert complete("a sum of codes in bins of w = 24: at most ⌈M/w⌉ + 1 = 64 answers for M = 1500")


def test_refined_sums_say_so():
    """They were called variances."""
    total = Total(Part((0,), 100), "age", nl.Integer(0, 120), Fraction(0))
    assert RefinedTotal(total, 40).stated(10) == "a sum known in bins of 40, now in bins of w = 10: 4 answers"
    assert "M = 120" in RefinedTotal(total, 4000).stated(100)


def test_copies_and_records():
    curator = nl.Curator.open(TABLE, nl.Schema(**COLUMNS), budget=60, table="t")
    assert re.search(r"the product over columns, [\d·]+ = \d+$", curator.preview_release(bits=6).guarantee.statement)
    made = nl.Local(age=(0, 120), pay=(0, 900)).calibrate(bits=4)
    assert "multiply, 4·4 = 16, NP Thm 6" in made.guarantee.statement


@pytest.mark.parametrize(
    ("people", "rows", "words"),
    [
        (1, 1, "⌈⌊n²/4⌋M²/w⌉ + 1 = 1 answers for n = 1 and M = 3"),
        (5, 1, "⌈(n−1)M²/w⌉ + 1 = 37 answers for n = 5 and M = 3"),
        (3, 2, "⌈⌊n²/4⌋M²/w⌉ + 1 = 19 answers for n = 3, r = 2 rows and M = 3"),
        (4, 2, "⌈r(n−r)M²/w⌉ + 1 = 37 answers for n = 4, r = 2 rows and M = 3"),
        (5, 2, "⌈r(n−r)M²/w⌉ + 1 = 55 answers for n = 5, r = 2 rows and M = 3"),
    ],
)
def test_variances_are_stated_for_the_rows_of_a_person(people, rows, words):
    variance = Variance(Part((0,), people), "x", nl.Real(0, 3, step=1), HALF)
    assert variance.stated(1, rows) == f"a variance in bins of w = 1: at most {words}"


@pytest.mark.parametrize(
    ("rows", "words"),
    [(1, "⌈M/w⌉ + 1 = 3 answers for M = 3"), (2, "⌈rM/w⌉ + 1 = 4 answers for r = 2 rows and M = 3")],
)
def test_sums_are_stated_for_the_rows_of_a_person(rows, words):
    total = Total(Part((0,), 100), "x", nl.Real(0, 3, step=1), HALF)
    assert total.stated(2, rows) == f"a sum of codes in bins of w = 2: at most {words}"
