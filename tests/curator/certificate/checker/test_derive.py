"""The lines of an answer as they follow from plan, public cells and schema, case by case."""

from __future__ import annotations

import pytest

from noiseless.curator.certificate.checker import derive as d
from noiseless.curator.certificate.checker.columns import Column, Schema
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.plans import read_plan
from noiseless.curator.certificate.checker.releases import Part, Release
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from tests.curator.certificate.checker.small import PLAN

TOP = 9
COLUMNS = {
    "x": Column("real", TOP),
    "a": Column("real", TOP, apart=True),
    "s": Column("category", 2, own_missing=True, keys=("no", "yes", "?"), places={"no": 0, "yes": 1, "?": 2}),
    "w": Column("boolean", 1, apart=True, keys=(False, True), places={False: 0, True: 1}),
    "g": Column("public", 2, keys=("u", "v", "w"), places={"u": 0, "v": 1, "w": 2}),
    "h": Column("public", 1, keys=(3, 5), places={"3": 0, "5": 1}),
    "o": Column("public", 1, own_missing=True, keys=("p", "rest"), places={"p": 0, "rest": 1}),
    "free": Column("public", -1),
}
SCHEMA = Schema(COLUMNS, 1)
COUNT, SUM = ["count"], ["sum", ["column", "x"]]
X, A, G, H = (["column", name] for name in "xagh")
HIGH = ["within", X, [["5", "9"]]]
"""Which is true of half of the codes of x."""


def plan_of(*items, **given):
    named = [[str(place), item] for place, item in enumerate(items or [COUNT])]
    return read_plan(PLAN | {"items": named} | given, COLUMNS)


def lines(plan, cells, rows):
    return list(d.derive(plan, d.read_cells(cells, plan.grouped_by, SCHEMA, rows), SCHEMA))


def numbers(*items, cells=(([], "7"),), rows=7, **given):
    [line] = lines(plan_of(*items, **given), [list(cell) for cell in cells], rows)
    return list(line.numbers.values())


BY_G = [[["u"], "4"], [["w"], "3"]]


def test_cells():
    plan = plan_of(keys=["h"], where=["in", G, ["u"]])
    found = d.read_cells([[["u", "3"], "4"], [["u", "5"], "1"], [["w", "3"], "2"]], plan.grouped_by, SCHEMA, 7)
    assert (found.names, found.codes, found.rows) == (("g", "h"), [(0, 0), (0, 1), (2, 0)], [4, 1, 2])
    nobody = d.read_cells([], plan.grouped_by, SCHEMA, 0)
    assert (nobody.codes, nobody.rows) == ([], [])


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([[["u", "3"], "4"], [["w"], "3"]], "too many keys"),
        ([[[], "7"]], "too few"),
        ([[["u"], "4"], [["u"], "3"]], "named twice"),
        ([[["w"], "4"], [["u"], "3"]], "out of order"),
        ([[["u"], "4"], [["w"], "2"]], "not all rows"),
        ([[["u"], "4"], [["w"], "4"]], "not all rows"),
        ([[["u"], "7"], [["w"], "0"]], "not all rows"),
        ([[["u"], "8"], [["w"], "-1"]], "not all rows"),
        ([[["z"], "7"]], "declared key"),
        ([[["u"], "7", "x"]], "not a pair"),
        ([["u", "7"]], "not a list"),
    ],
)
def test_cells_that_cannot_be(cells, words):
    with pytest.raises(WrongCertificateError, match=words):
        d.read_cells(cells, plan_of(keys=["g"]).grouped_by, SCHEMA, 7)


def test_a_cell_of_one_row():
    assert d.read_cells([[["u"], "1"]], plan_of(keys=["g"]).grouped_by, SCHEMA, 1).rows == [1]


