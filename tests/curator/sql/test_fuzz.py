"""10,000 random and mutated texts: each is answered and charged, or refused in our own words."""

from __future__ import annotations

import random

import pytest

import noiseless as nl
from tests.curator.small import FIRST, OTHERS, fresh, opened, shown
from tests.laws.test_curator_laws import QUESTIONS

VOCABULARY = """
SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT AND OR NOT IN BETWEEN IS NULL TRUE AS DESC DISTINCT JOIN ON
UNION WITH OVER CASE WHEN THEN ELSE END EXISTS LIKE CAST ( ) ) ( , , ; * + - / % = <> < > <= >= || :: . .. ' "
-- /* */ 0 1 2.5 -1 1e5 1e400 0x1F 'n' 'yes' '' 'it''s' NULL h x a d s b g k t u people COUNT SUM AVG MIN MAX
MEDIAN QUANTILE VAR_POP STDDEV_POP COUNT(*) AVG(h) SUM(x) COALESCE pg_sleep read_csv getvariable ? $1 @x {x}
[1] \\ \x00 ü 💥 DROP INSERT PRAGMA ATTACH COPY information_schema.tables codes checks noiseless_0 "h" `h`
'codes' DATE INTERVAL EXTRACT UNNEST LATERAL PIVOT USING SAMPLE
"""
WORDS = VOCABULARY.split()
ALIKE = [
    ["h", "x", "a", "d"],
    ["AVG", "SUM", "MIN", "MAX", "MEDIAN", "STDDEV_POP", "COUNT"],
    ["=", "<>", "<", ">", "<=", ">="],
    ["AND", "OR"],
    ["0", "1", "2", "3", "0.3", "1.5"],
    ["'n'", "'s'", "'e'"],
    ["'yes'", "'no'", "'unknown'"],
    ["s", "b", "g", "k"],
]
"""Words that can often stand for each other."""
RUNS, PER_RUN = 10, 1000


def mutated(generator: random.Random) -> str:
    words = generator.choice(QUESTIONS)[1].replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
    for _ in range(generator.randint(1, 4)):
        place = generator.randrange(len(words) + 1)
        match generator.randrange(5):
            case 0:
                words[place:place] = [generator.choice(WORDS)]
            case 1:
                words[place : place + 1] = []
            case 2:
                words[place : place + 1] = [generator.choice(WORDS)]
            case 3:
                other = generator.choice(QUESTIONS)[1].split()
                words[place:] = other[generator.randrange(len(other)) :]
            case _:
                words[place : place + 1] = words[place : place + 1] * 2
    return " ".join(words)


def varied(generator: random.Random) -> str:
    """Another question of the same form."""
    words = generator.choice(QUESTIONS)[1].replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
    for _ in range(generator.randint(1, 3)):
        place = generator.randrange(len(words))
        words[place] = generator.choice(next((alike for alike in ALIKE if words[place] in alike), [words[place]]))
    return " ".join(words)


def text(generator: random.Random) -> str:
    kind = generator.randrange(10)
    if kind == 0:
        return " ".join(generator.choices(WORDS, k=generator.randint(1, 25)))
    if kind == 1:
        return "".join(
            chr(generator.choice([generator.randrange(32, 127), generator.randrange(767)])) for _ in range(40)
        )
    return varied(generator) if kind < 5 else mutated(generator)


def asked(curator: nl.Curator, sql: str, bits: int) -> nl.Answer | None:
    """The answer of a curator whom nothing was asked before; None if it was refused."""
    try:
        return fresh(curator).ask(sql, bits=bits)
    except nl.NoiselessError as refusal:
        if isinstance(refusal, nl.EngineError):
            raise  # what runs is generated, so nothing that is asked can make it fail
        assert refusal.__cause__ is None  # noqa: PT017
        return None


@pytest.mark.parametrize("run", range(RUNS))
def test_texts_are_answered_and_charged_or_refused(run):
    """Two tables that differ in private values only: an answer that differs was charged for."""
    first = opened([FIRST, *OTHERS[2]])
    changed = [(3.0, None, 6, None, "yes", None, "n", 1), (0.0, 0.5, 6, None, None, True, "n", 1)]
    second = opened([*changed, *OTHERS[2][1:]])
    generator, answered = random.Random(run), 0
    for _ in range(PER_RUN):
        sql, bits = text(generator), generator.choice([1, 3, 8])
        one = asked(first, sql, bits)
        if one is None:
            continue
        two = asked(second, sql, bits)
        answered += 1
        assert two is not None, sql  # whether a question is refused depends on public things only
        assert (one.factor, one.guarantee) == (two.factor, two.guarantee)
        if shown(one) != shown(two):
            assert one.factor > 1, sql
    assert answered > PER_RUN // 10
