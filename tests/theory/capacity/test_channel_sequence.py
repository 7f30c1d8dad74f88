"""Channels in turn: the channel of k steps is what enumeration says, and its graph is the strong product."""

from itertools import product

import pytest

import noiseless as nl
from tests.theory.capacity.graphs import cycle

DAY = nl.Channel({"a": {0}, "b": {0, 1}})
NIGHT = nl.Channel({1: {"x"}, 2: {"x", "y"}, 3: {"z"}})
OUTPUTS = {"a": [0], "b": [0, 1], 1: ["x"], 2: ["x", "y"], 3: ["z"]}


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_channel_of_some_steps_is_what_can_happen(steps):
    sequence = nl.ChannelSequence(DAY, NIGHT)
    whole = sequence.over(steps)
    words = list(product(*(["a", "b"] if step % 2 == 0 else [1, 2, 3] for step in range(steps))))
    assert list(whole.inputs) == words
    happens = {word: set(product(*(OUTPUTS[x] for x in word))) for word in words}  # type: ignore[call-overload]
    for word in words:
        assert whole.outputs_of(word) == set(sequence.outputs_of(word)) == happens[word]
    for one, other in product(words, repeat=2):
        at_every_step = all(sequence.at(t).confusable(x, u) for t, (x, u) in enumerate(zip(one, other, strict=True), 1))
        assert whole.confusable(one, other) == bool(happens[one] & happens[other]) == at_every_step


def test_the_inputs_of_an_output_are_the_other_way_round():
    for channel in (DAY, NIGHT, cycle(7)):
        for x, y in product(channel.inputs, channel.outputs):
            assert (y in channel.outputs_of(x)) == (x in channel.inputs_of(y))


def test_one_channel_alone_is_memoryless():
    pentagon = cycle(5)
    assert (nl.ChannelSequence(pentagon).over(2).matrix != nl.strong_power(pentagon, 2).matrix).nnz == 0
    assert nl.strong_product(pentagon).inputs == tuple((x,) for x in range(5))


def test_what_is_refused():
    with pytest.raises(nl.ChannelError, match="needs a channel"):
        nl.ChannelSequence()
    with pytest.raises(nl.ChannelError, match="needs a channel"):
        nl.strong_product()
    with pytest.raises(nl.ChannelError, match="make one with Channel"):
        nl.ChannelSequence(DAY, "night")
    for step in (0, -1, 1.5, True):
        with pytest.raises(nl.ChannelError, match="at least 1"):
            nl.ChannelSequence(DAY).at(step)
    with pytest.raises(nl.TooLargeError, match="use fewer"):
        nl.ChannelSequence(DAY, NIGHT).over(40)
    with pytest.raises(nl.ChannelError, match="not an input"):
        list(nl.ChannelSequence(DAY).outputs_of("c"))
    with pytest.raises(nl.ChannelError, match="not an output"):
        DAY.inputs_of(7)
