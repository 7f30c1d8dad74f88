"""A channel that changes over time: at each step, the next one of several channels is used."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from noiseless.errors import ChannelError
from noiseless.exact.number import as_integer, shown
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.strong_product import strong_product


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class ChannelSequence:
    """Channels used one after another, then again from the first. Steps count from 1.

    Memoryless: what comes out at a step depends only on what goes in at that step, so
    ⟦Y[1], …, Y[k]|x[1], …, x[k]⟧ = ⟦Y[1]|x[1]⟧ × … × ⟦Y[k]|x[k]⟧. One channel alone is memoryless as in NP §II-B.

    >>> day, night = Channel({0: {0}, 1: {1}}), Channel({0: {0, 1}, 1: {1}})
    >>> hours = ChannelSequence(day, night)
    >>> hours.at(3) is day, list(hours.outputs_of((0, 0)))
    (True, [(0, 0), (0, 1)])
    >>> hours.over(2)
    Channel(4 inputs → 4 outputs, uncertain)
    """

    channels: tuple[Channel, ...]

    def __init__(self, *channels: Channel) -> None:
        if not channels:
            raise ChannelError("a sequence needs a channel; give one for each step, or for each step of its period")
        object.__setattr__(self, "channels", tuple(as_channel(each) for each in channels))

    @property
    def period(self) -> int:
        """After this number of steps it starts again."""
        return len(self.channels)

    def at(self, step: int) -> Channel:
        """The channel used at a step."""
        return self.channels[(_steps(step, "step") - 1) % self.period]

    def first(self, steps: int) -> tuple[Channel, ...]:
        """The channels of the first steps."""
        return tuple(self.channels[step % self.period] for step in range(_steps(steps, "steps")))

    def over(self, steps: int) -> Channel:
        """The channel whose inputs are words of this number of steps."""
        return strong_product(*self.first(steps))

    def outputs_of(self, word: Sequence[Hashable]) -> Iterator[tuple[Any, ...]]:
        """⟦Y[1], …, Y[k]|x[1], …, x[k]⟧, one word of outputs after another."""
        letters = zip(self.first(len(word)), word, strict=True)
        return product(*(channel.outputs_of(letter) for channel, letter in letters))

    def __repr__(self) -> str:
        return f"ChannelSequence({', '.join(map(repr, self.channels))})"


def _steps(number: object, name: str) -> int:
    found = as_integer(number)
    if found is None or found < 1:
        raise ChannelError(f"{name}={shown(number)} is not valid; use an integer of at least 1")
    return found
