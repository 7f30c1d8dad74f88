"""The upper end of zero-error capacity: theta by steps, against an interior-point solver and the clique cover."""

from __future__ import annotations

import random
from math import inf, log2

import noiseless as nl
from benchmarks.measure import Row, compared, seconds
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.theta_by_steps import theta_by_steps

INPUTS, MOST, LIMIT = 60, 120, 12


def rows() -> list[Row]:
    small, large = _random(INPUTS), _random(MOST)
    steps = seconds(lambda: theta_by_steps(small, Deadline(inf)), repeat=1)
    solver = seconds(lambda: nl.lovasz_theta(small), repeat=1)
    upper = nl.zero_error_capacity(large, time_limit=LIMIT).upper.bits_up
    cover = log2(nl.fractional_packing(large).upper)
    return [
        compared(f"theta of {INPUTS} inputs by steps, to 10⁻⁶", steps, solver, "Clarabel", ""),
        Row(
            f"upper end of {MOST} inputs in {LIMIT} s",
            f"{upper:.2f} bits",
            f"{cover:.2f} bits (clique cover)",
            f"{upper / cover:.2g}×",
            "that of 60 s",
        ),
    ]


def _random(inputs: int) -> nl.Channel:
    """Half of all pairs of inputs share an output."""
    chance = random.Random(0)
    outputs: dict[int, set[object]] = {place: {place} for place in range(inputs)}
    for one in range(inputs):
        for two in range(one):
            if chance.random() < 0.5:
                outputs[one].add((one, two))
                outputs[two].add((one, two))
    return nl.Channel(outputs)
