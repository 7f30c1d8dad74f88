import pytest

import noiseless as nl

SPACE = nl.Space({"X": [1, 1, 2, 3], "Y": ["a", "b", "b", "c"], "Z": [0, 1, 1, 1]})
X, Y, Z = SPACE["X"], SPACE["Y"], SPACE["Z"]


def test_given_one_value():
    assert X.given(Y="b") == {1, 2}
    assert X.given() == X.range


def test_given_a_set_is_the_union():
    assert X.given(Y={"a", "c"}) == X.given(Y="a") | X.given(Y="c") == {1, 3}
    assert X.given(Y=nl.FiniteRange(["b"])) == {1, 2}


def test_given_several_conditions_hold_together():
    assert X.given(Y="b", Z=1) == {1, 2}
    assert SPACE["X", "Z"].given(Y="b") == {(1, 1), (2, 1)}


@pytest.mark.parametrize(
    ("conditions", "why"),
    [
        ({"Y": "d"}, "Y never takes the value 'd'"),
        ({"Y": {"a", "d"}}, "never takes the value 'd'"),
        ({"Y": set()}, "no sample"),
        ({"Y": "a", "Z": 1}, "no sample has Y='a', Z=1 together"),
        ({"W": 1}, "no variable 'W'"),
        ({"Y": ["a"]}, "cannot be a value"),
    ],
)
def test_what_never_happens_is_refused(conditions, why):
    with pytest.raises(nl.UnknownVariableError, match=why):
        X.given(**conditions)


def test_joint_flattens_and_counts_a_variable_once():
    assert nl.joint((nl.joint(X, Y)), Z).range == SPACE["X", "Y", "Z"].range
    assert nl.joint(X, X).range == X.range
    assert nl.joint(X, Y).name == "X, Y"


def test_variables_of_derived_spaces_meet():
    parity = SPACE.derive(parity=lambda X: X % 2)["parity"]
    assert nl.joint(X, parity).range == {(1, 1), (2, 0), (3, 1)}
    assert nl.joint(X, parity).given(parity=0) == {(2, 0)}


def test_variables_of_different_spaces_do_not():
    other = nl.Space({"X": [1, 1, 2, 3]})["X"]
    for measure in (nl.leakage, nl.transmission, nl.maximin_information, nl.unrelated, nl.joint):
        with pytest.raises(nl.SpaceError, match="different spaces"):
            measure(X, other)


@pytest.mark.parametrize("wrong", [(), ("X",), (X, 5)])
def test_not_variables(wrong):
    with pytest.raises(nl.SpaceError, match="not a variable"):
        nl.entropy(wrong)


def test_a_variable_may_be_called_anything():
    space = nl.Space({"x": [1, 2], "self": [1, 1], "y": [1, 1]})
    assert space["y"].given(x=1, self=1) == {1}
    assert nl.entropy(space["y"], x=1) == nl.LogRatio(1)
    assert nl.information_gain(space["self"], x=1) == nl.LogRatio(1)


def test_two_variables_of_one_name_are_not_confused():
    ones, twos = SPACE.derive(W=lambda X: X), SPACE.derive(W=lambda X: 2 * X)
    with pytest.raises(nl.SpaceError, match="two different variables are called 'W'"):
        nl.joint(ones["W"], twos["W"])


def test_conditions_on_what_the_variable_itself_holds():
    a, b = SPACE.derive(A=lambda X: X % 2), SPACE.derive(B=lambda X: X > 1)
    assert nl.joint(a["A"], b["B"]).given(B=True) == {(0, True), (1, True)}
    assert nl.joint(a["A"], b["B"]).given(A=1) == {(1, False), (1, True)}


@pytest.mark.parametrize("call", [lambda: nl.entropy(5), lambda: nl.leakage(X, 5), lambda: nl.unrelated(X, "Y")])
def test_what_is_no_variable(call):
    with pytest.raises(nl.SpaceError, match="not a variable"):
        call()
