"""Copies with a declared prior: small cells where much is expected, the mean of the prior as the value, and weights."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.microdata.prior import fine_cells, shares_of
from noiseless.curator.microdata.split import split

SCHEMA = nl.Schema(
    age=nl.Integer(0, 9),
    height=nl.Real(150, 160, step="0.5", missing="apart"),
    day=nl.Date("2024-01-01", "2024-01-10"),
    smoker=nl.Category("no", "yes"),
)
TABLE = pd.DataFrame(
    {
        "age": [k % 10 for k in range(40)],
        "height": [None if k % 9 == 0 else 150 + (7 * k % 21) / 2 for k in range(40)],
        "day": pd.to_datetime([f"2024-01-{1 + k % 10:02d}" for k in range(40)]).date,
        "smoker": [("no", "yes")[k % 2] for k in range(40)],
    }
)
PRIOR = {"age": {"0 to 1": "0.8"}, "height": "normal(153, 1)"}


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as curator:
        yield curator


def expected_width(labels, weights):
    cells = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    return sum(weights[codes].sum() * (codes[-1] - codes[0]) for codes in cells)


def test_no_other_cells_have_a_smaller_expected_width():
    """Every way to cut 7 codes in 2 runs, against the dynamic program."""
    weights = np.array([5, 1, 1, 9, 0, 3, 2]) / 21
    for runs in (np.zeros(7, int), np.array([0, 0, 0, 1, 1, 1, 1])):
        for labels in fine_cells(runs, weights, 7):
            cells = labels.max() + 1
            ways = (np.isin(np.arange(7), (0, *cuts)).cumsum() - 1 for cuts in combinations(range(1, 7), cells - 1))
            fits = [way for way in ways if runs.max() == 0 or way[2] != way[3]]
            assert expected_width(labels, weights) == pytest.approx(min(expected_width(way, weights) for way in fits))
            assert runs.max() == 0 or labels[2] != labels[3]


def test_small_cells_where_much_is_expected_and_the_mean_of_the_prior(curator, tmp_path):
    to, given = tmp_path / "o.parquet", TABLE.drop(columns=["day", "smoker"])
    made = curator.release(to, bits={"age": 2, "height": 3}, columns=["age", "height"], prior=PRIOR, intervals=True)
    assert made.guarantee.count == nl.verify(made.certificate, file=to).count == 4 * 8
    cells = {column.name: column for column in made.plan.private}
    assert cells["age"].starts[:3] == (0, 1, 2)  # most is expected of 0 and 1, so each has a cell of its own
    assert cells["age"].width == 4
    assert len(set(np.diff(cells["height"].starts))) > 1
    weights = shares_of(SCHEMA, PRIOR).of("height")
    for place, value in enumerate(cells["height"].middles()):
        codes = range(cells["height"].starts[place], cells["height"].end_of(place))
        mean = sum(code * weights[code] for code in codes) / sum(weights[code] for code in codes)
        assert abs(float(cells["height"].column.position(value)) - mean) <= 0.25 + 1e-6  # to half a step
    rows = pq.read_table(to).to_pandas()
    assert {*rows["age"]} <= {float(value) for value in cells["age"].middles()}
    encoded = made.encode(given)
    assert sorted(map(str, encoded.to_dict("records"))) == sorted(map(str, rows.to_dict("records")))
    for before, after in zip(given.to_dict("records"), encoded.to_dict("records"), strict=True):
        assert after["age_lower"] <= before["age"] <= after["age_upper"]
        assert abs(Fraction(after["age"]) - before["age"]) <= cells["age"].error
        if not pd.isna(before["height"]):
            assert abs(Fraction(after["height"]) - Fraction(before["height"])) <= cells["height"].error
    assert all(each.measured <= float(each.cells.error) for each in curator.utility(made).columns)


def test_a_value_outside_its_cell_is_refused(curator, tmp_path):
    to = tmp_path / "o.parquet"
    made = curator.release(to, cuts={"age": [2, 6]}, columns=["age"], prior=PRIOR)
    content = made.certificate.content
    [fields] = [each for each in content["columns"] if each["column"] == "age"]
    for wrong in (["3", "7/2", "15/2"], ["1/2", "7/2"]):
        fields["values"], kept = wrong, fields["values"]
        with pytest.raises(nl.errors.CertificateError):
            nl.verify(made.certificate.__class__(content, made.certificate.key, made.certificate.signature))
        fields["values"] = kept


def test_dates_have_whole_days(curator, tmp_path):
    to = tmp_path / "o.parquet"
    made = curator.release(to, cuts={"day": ["2024-01-04"]}, columns=["day"], prior={"day": {"2024-01-02": 1}})
    assert {str(day) for day in pq.read_table(to).to_pandas()["day"]} == {"2024-01-02", "2024-01-07"}
    assert nl.verify(made.certificate, file=to).count == 2


def test_weights_divide_a_total(curator):
    cells = {c.name: c.cells for c in curator.preview_release(bits=6, columns=["age", "height"]).plan.private}
    heavy = curator.preview_release(bits=6, columns=["age", "height"], weights={"height": 3}).plan
    assert cells["age"] > heavy.private[0].cells
    assert cells["height"] < heavy.private[1].cells
    assert heavy.answers <= 64


def test_weighted_splits_fit_and_nothing_more_fits():
    for answers, one, two in product((1, 5, 24, 100), (Fraction(1, 2), 1, 3), (1, 2)):
        values = {"a": 20, "b": 7, "c": 50}
        found = split(values, answers, {"a": Fraction(str(one)), "b": Fraction(two)})
        count = int(np.prod([*found.values()]))
        assert count <= answers
        assert all(1 <= found[name] <= values[name] for name in values)
        raised = (count // cells * (cells + 1) for name, cells in found.items() if cells < values[name])
        assert all(each > answers for each in raised)


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ({"pay": {"1": 1}}, "not a private column"),
        ({"age": "weibull(1, 2)"}, "normal"),
        ({"age": "normal(1, 0)"}, "cannot have these numbers"),
        ({"age": "normal(-900, 1)"}, "puts nothing"),
        ({"age": {"11": 0.5}}, "not a value"),
        ({"age": {"3": 0.5, "2 to 4": 0.1}}, "named twice"),
        ({"age": {"3": 1.5}}, "add up to 1.5"),
        ({"age": {"3": "x"}}, "share of 3"),
        ({"age": {}}, "mapping"),
        ({"smoker": {"maybe": 1}}, "not a declared value"),
        ({"height": {"missing": -1}}, "negative"),
        ([("age", 1)], "by column"),
    ],
)
def test_a_wrong_prior_is_refused(curator, prior, words):
    with pytest.raises(nl.errors.SchemaError, match=words):
        curator.preview_release(bits={"age": 2}, columns=["age"], prior=prior)


@pytest.mark.parametrize("wanted", [{"bits": {"age": 2}, "weights": {"age": 2}}, {"bits": 3, "weights": {"age": 0}}])
def test_wrong_weights_are_refused(curator, wanted):
    with pytest.raises(nl.errors.BudgetError, match="weight"):
        curator.preview_release(columns=["age"], **wanted)


def test_named_and_listed_shares():
    shares = shares_of(
        SCHEMA, {"height": {"missing": "0.5", "150": "0.25"}, "smoker": {"yes": 1}, "age": "uniform(0, 4)"}
    )
    assert shares.exactly("height")[0] == Fraction(1, 4)
    assert shares.exactly("height")[-1] == Fraction(1, 2)
    assert shares.of("smoker").tolist() == [0, 1]
    assert np.argmax(shares.of("age")) == 1
    assert shares.of("age")[6] == 0
    assert shares.exactly("day") == (Fraction(1, 10),) * 10
