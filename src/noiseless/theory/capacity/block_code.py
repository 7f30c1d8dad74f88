"""Block codes: messages sent as words over several steps, and read back without error."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np

from noiseless.errors import ChannelError
from noiseless.exact.number import as_integer, shown, written
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.channel_sequence import ChannelSequence
from noiseless.theory.capacity.rate import Rate

Word = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A code on some of the steps; the steps count from 0."""

    steps: tuple[int, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class BlockCode:
    """Words of which no two are ever confused, one for each message 0, 1, 2, …

    Made from a channel, or a sequence of channels, and words of equal length. Made of parts, each on its own steps, it
    has a word for each choice of a word in every part: two of them differ in a part, and are not confused there.

    Guarantee: decode(outputs) is the message, for all outputs that encode(message) can cause. Checked when it is made.
    Source: NP (10): docs/channels.md

    >>> pentagon = Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}})
    >>> code = BlockCode(pentagon, [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)])
    >>> code.encode(3), code.decode((4, 1)), code.rate
    ((3, 1), 3, log2(5)/2 ≈ 1.161 bits)
    """

    channels: tuple[Channel, ...]
    """The channel of each step."""
    parts: tuple[Part, ...]

    def __init__(self, channel: Channel | ChannelSequence, words: Iterable[Sequence[Hashable]]) -> None:
        listed = list(words) if isinstance(words, Iterable) else []
        kept = tuple(tuple(word) if isinstance(word, Iterable) else () for word in listed)
        if not kept or not kept[0] or len({len(word) for word in kept}) > 1:
            raise ChannelError("a block code needs words of one length; give at least one word, and no empty ones")
        sequence = channel if isinstance(channel, ChannelSequence) else ChannelSequence(as_channel(channel))
        self._keep(sequence.first(len(kept[0])), (Part(tuple(range(len(kept[0]))), kept),))

    @classmethod
    def of_parts(cls, channels: Sequence[Channel], parts: Sequence[Part]) -> BlockCode:
        """Codes on different steps, sent together; each step belongs to one part."""
        made = object.__new__(cls)
        made._keep(tuple(channels), tuple(parts))
        return made

    def _keep(self, channels: tuple[Channel, ...], parts: tuple[Part, ...]) -> None:
        if sorted(step for part in parts for step in part.steps) != list(range(len(channels))):
            raise ChannelError("the parts of a block code must use every step once; check their steps")
        for part in parts:
            check_words([channels[step] for step in part.steps], part.words)
        object.__setattr__(self, "channels", channels)
        object.__setattr__(self, "parts", parts)

    @property
    def size(self) -> int:
        """The number of messages."""
        return prod(len(part.words) for part in self.parts)

    @property
    def steps(self) -> int:
        """The length of a word."""
        return len(self.channels)

    @property
    def rate(self) -> Rate:
        """Bits per step."""
        return Rate(Fraction(self.size), self.steps)

    def encode(self, message: int) -> Word:
        """The word that stands for a message from 0 to size − 1."""
        number = as_integer(message)
        if number is None or not 0 <= number < self.size:
            raise ChannelError(
                f"message={shown(message)} is not valid; use an integer from 0 to {written(self.size - 1)}"
            )
        chosen = []
        for part in reversed(self.parts):
            number, place = divmod(number, len(part.words))
            chosen.append(part.words[place])
        return self._woven(chosen[::-1])

    def decode(self, outputs: Sequence[Hashable]) -> int:
        """The only message whose word can cause these outputs."""
        if not hasattr(outputs, "__len__"):
            raise ChannelError(f"{shown(outputs)} is not a word of outputs; give one for each of {self.steps} steps")
        if len(outputs) != self.steps:
            raise ChannelError(f"{len(outputs)} outputs were given; a word has {self.steps} steps")
        possible = [channel.inputs_of(y) for channel, y in zip(self.channels, outputs, strict=True)]
        message = 0
        for part in self.parts:
            among = [possible[step] for step in part.steps]
            found = [place for place, word in enumerate(part.words) if all(map(_in, word, among))]
            if not found:
                raise ChannelError("no word of the code can cause these outputs; check the code and the outputs")
            message = message * len(part.words) + found[0]
        return message

    def __iter__(self) -> Iterator[Word]:
        return map(self._woven, product(*(part.words for part in self.parts)))

    def _woven(self, words: Iterable[Word]) -> Word:
        pairs = zip(self.parts, words, strict=True)
        letters = {step: x for part, word in pairs for step, x in zip(part.steps, word, strict=True)}
        return tuple(letters[step] for step in range(self.steps))

    def __repr__(self) -> str:
        return f"BlockCode({written(self.size)} messages in {self.steps} steps, {self.rate!r} per step)"


def check_words(channels: Sequence[Channel], words: Sequence[Word]) -> None:
    """Refuse words of which two can be confused: they share an output at every step."""
    shared: np.ndarray = np.ones((len(words), len(words)), dtype=bool)
    for channel, letters in zip(channels, zip(*words, strict=True), strict=True):
        place = {x: row for row, x in enumerate(channel.inputs)}
        if unknown := [x for x in letters if not isinstance(x, Hashable) or x not in place]:
            raise ChannelError(f"{unknown[0]!r} is not an input of the channel at its step; see .inputs")
        rows = channel.matrix[[place[x] for x in letters]].astype(np.int32)
        shared &= (rows @ rows.T).toarray() > 0
    if np.count_nonzero(shared) > len(words):
        one, other = next(pair for pair in combinations(range(len(words)), 2) if shared[pair])
        raise ChannelError(f"the words {words[one]!r} and {words[other]!r} can be confused; change one of them")


def _in(x: Hashable, inputs: Iterable[Hashable]) -> bool:
    return x in inputs
