"""Codes for channels that change over time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import reduce
from itertools import count
from math import lcm, prod

from noiseless.theory.capacity.block_code import BlockCode, Part
from noiseless.theory.capacity.channel import Channel
from noiseless.theory.capacity.channel_sequence import ChannelSequence
from noiseless.theory.capacity.code import MOST_ENTRIES, MOST_PAIRS, MOST_WORDS, searched_words
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.independence_number import distinguishable_inputs
from noiseless.theory.capacity.zero_error_capacity import zero_error_capacity

Found = tuple[BlockCode, str]
"""A code, and how it was found."""


def each_alone(sequence: ChannelSequence, different: list[Channel], deadline: Deadline) -> Found:
    """The code of each channel on its own steps, for so long that all of them end together."""
    codes = {}
    for done, channel in enumerate(different):
        left = deadline.share(1 / (len(different) - done)).left
        codes[channel] = zero_error_capacity(channel, max(left, 0)).code
    period, parts = sequence.period, list[Part]()
    rounds = lcm(*(len(words[0]) for words in codes.values()))
    for place, channel in enumerate(sequence.channels):
        length = len(codes[channel][0])
        for start in range(0, rounds, length):
            parts.append(Part(tuple((start + use) * period + place for use in range(length)), codes[channel]))
    code = BlockCode.of_parts(sequence.first(rounds * period), parts)
    return code, "a code for each channel"


def over_a_period(sequence: ChannelSequence, deadline: Deadline) -> Iterator[Found]:
    """Words over a whole period that the codes of single channels do not give."""
    if sequence.period == 1:
        return
    shared = [x for x in sequence.channels[0].inputs if all(x in each.inputs for each in sequence.channels)]
    if shared:
        repeated = distinguishable_inputs(_repeating(sequence, shared), deadline.share(1 / 4)).places
        code = BlockCode(sequence, [(shared[place],) * sequence.period for place in repeated])
        yield code, f"{code.size} inputs, each sent at every step"
    entries = prod(each.matrix.nnz for each in sequence.channels)
    words = prod(len(each.inputs) for each in sequence.channels)
    if deadline.over or words > MOST_PAIRS or entries > MOST_ENTRIES:
        return
    whole = sequence.over(sequence.period)
    chosen = distinguishable_inputs(whole, deadline.share(1 / 4))
    code = BlockCode(sequence, [whole.inputs[place] for place in chosen.places])  # type: ignore[misc]
    yield code, f"{code.size} words never confused in {sequence.period} steps"
    if not chosen.proved and words <= MOST_WORDS and (found := searched_words(whole, 1, deadline)):
        code = BlockCode(sequence, [word[0] for word in found])  # type: ignore[misc]
        yield code, f"{code.size} words never confused in {sequence.period} steps"


def _repeating(sequence: ChannelSequence, shared: list[Hashable]) -> Channel:
    """The channel of words that repeat one input: confusable iff confusable at every step."""
    graphs = []
    for channel in sequence.channels:
        place = {x: row for row, x in enumerate(channel.inputs)}
        rows = [place[x] for x in shared]
        graphs.append(channel.confusability[rows][:, rows])
    edges = reduce(lambda one, other: one.multiply(other), graphs).tocoo()
    name = count()
    outputs: dict[int, set[int]] = {place: {next(name)} for place in range(len(shared))}
    for one, other in zip(edges.row.tolist(), edges.col.tolist(), strict=True):
        edge = next(name)
        outputs[one].add(edge)
        outputs[other].add(edge)
    return Channel(outputs)
