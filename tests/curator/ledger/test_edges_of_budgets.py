"""Budgets that are no powers of two, at their very edge: so many transcripts and not one more."""

from __future__ import annotations

import pandas as pd
import pytest

import noiseless as nl

EDGES = {3: "1.585", 5: "2.322", 6: "2.585", 7: "2.8074", 12: "3.585"}
"""Transcripts, and bits that just allow them."""
VALUES = [f"v{place}" for place in range(13)]


def opened(values: int, **given) -> nl.Curator:
    """A private category of so many values, and one of two."""
    table = pd.DataFrame({"s": VALUES[:1], "t": ["no"], "g": ["n"]})
    schema = nl.Schema(s=nl.Category(*VALUES[:values]), t=nl.Category("no", "yes"), g=nl.Public("n", "e"))
    return nl.Curator.open(table, schema, table="t", store=":memory:", **given)


HISTOGRAM = "SELECT s, COUNT(*) FROM t GROUP BY s"


@pytest.mark.parametrize(("answers", "bits"), EDGES.items())
def test_asking(answers, bits):
    assert nl.answers_within(bits) == answers
    with opened(answers, budget=bits) as curator:
        assert curator.preview(HISTOGRAM).affordable
        assert curator.ask(HISTOGRAM).factor == answers == curator.sequence.spent() == curator.sequence.budget
        assert curator.remaining == 0
        with pytest.raises(nl.BudgetExceededError):
            curator.ask("SELECT COUNT(*) FROM t WHERE t = 'yes'")
        assert not curator.preview("SELECT COUNT(*) FROM t WHERE t = 'yes'").affordable
        assert curator.ask(HISTOGRAM).factor == 1
    with opened(answers + 1, budget=bits) as curator:
        assert not curator.preview(HISTOGRAM).affordable
        with pytest.raises(nl.BudgetExceededError):
            curator.ask(HISTOGRAM)
        with pytest.raises(nl.BudgetExceededError):
            curator.batch([HISTOGRAM, "SELECT COUNT(*) FROM t WHERE g = 'n'"])
        assert curator.sequence.spent() == 1


@pytest.mark.parametrize(("answers", "bits"), EDGES.items())
def test_asking_twice(answers, bits):
    """2·⌊B/2⌋ transcripts are allowed and 2·(⌊B/2⌋ + 1) are not."""
    first = "SELECT COUNT(*) FROM t WHERE t = 'yes'"
    half = answers // 2
    for values, allowed in ((half, True), (half + 1, False)):
        if values < 2:
            continue
        with opened(values, budget=bits) as curator:
            assert curator.ask(first).factor == 2
            assert curator.preview(HISTOGRAM).affordable is allowed
            if allowed:
                assert curator.ask(HISTOGRAM).factor == values
            else:
                with pytest.raises(nl.BudgetExceededError):
                    curator.ask(HISTOGRAM)
            assert curator.sequence.spent() == (2 * values if allowed else 2)


@pytest.mark.parametrize(("answers", "bits"), EDGES.items())
def test_copies(answers, bits, tmp_path):
    table = pd.DataFrame({"s": VALUES[:1], "t": ["no"], "g": ["n"]})
    for values, allowed in ((answers, True), (answers + 1, False)):
        schema = nl.Schema(s=nl.Category(*VALUES[:values]), g=nl.Public("n"))
        with nl.Curator.open(table, schema, budget=bits, table="t") as curator:
            assert curator.preview_release().affordable is allowed
            if allowed:
                assert curator.release(tmp_path / "copy.csv").factor == answers
                assert curator.remaining == 0
            else:
                with pytest.raises(nl.BudgetExceededError):
                    curator.release(tmp_path / "more.csv")
                assert curator.sequence.spent() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["copy.csv"]


@pytest.mark.parametrize(("answers", "bits"), EDGES.items())
def test_quotas_and_limits(answers, bits):
    for values, allowed in ((answers, True), (answers + 1, False)):
        for given, asked in (({"quotas": {"*": bits}}, {}), ({"quotas": {"a": bits}}, {"analyst": "a"})):
            with opened(values, budget=20, **given) as curator:
                if allowed:
                    assert curator.ask(HISTOGRAM, **asked).factor == values
                    with pytest.raises(nl.BudgetExceededError, match="quota"):
                        curator.ask("SELECT COUNT(*) FROM t WHERE t = 'yes'", **asked)
                else:
                    with pytest.raises(nl.BudgetExceededError, match="quota"):
                        curator.ask(HISTOGRAM, **asked)
        with opened(values, budget=20) as curator:
            if allowed:
                assert curator.ask(HISTOGRAM, max_bits=bits).factor == values
            else:
                with pytest.raises(nl.BudgetExceededError, match="max_bits"):
                    curator.ask(HISTOGRAM, max_bits=bits)
