"""The checker's conditions by brute force: every code and every missing value, in SQL's three-valued logic."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

from noiseless.curator.certificate.checker import conditions as c
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

TOP = 4
APART, WHOLE = Column("real", TOP, apart=True), Column("real", TOP)
PUBLIC = Column("public", 1, keys=("a", "b"), places={"a": 0, "b": 1})
NAMED = Column("category", 3, keys=("p", "q", "r", "s"), places={"p": 0, "q": 1, "r": 2, "s": 3})
NUMBERED = Column("category", 1, keys=(3, 5), places={"3": 0, "5": 1})
COLUMNS = {"x": APART, "y": WHOLE, "g": PUBLIC, "s": NAMED, "n": NUMBERED}
NO, OPEN, YES = 0, Fraction(1, 2), 1


def truth(condition, codes):
    """NOT is 1 − t, AND the least, OR the greatest; what is compared with a missing value is between both."""
    match condition:
        case "missing", name:
            return YES if codes[name] is None else NO
        case "within", name, ranges:
            return OPEN if codes[name] is None else int(any(low <= codes[name] <= high for low, high in ranges))
        case "not", part:
            return 1 - truth(part, codes)
        case "every", parts:
            return min((truth(part, codes) for part in parts), default=YES)
        case "some", parts:
            return max((truth(part, codes) for part in parts), default=NO)


def within(name):
    return [("within", name, ranges) for ranges in [((0, 0),), ((1, 3),), ((0, 1), (3, 4)), ((2, 4),), ((0, TOP),), ()]]


def built(atoms):
    """All conditions of two atoms, and some of four."""
    twice = [(kind, frozenset(pair)) for kind in ("every", "some") for pair in product(atoms, repeat=2)]
    some = [
        ("some" if kind == "every" else "every", frozenset({(kind, two), other}))
        for kind, two in twice[::5]
        for other in atoms
    ]
    all_of_them = [*atoms, *twice, *some, c.TRUE, c.FALSE]
    return [*all_of_them, *(("not", each) for each in all_of_them)]


@pytest.mark.parametrize("name", ["x", "y"])
def test_conditions_on_one_column(name):
    column, forms = COLUMNS[name], {}
    values = [*range(TOP + 1), *([None] if column.apart else [])]
    for condition in built([*within(name), *([("missing", name)] if column.apart else [])]):
        truths = [truth(condition, {name: code}) for code in values]
        assert [c.holds(condition, code) for code in values] == [{NO: False, OPEN: None, YES: True}[t] for t in truths]
        true = tuple(t == YES for t in truths)
        normal = c.of_one_column(condition, name, column)
        assert tuple(truth(normal, {name: code}) == YES for code in values) == true
        assert forms.setdefault(true, normal) == normal  # one form for what is true of the same values
        assert normal == c.TRUE if all(true) else True
        assert normal == c.FALSE if not any(true) else True
        if c.columns_read(condition):
            assert c.changes(condition, COLUMNS) == sum(one != two for one, two in pairwise(true))


def test_public_columns_are_put_in():
    atoms = [("within", "g", ((0, 0),)), ("within", "g", ((1, 1),)), *within("x")[1:3], ("missing", "x")]
    for condition, group in product(built(atoms), (0, 1)):
        left = c.given_public(condition, {"g": group})
        assert c.columns_read(left) <= {"x"}
        for code in (*range(TOP + 1), None):
            assert truth(left, {"x": code}) == truth(condition, {"g": group, "x": code})


A, B, D = within("x")[:3]


def test_joining():
    for kind, neutral, final in (("every", c.TRUE, c.FALSE), ("some", c.FALSE, c.TRUE)):
        assert c.joined(kind, []) == c.joined(kind, [neutral, neutral]) == neutral
        assert c.joined(kind, [A, final, B]) == final
        assert c.joined(kind, [A, neutral, A]) == A
        assert c.joined(kind, [(kind, frozenset({A, B})), D]) == (kind, frozenset({A, B, D}))
        other = "some" if kind == "every" else "every"
        assert c.joined(kind, [(other, frozenset({A, B})), D]) == (kind, frozenset({(other, frozenset({A, B})), D}))
    assert (c.negation(c.TRUE), c.negation(c.FALSE)) == (c.FALSE, c.TRUE)
    assert (c.negation(A), c.negation(("not", A))) == (("not", A), A)


def test_sizes_columns_and_changes():
    both = ("every", frozenset({A, ("not", ("within", "y", ((1, 3),)))}))
    assert (c.size_of(A), c.size_of(both), c.size_of(c.TRUE)) == (1, 4, 1)
    assert c.columns_read(both) == {"x", "y"}
    assert c.columns_read(("missing", "x")) == {"x"}
    assert c.changes(both, COLUMNS) == 0  # of two private columns
    public = ("within", "g", ((0, 0),))
    assert c.changes(public, COLUMNS) == 0
    assert c.changes(("every", frozenset({B, public})), COLUMNS) == 3  # at 1, at 4 and from there to missing
    assert c.changes(("every", frozenset({("within", "y", ((1, 3),)), public})), COLUMNS) == 2
    assert c.changes(("every", frozenset({("within", "y", ((0, TOP),)), public})), COLUMNS) == 0


def column(name):
    return ["column", name]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["within", column("y"), [["0", "1"], ["3", "3"]]], ("within", "y", ((0, 1), (3, 3)))),
        (["within", column("y"), []], ("within", "y", ())),
        (["in", column("s"), ["p", "q", "s"]], ("within", "s", ((0, 1), (3, 3)))),
        (["in", column("s"), ["p", "r", "s"]], ("within", "s", ((0, 0), (2, 3)))),
        (["in", column("s"), ["q", "r", "s"]], ("within", "s", ((1, 3),))),
        (["in", column("n"), [["number", "3"], ["number", "5"]]], ("within", "n", ((0, 1),))),
        (["in", column("g"), []], ("within", "g", ())),
        (["missing", column("x")], ("missing", "x")),
        (["not", ["missing", column("x")]], ("not", ("missing", "x"))),
        (["every"], c.TRUE),
        (["some", ["missing", column("x")], ["some"]], ("missing", "x")),
    ],
)
def test_reading(written, read):
    assert c.read_condition(written, COLUMNS) == read


@pytest.mark.parametrize(
    "written",
    [
        [],
        "every",
        {},
        {"every": []},
        ["fly"],
        ["missing", {"column": "x", "x": "x"}],
        ["not"],
        ["not", ["every"], ["every"]],
        ["missing", column("y")],
        ["missing", column("x"), "x"],
        ["missing", "x"],
        ["missing", ["column"]],
        ["missing", ["column", "x", "x"]],
        ["missing", ["row", "x"]],
        ["missing", ["column", ["x"]]],
        ["missing", ["column", "z"]],
        ["within", column("y")],
        ["within", column("s"), [["0", "1"]]],
        ["within", column("y"), [["2", "1"]]],
        ["within", column("y"), [["0", "1"], ["2", "3"]]],
        ["within", column("y"), [["3", "3"], ["0", "1"]]],
        ["within", column("y"), [["0", "5"]]],
        ["within", column("y"), [["-1", "1"]]],
        ["within", column("y"), [["1/2", "1"]]],
        ["in", column("y"), ["1"]],
        ["in", column("s"), ["q", "p"]],
        ["in", column("s"), ["p", "p"]],
        ["in", column("s"), ["z"]],
        ["in", column("s"), [["number", "p"]]],
        ["in", column("n"), ["3"]],
        ["in", column("n"), [["number", "3", "3"]]],
        ["in", column("n"), [["text", "3"]]],
    ],
    ids=str,
)
def test_what_is_not_read(written):
    with pytest.raises(WrongCertificateError):
        c.read_condition(written, COLUMNS)
