"""Different channels side by side, or one after another."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod

from noiseless.errors import ChannelError, TooLargeError
from noiseless.theory.capacity.channel import Channel, as_channel

MOST_WORDS = 1_000_000


def strong_product(*channels: Channel) -> Channel:
    """The channel whose inputs are words with one input of each channel, and whose outputs are such words of outputs.

    Every letter of a word comes out as its own channel allows, whatever the others do. Two words are confusable iff
    they are equal or confusable at every place: the confusability graph is the strong product of the channels' graphs.

    Source: Shannon 1956, NP §II-B: docs/channels.md

    >>> day, night = Channel({0: {0}, 1: {1}}), Channel({0: {0, 1}, 1: {1}})
    >>> both = strong_product(day, night)
    >>> both.confusable((0, 0), (0, 1)), both.confusable((0, 0), (1, 0))
    (True, False)
    """
    from scipy.sparse import kron

    if not channels:
        raise ChannelError("a product needs a channel; give at least one")
    sizes = [(len(as_channel(each).inputs), len(each.outputs)) for each in channels]
    if max(prod(inputs for inputs, _ in sizes), prod(outputs for _, outputs in sizes)) > MOST_WORDS:
        raise TooLargeError(f"these {len(channels)} uses have more than {MOST_WORDS} words; use fewer")
    matrix = reduce(lambda one, other: kron(one, other, format="csr"), (each.matrix for each in channels))
    inputs, outputs = (each.inputs for each in channels), (each.outputs for each in channels)
    return Channel.of(tuple(product(*inputs)), tuple(product(*outputs)), matrix)
