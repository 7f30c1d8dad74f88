"""Block codes: every message comes back, whatever the channel does."""

from itertools import product
from random import Random

import pytest

import noiseless as nl
from noiseless.theory.capacity.block_code import BlockCode, Part
from tests.theory.capacity.graphs import cycle

PENTAGON_WORDS = [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)]


def comes_back(code):
    """Every message, for every behaviour of the channels."""
    for message, word in enumerate(code):
        assert code.encode(message) == word
        possible = [channel.outputs_of(x) for channel, x in zip(code.channels, word, strict=True)]
        assert all(code.decode(outputs) == message for outputs in product(*possible))
    assert message == code.size - 1


def test_the_pentagon():
    code = nl.BlockCode(cycle(5), PENTAGON_WORDS)
    comes_back(code)
    assert (code.size, code.steps, code.rate) == (5, 2, nl.Rate(5, 2))


def test_parts_on_steps_that_alternate():
    pentagon, square = cycle(5), cycle(4)
    parts = [Part((0, 2), tuple(PENTAGON_WORDS)), Part((1,), ((0,), (2,))), Part((3,), ((3,), (1,)))]
    code = BlockCode.of_parts([pentagon, square, pentagon, square], parts)
    assert code.size == len(set(code)) == 20
    comes_back(code)


def random_channel(random):
    outputs = range(random.randint(2, 4))
    return nl.Channel({x: random.sample(outputs, random.randint(1, 2)) for x in range(random.randint(2, 4))})


def test_codes_of_random_sequences():
    random = Random(7)
    for _ in range(12):
        sequence = nl.ChannelSequence(*(random_channel(random) for _ in range(random.randint(1, 3))))
        comes_back(nl.zero_error_rate(sequence, time_limit=5).code)


@pytest.mark.parametrize("words", [[(0, 0), (1, 1)], [(0,), (0,)], [*PENTAGON_WORDS, (0, 1)]])
def test_words_that_can_be_confused_are_refused(words):
    with pytest.raises(nl.ChannelError, match="can be confused"):
        nl.BlockCode(cycle(5), words)


def test_what_is_refused():
    code = nl.BlockCode(cycle(5), PENTAGON_WORDS)
    for words in ([], [()], [(0,), (1, 2)]):
        with pytest.raises(nl.ChannelError, match="one length"):
            nl.BlockCode(cycle(5), words)
    with pytest.raises(nl.ChannelError, match="not an input"):
        nl.BlockCode(cycle(5), [(0, 9)])
    for message in (-1, 5, 1.0, True):
        with pytest.raises(nl.ChannelError, match="from 0 to 4"):
            code.encode(message)
    with pytest.raises(nl.ChannelError, match="2 steps"):
        code.decode((0,))
    short = nl.BlockCode(nl.Channel({0: {0}, 1: {1}, 2: {2}}), [(0,), (1,)])
    with pytest.raises(nl.ChannelError, match="no word"):
        short.decode((2,))
    with pytest.raises(nl.ChannelError, match="every step once"):
        BlockCode.of_parts([cycle(5)], [Part((0,), ((0,),)), Part((0,), ((0,),))])
