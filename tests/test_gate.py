"""The gate of ratios, without measuring anything."""

from __future__ import annotations

from itertools import count

import pytest
from benchmarks import gate
from benchmarks.__main__ import RESULTS, read, written


def measured(*ratios):
    """Tells these ratios one after the other, and how many were asked for."""
    left, asked = iter(ratios), count(1)
    attempted = []

    def tell():
        attempted.append(next(asked))
        return next(left)

    return tell, attempted


@pytest.mark.parametrize(
    ("ratios", "attempts", "slower"),
    [
        ([1.0], 1, False),
        ([2.0], 1, False),
        ([2.01, 1.9], 2, False),
        ([5.0, 5.0, 2.0], 3, False),
        ([5.0, 5.0, 2.01], 3, True),
    ],
)
def test_only_what_is_slow_three_times_fails(ratios, attempts, slower, capsys):
    tell, attempted = measured(*ratios, 0.1)
    assert list(gate.doubled({"x": tell}, {"x": 1.0})) == ([f"x: {min(ratios):.2f}×, was 1.00×"] if slower else [])
    assert len(attempted) == attempts
    assert capsys.readouterr().out.startswith("x: ")


def test_sides_take_turns_and_the_first_run_of_each_does_not_count(monkeypatch):
    """Ours takes 3 and once 30, raw 2 and once 40; the noise and the first runs change nothing."""
    now, runs = [0.0], []

    def work(side, *times):
        lengths = iter([*times, *[times[-1]] * 100])

        def run():
            runs.append(side)
            now[0] += next(lengths)

        return run

    monkeypatch.setattr("benchmarks.gate.perf_counter", lambda: now[0])
    assert gate.in_turn(work("ours", 100, 30, 3), work("raw", 1, 40, 2)) == 1.5
    assert runs == ["ours", "raw"] * (1 + gate.LEAST)


def test_every_measure_has_a_committed_ratio(monkeypatch):
    monkeypatch.setattr(gate, "in_turn", lambda ours, raw: [ours(), raw()] and 1.0)
    with gate.measures() as found:
        assert set(found) == set(gate.committed())
        assert all(ratio > 0 for ratio in gate.committed().values())
        assert [each() for each in found.values()] == [1.0] * len(found)


def test_a_section_of_the_results_is_replaced_alone():
    page = RESULTS.read_text(encoding="utf-8")
    assert written(read(page)) == page
    anew = read(written(read(page) | {"keys": "| one | 2 ms |\n"}))
    assert anew == read(page) | {"keys": "| one | 2 ms |\n"}
