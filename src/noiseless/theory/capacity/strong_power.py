"""Several uses of a channel side by side."""

from __future__ import annotations

from noiseless.errors import ChannelError, TooLargeError
from noiseless.exact.number import as_integer, shown
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.strong_product import MOST_WORDS, strong_product


def strong_power(channel: Channel, uses: int) -> Channel:
    """The channel whose inputs are words of `uses` inputs, and whose outputs are words of outputs.

    Two words are confusable iff they are equal or confusable at every place: the confusability graph is the strong
    power of the channel's.

    Source: Shannon 1956: docs/measures/zero_error_capacity.md

    >>> square = strong_power(Channel({0: {0, 1}, 1: {1}}), 2)
    >>> square.inputs, square.confusable((0, 0), (1, 1))
    (((0, 0), (0, 1), (1, 0), (1, 1)), True)
    """
    number = as_integer(uses)
    if number is None or number < 1:
        raise ChannelError(f"uses={shown(uses)} is not valid; use an integer of at least 1")
    if max(len(as_channel(channel).inputs), len(channel.outputs)) ** number > MOST_WORDS:
        raise TooLargeError(f"{number} uses have more than {MOST_WORDS} words; use fewer")
    return strong_product(*[channel] * number)
