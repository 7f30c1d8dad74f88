"""Audits: the figures by plain counting, by pycanon, and what theory says of the original."""

from __future__ import annotations

import io
import json
from collections import Counter, defaultdict
from math import exp, inf, log

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import noiseless as nl
from tests.curator.audit import pycanon

ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("xy"), st.integers(0, 4)), min_size=1, max_size=14)


def by_counting(rows):
    """k, distinct ℓ, entropy ℓ, t of the last column, given the others."""
    classes = defaultdict(list)
    for *known, told in rows:
        classes[tuple(known)].append(told)
    values = sorted({row[-1] for row in rows})
    overall = Counter(row[-1] for row in rows)
    entropies, distances = [], []
    for told in classes.values():
        share = {value: told.count(value) / len(told) for value in set(told)}
        entropies.append(-sum(p * log(p) for p in share.values()))
        running, moved = 0.0, 0.0
        for value in values:
            running += share.get(value, 0) - overall[value] / len(rows)
            moved += abs(running)
        distances.append(moved / max(1, len(values) - 1))
    sizes = [len(told) for told in classes.values()]
    return min(sizes), min(len(set(told)) for told in classes.values()), exp(min(entropies)), max(distances)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_figures_by_counting(rows):
    frame = pd.DataFrame(rows, columns=["a", "b", "told"])
    found = nl.audit(frame, ["a", "b"], "told")
    k, distinct, entropy, t = by_counting(rows)
    [told] = found.sensitive
    assert (found.k, told.distinct_l) == (k, distinct)
    assert told.entropy_l == pytest.approx(entropy)
    assert told.t == pytest.approx(t, abs=1e-12)
    assert sum(told.remaining.values()) == len(rows) == found.rows
    assert told.known_rows == told.remaining.get(1, 0)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_names_are_equally_far_apart(rows):
    named = [(a, b, f"v{told}") for a, b, told in rows]
    found = nl.audit(pd.DataFrame(named, columns=["a", "b", "told"]), ["a", "b"], "told").sensitive[0].t
    overall, classes = Counter(row[-1] for row in named), defaultdict(list)
    for *known, told in named:
        classes[tuple(known)].append(told)
    expected = max(
        sum(abs(told.count(v) / len(told) - n / len(named)) for v, n in overall.items()) / 2
        for told in classes.values()
    )
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sensitive", pycanon.SENSITIVE)
def test_the_same_figures_as_pycanon(sensitive, tmp_path):
    pycanon.table().to_csv(tmp_path / "table.csv", index=False)
    theirs = json.loads(pycanon.FOUND.read_text(encoding="utf-8"))[sensitive]
    ours = nl.audit(tmp_path / "table.csv", pycanon.QUASI, sensitive)
    [found] = ours.sensitive
    assert (ours.k, found.distinct_l, int(found.entropy_l)) == (theirs["k"], theirs["l"], theirs["entropy l"])
    assert found.t == pytest.approx(theirs["t"], abs=1e-9)


def test_a_homogeneous_class_tells(tmp_path):
    table = pd.DataFrame({"age": [30, 30, 30, 40, 40], "ill": ["flu", "flu", "flu", "flu", "none"]})
    found = nl.audit(table, ["age"], "ill")
    assert found.k == 2
    assert found.sensitive[0].breaches == ({"class": {"age": 30}, "rows": 3},)
    assert "known with certainty" in found.verdict
    fields = json.loads(found.to_json())
    assert fields["sensitive"][0]["rows known with certainty"] == 3
    assert "Homogeneous classes" in found.html()
    assert "<svg" in found._repr_html_()


def test_theory_section_8():
    """{0,1}², k = 2: rows that agree are published, others are hidden: cells of 1, 2 and 1, and I⋆ = log 3."""
    original = pd.DataFrame({"x": ["00", "01", "10", "11"]})
    released = pd.DataFrame({"x": ["00", "*", "*", "11"]})
    found = nl.audit(released, ["x"], original=original).against
    assert (found.smallest_cell, found.maximin.ratio, found.leakage.ratio) == (1, 3, 4)


def test_proposition_v_1_on_a_k_anonymous_table():
    """Mondrian publishes rows that agree as they are: for continuous data the leakage is infinite, whatever k is."""
    original = pd.DataFrame({"height": [170.0] * 5 + [175.5, 176.5, 180.5, 181.0, 190.0], "ill": list("aaaaabcdef")})
    released = nl.k_anonymous(original, ["height"], k=5)
    found = nl.audit(released, ["height"], "ill", original=original)
    assert found.k >= 5
    assert found.against.leakage.ratio == inf == found.against.maximin.ratio
    assert "infinite" in found.verdict
    finite = nl.audit(released, ["height"], "ill", original=original, continuous=[])
    assert finite.against.leakage.ratio < inf


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(1, 5), st.booleans())
def test_mondrian_keeps_k_and_the_truth(rows, k, polars):
    frame = pd.DataFrame(rows, columns=["a", "b", "told"])
    if k > len(frame):
        with pytest.raises(nl.InputError, match="rows of the table"):
            nl.k_anonymous(frame, ["a", "b"], k)
        return
    given_table = pa.Table.from_pandas(frame) if polars else frame
    made = nl.k_anonymous(given_table, ["a", "b"], k)
    shown = made.to_pandas() if polars else made
    assert type(made) is type(given_table)
    assert nl.audit(made, ["a", "b"], "told").k >= k
    assert shown["told"].tolist() == frame["told"].tolist()
    for value, label in zip(frame["a"], shown["a"], strict=True):
        ends = label.strip("[]").split(", ")
        assert int(ends[0]) <= value <= int(ends[-1])
    for value, label in zip(frame["b"], shown["b"], strict=True):
        assert value in label.strip("{}").split(", ")


