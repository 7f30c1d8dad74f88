"""Texts that differ only in their numbers are parsed once: the plan is the one that the parser makes of each text."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.sql import read as reading
from noiseless.curator.sql import shapes
from noiseless.curator.sql.read import read
from noiseless.curator.sql.shapes import MOST, SHAPES, Shapes
from tests.curator import small
from tests.curator.sql.test_fuzz import mutated, varied
from tests.laws.test_curator_laws import QUESTIONS

SCHEMA = nl.Schema(
    age=nl.Integer(0, 120),
    height=nl.Real(100, 250, step="0.1"),
    name5=nl.Category("5", "x 5", "it's 5"),
    region=nl.Public("north", "5"),
)
PLAIN = [
    "SELECT COUNT(*) FROM t WHERE age < {} AND height BETWEEN {} AND {} OR NOT age = -{}",
    "SELECT region, AVG(height) AS \"m 5\", SUM(age + {}) FROM t WHERE name5 = 'x 5' AND age > {} GROUP BY region",
    "SELECT AVG(height) - {}, {} * AVG(height) FROM t WHERE age >= {} -- 5",
    "SELECT region, COUNT(*) FROM t WHERE age>{}AND age<{} GROUP BY {} ORDER BY {} DESC LIMIT {}",
    "SELECT SUM(age) FROM t WHERE name5 = 'it''s {}' AND age = {}",
    "SELECT QUANTILE(age, {}) FROM t WHERE age IN ({}, {}) AND ROUND(height, {}) < {}",
    "SELECT COUNT(*) FROM t WHERE $1${}$1$ = name5 AND age < {}",
    "SELECT COUNT(*) FROM t WHERE age < {}e1 AND age > .{} AND age <> {}. AND height > 1_{}",
    "SELECT COUNT(*) FROM t WHERE age < CASE WHEN age > {} THEN {} ELSE {} END /* {} */",
    "SELECT {} FROM t LIMIT {}",
]
NUMBERS = ["0", "1", "2", "3", "5", "007", "60", "119", "0.5", "0.10", "150.5", "7000000001", "7000000002.5"]


@pytest.fixture(autouse=True)
def nothing_known():
    SHAPES.known.clear()


def planned(text: str) -> Any:
    try:
        return read(text, SCHEMA, "t")
    except nl.NoiselessError as refused:
        return type(refused), str(refused)


def parsed_itself(text: str, monkeypatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(Shapes, "read", lambda *_: None)
        return planned(text)


def texts(generator: random.Random) -> list[str]:
    return [re.sub(re.escape("{}"), lambda _: generator.choice(NUMBERS), form) for form in PLAIN]


def test_the_plan_is_that_of_the_text_itself(monkeypatch):
    """Every form with many numbers, in the same place once refused and once not, and the same number twice."""
    generator, answered = random.Random(3), 0
    for _ in range(60):
        for text in texts(generator):
            found = planned(text)
            assert found == parsed_itself(text, monkeypatch), text
            answered += not isinstance(found, tuple)
    assert answered > 100
    assert any(SHAPES.known.values())
    assert not all(SHAPES.known.values())


def test_mutated_questions_mean_the_same(monkeypatch):
    """As in the fuzz tests, each with other numbers too, which come after a text of the same shape."""
    generator, used = random.Random(11), 0
    for _ in range(1500):
        text = generator.choice([mutated, varied, lambda each: each.choice(QUESTIONS)[1]])(generator)
        again = re.sub(r"(?<![\w.'])[0-9]+(?![\w.'])", lambda _: str(generator.randrange(4)), text)
        for each in (text, again):
            known = sum(shape is not None for shape in SHAPES.known.values())
            results = []
            for itself in (False, True):
                with monkeypatch.context() as patch:
                    if itself:
                        patch.setattr(Shapes, "read", lambda *_: None)
                    try:
                        results.append(read(each, small.SCHEMA, "t"))
                    except nl.NoiselessError as refused:
                        results.append((type(refused), str(refused)))
            assert results[0] == results[1], each
            used += known > 0
    assert used > 1000


def test_a_text_of_a_known_shape_is_not_parsed(monkeypatch):
    assert planned("SELECT COUNT(*) FROM t WHERE age < 5") == planned("SELECT COUNT(*) FROM t WHERE age < 5")
    monkeypatch.setattr(reading, "_in_words", lambda text: 1 / 0)
    assert planned("SELECT COUNT(*) FROM t WHERE age < 60").where.ranges == ((0, 59),)
    with pytest.raises(ZeroDivisionError):
        planned("SELECT COUNT(*) FROM t WHERE age <= 60")
    with pytest.raises(ZeroDivisionError):  # a number with decimals is another shape
        planned("SELECT COUNT(*) FROM t WHERE age < 60.5")


def test_a_statement_that_was_refused_is_not_used_again(monkeypatch):
    form = "SELECT COUNT(*) FROM t WHERE age < {} LIMIT {}"
    assert not isinstance(planned(form.format(5, 1)), tuple)
    [shape] = SHAPES.known.values()
    assert shape is not None
    monkeypatch.setattr(reading, "_plan_of", lambda *_, **__: (_ for _ in ()).throw(nl.QuestionError("no")))
    assert planned(form.format(5, 1))[0] is nl.QuestionError
    assert shape not in SHAPES.known.values()


def test_a_wrong_variant_is_caught(monkeypatch):
    """If numbers were put back in another order, or strings were taken for numbers, the plans would differ."""
    generator = random.Random(5)
    right = shapes.shape_of

    def reversed_shape(*given):
        shape = right(*given)
        return None if shape is None else shapes.Shape(shape.statement, shape.numbers[::-1])

    with monkeypatch.context() as patch:
        patch.setattr(reading, "shape_of", reversed_shape)
        wrong = [text for _ in range(10) for text in texts(generator) if planned(text) != parsed_itself(text, patch)]
    assert len(wrong) > 10


def test_threads_do_not_share_a_statement():
    forms = [PLAIN[0].format(a, b, b + 30, a) for a, b in zip(range(100), range(100, 200), strict=True)]
    right = [planned(each) for each in forms]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(planned, forms)) == right


def test_few_shapes_are_kept():
    for place in range(MOST + 50):
        planned(f"SELECT COUNT(*) AS a{place} FROM t WHERE age < 5")
    assert len(SHAPES.known) == MOST
