import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix

import noiseless as nl

MATRIX = [[1, 1, 0], [0, 1, 1]]


@pytest.mark.parametrize(
    "source",
    [
        {0: {0, 1}, 1: [1, 2, 2]},
        MATRIX,
        np.array(MATRIX),
        np.array(MATRIX, dtype=bool),
        np.array(MATRIX, dtype=float),
        csr_array(np.array(MATRIX)),
        csr_matrix(np.array(MATRIX)),
        coo_array(np.array(MATRIX)),
    ],
    ids=lambda source: type(source).__name__,
)
def test_sources_agree(source):
    channel = nl.Channel(source)
    assert channel.inputs == (0, 1)
    assert channel.outputs == (0, 1, 2)
    assert channel.matrix.toarray().tolist() == [[True, True, False], [False, True, True]]
    assert not channel.is_deterministic
    assert channel.confusable(0, 1)
    assert repr(channel) == "Channel(2 inputs → 3 outputs, uncertain)"


def test_from_variables():
    space = nl.Space({"X": ["a", "a", "b"], "Y": [1, 2, 2], "Z": [5, 5, 5]})
    channel = nl.Channel(space["X"], space["Y"])
    assert (channel.inputs, channel.outputs) == (("a", "b"), (1, 2))
    assert channel.confusability.toarray().tolist() == [[False, True], [True, False]]
    assert nl.Channel(space["X"], space["Z"]).is_deterministic
    assert nl.Channel((space["X"], space["Y"]), space["Y"]).inputs == (("a", 1), ("a", 2), ("b", 2))


def test_outputs_nobody_causes_are_dropped():
    channel = nl.Channel([[1, 0], [1, 0]])
    assert channel.outputs == (0,)
    assert channel.is_deterministic


def test_an_input_is_confusable_with_itself():
    assert nl.Channel({0: {0}, 1: {1}}).confusable(0, 0)


def test_only_channels_multiply():
    with pytest.raises(TypeError):
        nl.Channel({0: {0}}) * 2


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ({}, "no inputs"),
        ({"a": {1}, "b": set()}, "input 'b' has no output"),
        ({"a": "xyz"}, "input 'a' must map to a set"),
        ({"a": 5}, "input 'a' must map to a set"),
        ([[1, 0], [0, 0]], "input 1 has no output"),
        (np.zeros((2, 2)), "input 0 has no output"),
        (np.array([[1, 2]]), "only true and false"),
        (np.array([[0.5, 1]]), "only true and false"),
        (np.array([[float("nan"), 1]]), "only true and false"),
        (np.array([["a", "b"]]), "only true and false"),
        (csr_array(np.array([[3, 1]])), "only true and false"),
        (np.ones(3), "a row per input"),
        (np.ones((0, 3)), "a row per input"),
        ([[1], [1, 0]], "differ in length"),
        ("abc", "cannot read a channel from a str"),
        (None, "cannot read a channel from a NoneType"),
    ],
)
def test_bad_channels(source, why):
    with pytest.raises(nl.ChannelError, match=why):
        nl.Channel(source)


def test_unknown_input():
    with pytest.raises(nl.ChannelError, match="'z' is not an input"):
        nl.Channel({0: {0}}).confusable(0, "z")


def test_a_matrix_with_sums_of_duplicates_is_still_boolean():
    """Sparse formats may list an entry twice; possible twice is possible."""
    twice = coo_array((np.ones(3, dtype=bool), ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert nl.Channel(twice).is_deterministic


def test_stored_zeros_are_not_possible_outputs():
    matrix = csr_array(np.ones((2, 2)))
    matrix.data[:] = [1, 0, 0, 1]
    assert nl.zero_error_capacity(nl.Channel(matrix)).lower.count == 2
    matrix.data[:] = [1, 1, 0, 0]
    with pytest.raises(nl.ChannelError, match="input 1 has no output"):
        nl.Channel(matrix)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ({"a": [float("nan")]}, "missing value"),
        ({float("nan"): [1]}, "missing value"),
        ({None: [1]}, "missing value"),
        ({"a": [[1]]}, "cannot be hashed"),
        (np.ma.array([[1, 1]], mask=[[0, 1]]), "masked"),
    ],
)
def test_more_bad_channels(source, why):
    with pytest.raises(nl.ChannelError, match=why):
        nl.Channel(source)


def test_channels_do_not_change():
    with pytest.raises(AttributeError):
        nl.Channel({0: {0}}).inputs = (1, 2)  # type: ignore[misc]


@pytest.mark.parametrize(
    "measure", [nl.zero_error_capacity, nl.independence_number, nl.lovasz_theta, nl.fractional_packing]
)
def test_what_is_no_channel(measure):
    with pytest.raises(nl.ChannelError, match="a dict is not a channel"):
        measure({0: {0}})
    for limit in (None, "5", -1, float("nan")):
        with pytest.raises(nl.InputError, match="time_limit="):
            measure(nl.Channel({0: {0, 1}, 1: {1}}), time_limit=limit)