@pytest.mark.parametrize("base", [3, 5, 10])
def test_rounding_as_agencies_do(base):
    """Whatever the base, a count has two answers; and every report is the nearest multiple, halves up."""
    made = nl.rounding(nl.Count(n=47), base)
    assert made.guarantee.count == 2
    for number in range(48):
        report = made.quantizer.midpoint(made.quantizer.index(number))
        assert report == base * ((2 * number + base) // (2 * base))
    with pytest.raises(nl.BudgetError, match="above 0"):
        nl.rounding(nl.Count(n=3), 0)


def test_a_released_copy_can_be_audited(tmp_path):
    draw = np.random.default_rng(2)
    original = pd.DataFrame({"age": draw.integers(18, 90, 500), "income": draw.uniform(0, 1000, 500).round(1)})
    schema = nl.Schema(age=nl.Integer(0, 99), income=nl.Real(0, 1000, step="0.1"))
    with nl.Curator.open(original, schema, budget=20) as curator:
        curator.release(tmp_path / "out.parquet", bits=6)
    found = nl.audit(tmp_path / "out.parquet", ["age"], "income")
    assert found.sensitive[0].distinct_l <= 8
    assert found.k > 1


def test_bad_input(tmp_path):
    table = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    for arguments, words in (
        ((table, ["c"]), "quasi column 'c' is not in the table"),
        ((table, ["a"], "d"), "sensitive column 'd'"),
        ((table, []), "needs a quasi-identifier; name at least one"),
        ((table.head(0), ["a"]), "empty"),
        ((tmp_path / "none.parquet", ["a"]), "does not exist"),
    ):
        with pytest.raises(nl.InputError, match=words):
            nl.audit(*arguments)
    with pytest.raises(nl.InputError, match="give tables with the same rows"):
        nl.audit(table, ["a"], original=table.head(1))
    with pytest.raises(nl.InputError, match="not in the original"):
        nl.audit(table, ["a"], "b", original=table[["a"]])
    for quasi, k, words in ((["c"], 1, "'c'"), (["a"], 3, "k=3"), (["a"], 0, "k=0"), ([], 1, "none")):
        with pytest.raises(nl.InputError, match=words):
            nl.k_anonymous(table, quasi, k)
    with pytest.raises(nl.InputError, match="not a table"):
        nl.k_anonymous([1, 2], ["a"], 1)


def test_columns_may_have_any_name():
    """Also those that our own statements use."""
    found = nl.audit(pd.DataFrame({"times": [7, 7, 9, 9], "class": list("aabb")}), ["times"], "class")
    assert (found.k, found.sensitive[0].known_rows) == (2, 4)
    assert nl.audit(pd.DataFrame({"told": list("aabb"), "s": [1, 2, 1, 2]}), ["told"], "s").sensitive[0].t == 0
    odd = pd.DataFrame({"class": [1, 1, 2, 2], 'a "b"': list("xxyy"), "rows": [1, 1, 1, 1]})
    found = nl.audit(odd, ["class", "rows"], 'a "b"')
    assert found.sensitive[0].breaches[0] == {"class": {"class": 1, "rows": 1}, "rows": 2}
    assert "Homogeneous" in found.html()


def test_texts_of_a_csv_stay_apart(tmp_path):
    """As quasi-identifiers 01234 and 1234 are different, and so are numbers too long for a double."""
    (tmp_path / "zip.csv").write_text("zip,s\n01234,1\n1234,2\n1234.0,3\n01234,4\n")
    assert nl.audit(tmp_path / "zip.csv", ["zip"], "s").k == 1
    (tmp_path / "id.csv").write_text("id,s\n9007199254740992,1\n9007199254740993,2\n")
    assert nl.audit(tmp_path / "id.csv", ["id"], "s").k == 1


def test_json_has_no_infinity():
    original = pd.DataFrame({"x": [1.5, 2.5]})
    found = nl.audit(original, ["x"], original=original)
    assert json.loads(found.to_json())["against the original"]["leakage in bits"] == "inf"
    with pytest.raises(nl.InputError, match="neither quasi nor sensitive"):
        nl.audit(original, ["x"], original=original, continuous=["y"])
    with pytest.raises(nl.InputError, match="both quasi and sensitive; remove it"):
        nl.audit(original, ["x"], "x")
    with pytest.raises(nl.InputError, match="cannot be ordered"):
        nl.k_anonymous(pd.DataFrame({"x": [1, "a"]}), ["x"], 1)


def test_missing_values_of_every_kind_of_column():
    """pandas' own kind of missing is no value, and equal to nothing."""
    for kind in ("Int64", "Float64", "float64", "object"):
        table = pd.DataFrame({"age": pd.Series([1, 2, None, 4], dtype=kind), "ill": list("abcd")})
        assert nl.audit(nl.k_anonymous(table, ["age"], 2), ["age"], "ill").k >= 2


def test_one_of_a_thing():
    """ "1 classes" and "1 rows" are not English."""
    table = pd.DataFrame({"age [years]": [1, 1, 2, 2], "ill": ["x", "x", "x", "y"]})
    found = nl.audit(table, quasi=["age [years]"], sensitive=["ill"])
    assert "For 2 rows, in 1 class, ill is known with certainty" in found.verdict
    shown = io.StringIO()
    Console(file=shown, width=200).print(found)
    assert found.verdict in shown.getvalue()  # what is in brackets, too
    alone = nl.audit(pd.DataFrame({"age": [1, 2, 2], "ill": ["x", "x", "y"]}), quasi=["age"], sensitive=["ill"])
    assert alone.verdict.startswith("1 of 3 rows is unique: anyone who knows a person's age")
    assert "For 1 row, in 1 class, ill is known" in alone.verdict
