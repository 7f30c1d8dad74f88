"""Questions of several steps: the truth, the error, the number, repeats, refusals, crashes, and certificates."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator import asking
from noiseless.curator.ledger.verify import spending, verify_ledger
from noiseless.curator.question import centred
from noiseless.curator.question.execute import execute

SCHEMA = nl.Schema(
    x=nl.Integer(0, 20, missing="apart"),
    y=nl.Real(-1, 4, step="0.5", missing="apart", on_grid=True),
    s=nl.Boolean(missing=False),
    g=nl.Public("n", "s"),
)
MEAN = "SELECT AVG(x) FROM t WHERE s"


def drawn(seed: int, number: int, share: float = 0.5):
    draw = random.Random(seed)
    return [
        (
            draw.choice((*range(21), None)),
            draw.choice((-1, 0, 0.5, 2, 4, None)),
            draw.random() < share,
            draw.choice("nns"),
        )
        for _ in range(number)
    ]


def opened(rows, **options) -> nl.Curator:
    columns = dict(zip("xysg", map(list, zip(*rows, strict=True)), strict=True))
    types = {"x": pa.int64(), "y": pa.float64(), "s": pa.bool_(), "g": pa.string()}
    table = pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})
    return nl.Curator.open(table, SCHEMA, **{"budget": 60, "table": "t"} | options)


def mean(rows, place: int, group: str | None = None) -> Fraction | None:
    values = [Fraction(row[place]) for row in rows if row[place] is not None and row[2] and group in (None, row[3])]
    return sum(values, Fraction(0)) / len(values) if values else None


def variance(rows, place: int) -> Fraction:
    values = [Fraction(row[place]) for row in rows if row[place] is not None and row[2]]
    average = sum(values, Fraction(0)) / len(values)
    return sum(((value - average) ** 2 for value in values), Fraction(0)) / len(values)


def kept(answer: nl.Answer, label: str, truth: Fraction | None, error, row: int = 0) -> None:
    """The truth is inside, and the error is kept unless the answer says otherwise."""
    number = answer.rows[row][label]
    if truth is None:  # no row counts: nothing is reported, or what would hold if any did
        return
    assert number.lower <= truth <= number.upper
    assert answer.coarser or number.upper - number.lower <= 2 * Fraction(error)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("stable", [False, True])
def test_means_and_variances_are_true_and_keep_their_error(seed, stable):
    rows, refused = drawn(seed, [40, 300, 2000][seed % 3], [0.2, 0.5, 0.9, 0.0][seed % 4]), list[str]()
    with opened(rows) as curator:
        asked = [("AVG(x)", mean(rows, 0), e) for e in ("8", "3", "1.5")] + [("AVG(y)", mean(rows, 1), "0.8")]
        if mean(rows, 0) is not None:
            asked += [("VAR_POP(x)", variance(rows, 0), "20")]
        for label, truth, error in asked:
            try:
                answer = curator.ask(f"SELECT {label} FROM t WHERE s", error=error, stable=stable)
            except nl.BudgetError as few:
                refused.append(str(few))
                continue
            kept(answer, label, truth, error)
            assert nl.verify(answer.certificate).count == answer.guarantee.count
            again = curator.ask(f"SELECT {label} FROM t WHERE s", error=error, stable=stable)
            assert (again.factor, again.rows) == (1, answer.rows)
            if answer.entry:
                assert curator.recall(answer.entry).certificate.content["releases"] is not None
        assert verify_ledger(curator.entries()) == len(curator.entries())
    assert all("too few" in each for each in refused)
    assert not (stable and refused)


def test_groups_and_other_numbers_in_the_same_question():
    rows = drawn(9, 900, 0.6)
    with opened(rows) as curator:
        answer = curator.ask("SELECT g, AVG(x), COUNT(*) FROM t WHERE s GROUP BY g", error=3)
        for place, group in enumerate("ns"):
            kept(answer, "AVG(x)", mean(rows, 0, group), 3, place)
            counted = sum(row[2] and row[3] == group for row in rows)
            assert answer.rows[place]["COUNT(*)"].lower <= counted <= answer.rows[place]["COUNT(*)"].upper
        assert nl.verify(answer.certificate)
        assert answer.entry == 1
        assert [spent.number for spent in spending(curator.entries())] == [1]


def test_a_question_is_one_number_with_all_its_steps():
    rows = drawn(3, 3000)
    with opened(rows) as curator:
        first = curator.ask(MEAN, error=1)
        steps = [entry for entry in curator.entries() if entry.kind == "ask"]
        assert len(steps) == 2
        assert [entry.body.get("after") for entry in steps] == [None, str(steps[0].number)]
        assert [entry.body.get("more", False) for entry in steps] == [True, False]
        second = curator.ask("SELECT COUNT(*) FROM t WHERE s")
        assert (first.entry, second.entry, curator.status().questions) == (1, 2, 2)
        listed = list(spending(curator.entries()))
        assert [spent.number for spent in listed] == [1, 2]
        assert listed[0].factor == first.factor
        content = first.certificate.content
        assert len(content["steps"]) == 1
        recalled = curator.recall(1)
        assert (recalled.rows, recalled.factor) == (first.rows, first.factor)
        assert nl.verify(recalled.certificate)


def test_the_centre_moves_to_where_the_mean_is_known_to_be():
    """The middle of the range is 10, and all values are near 2."""
    rows = [(k % 4 + 1, 0, True, "n") for k in range(4000)] + [(9, 0, False, "n")] * 500
    with opened(rows) as curator:
        coarse = curator.ask(MEAN, error=2)
        fine = curator.ask(MEAN, error="0.2")
        [width] = [str(width) for width in fine.widths.values() if "~" in str(width)]
        assert int(width.split("~")[1]) < 6
        assert fine.rows[0].lower <= Fraction(5, 2) <= fine.rows[0].upper
        assert fine.rows[0].upper - fine.rows[0].lower <= Fraction(2, 5)
        assert nl.verify(fine.certificate)
        assert curator.ask(MEAN, error="0.2").factor == 1
        assert curator.recall(coarse.entry).rows == coarse.rows  # asked again, it is cut to what is known


def test_a_preview_shows_its_steps_and_how_the_error_is_divided():
    with opened(drawn(3, 3000)) as curator:
        count, total = curator.preview(MEAN, error=1).steps
        assert re.fullmatch(r"a count in bins of \d+ with guards of 1 \(\d+ % of the error\)", count)
        assert re.fullmatch(r"a sum about a centre in bins of \d+ with guards of 20", total)
        assert 10 < int(count.split("(")[1].split()[0]) < 60
        assert "finest stable level" in curator.preview(MEAN, error=1, stable=True).steps[0]
        assert curator.preview("SELECT COUNT(*) FROM t WHERE s", error=1).steps == ()


def test_too_few_rows_are_charged_the_count_only():
    rows = drawn(1, 3000, 0.01)
    with opened(rows) as curator:
        with pytest.raises(nl.BudgetError, match=r"the condition keeps \d+( to \d+)? rows, too few for error=0.3"):
            curator.ask(MEAN, error="0.3")
        assert 59 < curator.remaining < 60
        with pytest.raises(nl.QuestionError, match="stopped before its last step"):
            curator.recall(1)
        with pytest.raises(nl.BudgetError, match="nothing was charged"):
            curator.ask(MEAN, error="0.3")
        assert curator.ask(MEAN, error=6).entry == 1  # goes on


def test_max_bits_cover_all_steps():
    rows = drawn(3, 3000)
    with opened(rows) as curator:
        answer = curator.ask(MEAN, error=1, max_bits=4)
        assert answer.cost <= 4
        with pytest.raises(nl.BudgetExceededError, match="nothing was charged"):
            curator.ask("SELECT AVG(y) FROM t WHERE s", error="0.1", max_bits="0.5")
        assert len(curator.entries()) == 5


def test_a_retry_after_a_crash_continues_under_the_same_number(tmp_path, monkeypatch):
    rows, store = drawn(3, 3000), {"ledger": tmp_path / "l.db", "store": tmp_path / "s"}
    whole = opened(rows).ask(MEAN, error=1)
    real = execute
    for step in (1, 2):
        calls = []

        def dies(*arguments, calls=calls, step=step):
            calls.append(1)
            if len(calls) == step:
                raise KeyboardInterrupt
            return real(*arguments)

        place = {name: value.with_name(f"{step}{value.name}") for name, value in store.items()}
        with opened(rows, **place) as curator:
            monkeypatch.setattr(asking, "execute", dies)
            with pytest.raises(KeyboardInterrupt):
                curator.ask(MEAN, error=1)
            monkeypatch.setattr(asking, "execute", real)
            reserved = curator.remaining
        with opened(rows, **place) as curator:
            assert curator.remaining > reserved
            answer = curator.ask(MEAN, error=1)
            assert (answer.rows, answer.entry) == (whole.rows, 1)
            assert curator.recall(1).factor == whole.factor
            assert nl.verify(curator.recall(1).certificate)


def test_a_ratio_keeps_its_own_error():
    rows = [(k % 21, (k % 5) / 2, k % 3 > 0, "n") for k in range(6000)]
    own = [row for row in rows if row[2]]
    total = sum(row[0] for row in own)
    with opened(rows) as curator:
        for sql, truth, error in (
            ("SELECT SUM(x) / COUNT(x) AS r FROM t WHERE s", mean(rows, 0), "0.5"),
            ("SELECT SUM(y) / SUM(x) AS r FROM t WHERE s", Fraction(sum(r[1] for r in own)) / total, "0.02"),
            ("SELECT COUNT(x) / SUM(x) AS r FROM t WHERE s", Fraction(len(own), total), "0.01"),
        ):
            preview = curator.preview(sql, error=error)
            assert preview.error == Fraction(error)
            answer = curator.ask(sql, error=error)
            assert answer.rows[0].lower <= truth <= answer.rows[0].upper
            assert answer.rows[0].upper - answer.rows[0].lower <= 2 * Fraction(error)
            assert nl.verify(answer.certificate)
            assert answer.factor == 1 or curator.recall(answer.entry).rows == answer.rows
            assert curator.ask(sql, error=error).factor == 1


def test_a_divisor_of_zero():
    rows = [(0, 0, k % 3 > 0, "n") for k in range(600)]
    with opened(rows) as curator, pytest.raises(nl.BudgetError, match="divisor may be 0"):
        curator.ask("SELECT SUM(y) / SUM(x) AS r FROM t WHERE s", error=1)


def test_shares_of_the_error_have_the_least_expected_price():
    """Against all divisions, computed independently."""
    from itertools import product
    from math import log2

    def entropy(chance):
        return -chance * log2(chance) - (1 - chance) * log2(1 - chance)

    for wide, guards in (((900, 60_000), (1, 1500)), ((40, 4000), (1, 20)), ((300, 9000, 80_000), (1, 20, 400))):
        shares = centred._shares(tuple(map(Fraction, wide)), guards)
        assert sum(shares) == 1
        best = min(
            sum(entropy(g / (1 + s * w / 16 + g)) for s, w, g in zip(each, wide, guards, strict=True))
            for each in product(range(1, 16), repeat=len(wide))
            if sum(each) == 16 and all(1 + s * w / 16 > g for s, w, g in zip(each, wide, guards, strict=True))
        )
        found = sum(entropy(g / (1 + float(s * w) + g)) for s, w, g in zip(shares, wide, guards, strict=True))
        assert abs(found - best) < 1e-9


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"stable": True}, "needs error="),
        ({"stable": True, "bits": 1}, "needs error="),
        ({"bits": 1, "error": 1}, "not both"),
        ({"error": -1}, "at least 0"),
        ({"error": float("nan")}, "error"),
    ],
)
def test_bad_terms_are_refused_with_nothing_charged(terms, words):
    with opened(drawn(1, 20)) as curator:
        for run in (curator.preview, curator.ask):
            with pytest.raises(nl.NoiselessError, match=words):
                run(MEAN, **terms)
        assert len(curator.entries()) == 1


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("error", ["0", "0.5", "3", "100"])
@pytest.mark.parametrize("stable", [False, True])
def test_tiny_tables(rows, error, stable):
    table, refused = drawn(rows, rows), list[str]()
    with opened(table) as curator:
        for label, truth in (("AVG(x)", mean(table, 0)), ("MEDIAN(x)", None), ("COUNT(*)", None), ("SUM(x)", None)):
            try:
                answer = curator.ask(f"SELECT {label} FROM t WHERE s", error=error, stable=stable)
            except nl.BudgetError as few:
                refused.append(str(few))
                continue
            assert nl.verify(answer.certificate)
            if label == "AVG(x)" and truth is not None:
                assert answer.rows[0].lower <= truth <= answer.rows[0].upper
    assert all("too few" in each for each in refused)


def test_a_count_that_is_hardly_too_coarse_is_asked_again():
    """In bins half as wide: bins of the best width would say little more, and the question must not be refused."""
    rows = {"x": [k % 51 for k in range(3000)], "h": [k < 585 for k in range(3000)]}
    schema = nl.Schema(x=nl.Integer(0, 50), h=nl.Boolean())
    with nl.Curator.open(pa.table(rows), schema, budget=9, table="t", store=":memory:") as curator:
        answer = curator.ask("SELECT AVG(x) FROM t WHERE h", error=1)
        counts = [each.body["questions"][0]["widths"][0][0] for each in curator.entries() if each.kind == "ask"]
    assert counts == ["36+1", "18+1", "18+1"]
    [mean] = answer.rows
    assert mean.upper - mean.lower <= 2
    assert nl.verify(answer.certificate).count == answer.guarantee.count
