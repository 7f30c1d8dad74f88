"""Very many groups are answered as if one by one: the same answers, prices, certificates and refusals."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator import deducing
from noiseless.curator.ledger.verify import spending, verify_ledger
from noiseless.curator.question import groups, price
from noiseless.errors import NoiselessError

KEYS = 40
QUESTIONS = [
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"bits": 2}),
    ("SELECT AVG(x) AS m, g, COUNT(*), SUM(y) FROM t GROUP BY g", {"bits": 3}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"error": "2.5"}),
    ("SELECT g, SUM(x) FROM t GROUP BY g HAVING SUM(x) > 40 ORDER BY SUM(x) DESC, g LIMIT 7", {"bits": 2}),
    ("SELECT g, AVG(x) FROM t WHERE y >= 4 GROUP BY g", {"bits": 4}),
    ("SELECT g, COUNT(*) FROM t WHERE y >= 4 GROUP BY g LIMIT 9", {}),
    ("SELECT g, COUNT(*) FROM t WHERE y >= 4 GROUP BY g", {"error": 3}),
    ("SELECT g, AVG(x) FROM t WHERE y >= 4 GROUP BY g", {"bits": 4}),
    ("SELECT g, AVG(x) FROM t WHERE y >= 4 GROUP BY g", {"error": 2}),
    ("SELECT g, COUNT(z), AVG(z) FROM t GROUP BY g", {"bits": 5}),
    ("SELECT g, COUNT(*) FROM t WHERE z IS NULL GROUP BY g", {}),
    ("SELECT g, MEDIAN(x), MAX(y) FROM t GROUP BY g", {"bits": 2}),
    ("SELECT g, MEDIAN(x) FROM t GROUP BY g", {"error": 1}),
    ("SELECT g, VAR_POP(x) FROM t GROUP BY g", {"bits": 3}),
    ("SELECT g, VAR_POP(x) FROM t GROUP BY g", {"bits": 8}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"bits": "0.5"}),
    ("SELECT g, AVG(y) FROM t GROUP BY g", {"error": 1, "stable": True}),
    ("SELECT g, SUM(x) / COUNT(*) AS r FROM t GROUP BY g", {"error": 1}),
    ("SELECT g, SUM(x) / COUNT(*) AS r FROM t WHERE y >= 5 GROUP BY g", {"error": 0}),
    ("SELECT g, SUM(x) - 2 * SUM(y) AS d, 7 AS seven FROM t GROUP BY g", {"bits": 3}),
    ("SELECT g, AVG(x) FROM t WHERE g <> 4 GROUP BY g", {"bits": 5}),
    ("SELECT g, AVG(x) FROM t WHERE (g < 20 AND y > 3) OR g IN (30, 31, 35) GROUP BY g", {"bits": 5}),
    ("SELECT AVG(x) FROM t WHERE g = 7", {"bits": 6}),
    ("SELECT SUM(x) FROM t WHERE g = 8", {"bits": 7}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"bits": 6}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"bits": 7}),
    ("SELECT g, SUM(x) FROM t GROUP BY g", {"bits": 7}),
    ("SELECT AVG(x) FROM t WHERE g = 11", {"bits": 7}),
    ("SELECT AVG(x) FROM t", {"bits": 2}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"error": 0}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"error": "0.25"}),
    ("SELECT g, AVG(z) FROM t GROUP BY g", {"error": "0.25"}),
    ("SELECT g, AVG(x), SUM(y) FROM t GROUP BY g", {"bits": "0.1"}),
    ("SELECT g, AVG(x), SUM(y) FROM t GROUP BY g", {"bits": 1}),
    ("SELECT g, AVG(x) FROM t GROUP BY g", {"bits": 900}),
    (["SELECT g, AVG(x) FROM t GROUP BY g", "SELECT SUM(x) FROM t", "SELECT g, SUM(y) FROM t GROUP BY g"], {"bits": 1}),
]


def table(seed: int, sizes: tuple[int, ...], people: bool = False) -> pa.Table:
    draw = random.Random(seed)
    g = [key for key in range(KEYS) if key % 13 for _ in range(draw.choice(sizes))]
    z = [draw.choice([None, *range(10)]) for _ in g]
    found = {"g": g, "x": [draw.randrange(21) for _ in g], "y": [draw.randrange(11) for _ in g], "z": z}
    if people:
        found |= {"person": [place // 2 for place in range(len(g))], "day": [place % 2 for place in range(len(g))]}
    return pa.table(found)


def schema(people: bool = False) -> nl.Schema:
    numbers = {"x": nl.Integer(0, 20), "y": nl.Integer(0, 10), "z": nl.Integer(0, 9, missing="apart")}
    whose: dict[str, Any] = {"unit": "person", "rows": 2, "order_by": "day"} if people else {}
    days = {"day": nl.Public()} if people else {}
    return nl.Schema({**numbers, "g": nl.Public(*range(KEYS)), **days}, **whose)


@contextmanager
def understood(monkeypatch, fewest: int):
    """Groups understood by samples if there are at least `fewest`, with one account for everybody.

    Nothing is deduced: very many groups are bought without looking, and these are few.
    """
    with monkeypatch.context() as patched:
        patched.setattr(deducing, "MOST_LINES", 0)
        patched.setattr(price, "MOST_CELLS", 3)
        patched.setattr(groups, "FEWEST", fewest)
        patched.setattr(groups, "WORTH", 1)
        yield


def told(curator, question, terms):
    """All that somebody is told: the preview, the answer with its certificate, or the refusal."""
    try:
        if isinstance(question, list):
            answers = curator.batch(question, **terms)
            return [(each.rows, each.factor, dict(each.widths), content(each)) for each in answers], answers.count
        preview = curator.preview(question, **terms)
        seen = [preview.rows, preview.guarantee, preview.factor, preview.dearest, preview.chance, preview.remaining]
        answer = curator.ask(question, **terms)
        again = curator.ask(question, **terms)
        seen += [answer.rows, answer.guarantee, answer.per_row, answer.factor, answer.taken, answer.paid_by]
        seen += [answer.loud, answer.coarser, dict(answer.widths), answer.remaining, content(answer)]
        assert again.rows == answer.rows
        if answer.factor > 1:
            seen += [curator.recall(answer.entry).rows, content(curator.recall(answer.entry))]
            assert seen[-2] == answer.rows
        return [*seen, again.factor, curator.preview(question, **terms).factor]
    except NoiselessError as refused:
        return type(refused), str(refused)


def content(answer):
    """The certificate without what differs between ledgers."""
    assert nl.verify(answer.certificate).count
    kept = {name: value for name, value in answer.certificate.content.items() if name not in ("id", "dataset")}
    steps = [kept["ledger"], *kept.get("steps", [])]
    return kept | {"ledger": None, "steps": [(each["entry"], each["factor"]) for each in steps]}


@pytest.mark.parametrize("people", [False, True], ids=["one row", "two rows"])
@pytest.mark.parametrize("sizes", [(4,), (1, 2, 3), (2, 5, 9, 30)])
def test_the_same_is_told(monkeypatch, sizes, people):
    """In any order of questions, before and after a ledger was opened again."""
    for seed in range(2):
        given, declared = table(seed, sizes, people), schema(people)
        asked = random.Random(seed).sample(QUESTIONS, len(QUESTIONS)) if seed else QUESTIONS
        seen = []
        for fewest in (10**9, 2):
            with understood(monkeypatch, fewest), nl.Curator.open(given, declared, budget=900, table="t") as curator:
                seen.append([told(curator, *each) for each in asked])
                entries = curator.entries()
                assert verify_ledger(entries) == len(entries)
                seen[-1].append([(s.factor, s.taken, s.left, s.outcome) for s in spending(entries)])
                columns = [entry for entry in entries if any("cells" in each for each in entry.body.get("paid", ()))]
                assert bool(columns) == (fewest == 2)
        for place, (one, other) in enumerate(zip(*seen, strict=True)):
            assert one == other, asked[place] if place < len(asked) else "spending"


@pytest.mark.parametrize("first", ["g = 0", "g IN (0, 1)", "g = 19"])
@pytest.mark.parametrize("ends", ["", " GROUP BY g"])
def test_groups_that_were_paid_for_before_do_not_make_the_rest_cheaper(monkeypatch, first, ends):
    """The rows of a person may be in several of the other groups, so these keep as many samples as a person has rows.

    All of them have six rows, so those of the first groups are the samples.
    """
    g = [key for key in range(20) for _ in range(6)]
    day = pa.array([place % 3 for place in range(120)])
    whose = {"unit": "person", "rows": 3, "order_by": "day"}
    given = pa.table({"g": g, "y": [3 * place % 11 for place in range(120)], "person": [p // 3 for p in range(120)]})
    declared = nl.Schema({"y": nl.Integer(0, 10), "g": nl.Public(*range(20)), "day": nl.Public()}, **whose)
    rest, told = "SELECT g, COUNT(*) FROM t WHERE y >= 4 GROUP BY g", []
    for fewest in (10**9, 2):
        with (
            understood(monkeypatch, fewest),
            nl.Curator.open(given.append_column("day", day), declared, budget=99, table="t") as curator,
        ):
            keys = "g, " if ends else ""
            curator.ask(f"SELECT {keys}COUNT(*) FROM t WHERE y >= 4 AND {first}{ends}")
            told.append((curator.preview(rest).factor, curator.ask(rest).factor, curator.remaining))
    assert told[0] == told[1]
    assert told[0][0] == 2**3