def test_a_line_for_every_key_in_the_declared_order():
    found = lines(plan_of(keys=["h", "g"]), [[["u", "5"], "4"], [["w", "3"], "3"]], 7)
    assert [(line.keys["h"], line.keys["g"], *line.numbers.values()) for line in found] == [
        (3, "u", d.Known(0)),
        (3, "v", d.Known(0)),
        (3, "w", d.Known(3)),
        (5, "u", d.Known(4)),
        (5, "v", d.Known(0)),
        (5, "w", d.Known(0)),
    ]


def test_how_many_lines():
    for keys, category, count in (([], None, 1), (["g"], None, 3), (["g", "h"], None, 6), (["g", "s"], "s", 9)):
        assert d.number_of_lines(plan_of(keys=keys, category=category), SCHEMA) == count
    assert d.number_of_lines(plan_of(keys=["w"], category="w"), SCHEMA) == 3  # missing values have one, too


def test_public_numbers():
    assert numbers() == [d.Known(7)]
    for name in ("g", "x", "free", "o"):
        assert numbers(["count", ["column", name]]) == [d.Known(7)]
    nobody = {"cells": (), "rows": 0}
    functions = [["sum", X], ["avg", X], ["kth", X, "1"], ["var_pop", X], ["stddev_pop", X]]
    assert numbers(COUNT, *functions, **nobody) == [d.Known(0), d.Known(0), *[d.Known(None)] * 4]


def test_what_is_asked_of_everybody():
    everybody = Part((0,), 7, TRUE, (), 0)
    found = numbers(["sum", X], ["avg", X], ["kth", X, "1/2"], ["var_pop", X], ["stddev_pop", X])
    assert found == [
        d.Asked(Release("total", "x", everybody)),
        d.Asked(Release("total", "x", everybody)),
        d.Asked(Release("order statistic", "x", everybody, "1/2")),
        d.Asked(Release("variance", "x", everybody)),
        d.Asked(Release("variance", "x", everybody)),
    ]


def test_what_is_asked_of_some():
    some = Part((0,), 7, ("within", "x", ((5, 9),)), ("x",), 1)
    found = numbers(COUNT, ["count", X], ["sum", X], ["avg", X], ["kth", X, "1"], where=HIGH)
    assert found == [
        d.Asked(Release("head count", None, some)),
        d.Asked(Release("head count", None, some)),
        d.Asked(Release("filtered total", "x", some)),
        d.Asked(Release("filtered mean", "x", some)),
        d.Asked(Release("order statistic", "x", some, "1")),
    ]
    for function in ("var_pop", "stddev_pop", "var_samp", "stddev_samp"):
        assert numbers([function, X], where=HIGH) == [d.Asked(Release("filtered variance", "x", some))]


def test_values_that_are_missing_do_not_count():
    there = Part((0,), 7, ("within", "a", ((0, TOP),)), ("a",), 1)
    assert numbers(["count", A], ["sum", A]) == [
        d.Asked(Release("head count", "a", there)),
        d.Asked(Release("filtered total", "a", there)),
    ]
    named = Part((0,), 7, ("within", "s", ((0, 1),)), ("s",), 1)
    assert numbers(["count", ["column", "s"]]) == [d.Asked(Release("head count", "s", named))]
    well = Part((0,), 7, ("within", "w", ((0, 1),)), ("w",), 1)
    assert numbers(["count", ["column", "w"]]) == [d.Asked(Release("head count", "w", well))]


def test_that_a_value_is_there_is_a_condition_like_others():
    """Who asks for it in words, too, asks for nothing else."""
    where = ["every", HIGH, ["within", A, [["0", str(TOP)]]]]
    counted, mean = numbers(COUNT, ["avg", A], where=where)
    assert counted.release.part == mean.release.part


def test_conditions_on_public_columns():
    """What holds for a whole cell is no condition of it; what holds for none leaves the cell out."""
    cells = {"cells": (*BY_G,), "rows": 7}
    assert numbers(SUM, COUNT, **cells, where=["in", G, ["w"]]) == [
        d.Asked(Release("total", "x", Part((1,), 3, TRUE, (), 0))),
        d.Known(3),
    ]
    assert numbers(SUM, COUNT, **cells, where=["in", G, ["v"]]) == [d.Known(0), d.Known(0)]
    mixed = Part((0, 1), 7, plan_of(where=["some", ["in", G, ["u"]], HIGH]).where, ("x",), 1)
    assert numbers(COUNT, **cells, where=["some", ["in", G, ["u"]], HIGH]) == [
        d.Asked(Release("head count", None, mixed))
    ]
    both = ["every", ["in", G, ["u", "w"]], HIGH]
    alike = Part((0, 1), 7, ("within", "x", ((5, 9),)), ("x",), 1)
    assert numbers(COUNT, **cells, where=both) == [d.Asked(Release("head count", None, alike))]


def test_conditions_of_one_column_have_one_form():
    """However it is written, it is the same release."""
    written = [HIGH, ["not", ["within", X, [["0", "4"]]]], ["some", HIGH, ["within", X, [["7", "8"]]]]]
    assert len({numbers(where=where)[0] for where in written}) == 1
    assert numbers(where=["some", HIGH, ["within", X, [["0", "6"]]]]) == [d.Known(7)]
    assert numbers(where=["every", HIGH, ["within", X, [["0", "3"]]]]) == [d.Known(0)]
    two = ["every", HIGH, ["within", A, [["1", "2"]]]]
    [asked] = numbers(where=two)
    assert (asked.release.part.reads, asked.release.part.condition) == (("a", "x"), plan_of(where=two).where)


def test_cells_that_the_condition_does_not_name_are_alike():
    """Groups are told apart by their keys; conditions only by the columns that they name."""
    where = ["every", ["in", H, [["number", "5"]]], HIGH]
    found = lines(plan_of(keys=["g"], where=where), [[["u", "3"], "4"], [["u", "5"], "2"], [["w", "5"], "1"]], 7)
    parts = [number.release.part for line in found for number in line.numbers.values() if isinstance(number, d.Asked)]
    assert [(part.cells, part.rows) for part in parts] == [((1,), 2), ((2,), 1)]
    assert {part.condition for part in parts} == {("within", "x", ((5, 9),))}


def test_histograms():
    found = lines(plan_of(keys=["g", "w"], category="w", where=["in", G, ["u"]]), BY_G, 7)
    asked = [d.Asked(Release("histogram", "w", Part((0,), 4, TRUE, (), 0)), place) for place in range(3)]
    assert [line.numbers[("count", None, "")] for line in found] == [*asked, *[d.Known(0)] * 6]
    assert [tuple(line.keys.items()) for line in found[:4]] == [
        (("g", "u"), ("w", False)),
        (("g", "u"), ("w", True)),
        (("g", "u"), ("w", None)),
        (("g", "v"), ("w", False)),
    ]
    whole = lines(plan_of(keys=["s"], category="s"), [[[], "7"]], 7)
    assert [line.keys["s"] for line in whole] == ["no", "yes", "?"]


def test_what_would_take_too_long(monkeypatch):
    """Cells times conditions times numbers, and lines: as many as are allowed, and no more."""
    plan = plan_of(COUNT, SUM, keys=["g"], where=["every", HIGH, ["in", G, ["u", "w"]]])  # three conditions
    for name, most in (("MOST_WORK", 2 * 3 * 2), ("MOST_LINES", 3)):
        with monkeypatch.context() as patched:
            patched.setattr(d, name, most)
            assert len(lines(plan, BY_G, 7)) == 3
            patched.setattr(d, name, most - 1)
            with pytest.raises(WrongCertificateError, match="too long"):
                lines(plan, BY_G, 7)


def test_columns_that_decide():
    """What is counted is not read, but that it is there."""
    part = Part((0,), 7, ("within", "x", ((5, 9),)), ("x",), 1)
    assert Release("head count", None, part).reads == Release("head count", "a", part).reads == ("x",)
    assert Release("filtered total", "a", part).reads == ("a", "x")
    assert Release("filtered total", "x", part).reads == ("x",)
