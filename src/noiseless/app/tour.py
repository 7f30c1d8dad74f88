"""The tour of `noiseless demo`: a mean and its integer, dice, a smart meter, the pentagon, a noisy typewriter."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

from rich.console import Console
from rich.panel import Panel
from rich.table import Table

import noiseless as nl


def tour(console: Console | None = None) -> None:
    """Print the whole tour."""
    console = console or Console()
    for part in (mean, dice, meter, pentagon, typewriter):
        part(console)
    console.print("Nothing above was random or sampled: ratios are exact, and logarithms only label them.")


def mean(console: Console) -> None:
    """An answer and its integer: what a budget buys for the mean of 300 people."""
    query = nl.Mean(n=300, low=0, high=60)
    _heading(
        console,
        "The mean of 300 people, each between 0 and 60",
        "How many different answers can one person's data cause?",
    )
    table = Table("bits", "answers", "bins", "worst error")
    for bits in range(5):
        made = nl.calibrate(query, bits=bits)
        table.add_row(str(bits), str(made.guarantee.count), str(made.quantizer.levels), f"{float(made.error):.4g}")
    console.print(table)
    printed = nl.theorem_8_as_printed(query, bits=2)
    console.print(
        f"The paper's own formula would allow {printed.quantizer.levels} bins for 2 bits; "
        f"one person's data could then cause {printed.guarantee.count} answers, not 4.\n"
    )


def dice(console: Console) -> None:
    """What does the parity of a die reveal about its number?"""
    space = nl.Space({"number": range(1, 7)}).derive(even=lambda number: "yes" if number % 2 == 0 else "no")
    number, even = space["number"], space["even"]
    _heading(
        console, "A die, and whether it is even", f"{number}; once even = yes is known, {number.given(even='yes')}"
    )
    _measures(console, number, even)


def meter(console: Console) -> None:
    """The best case hides what the worst case reveals."""
    space = nl.Space({"reading": range(8)}).derive(bill=lambda reading: "high" if reading == 7 else "normal")
    reading, bill = space["reading"], space["bill"]
    _heading(console, "A meter reading, and whether the bill is high", "Only a reading of 7 makes the bill high.")
    _picture(console, reading, bill)
    _measures(console, reading, bill)
    console.print(
        "Information (the best case) says that little is learned. Leakage (the worst case) shows that a high bill "
        "reveals the reading.\n"
    )


def pentagon(console: Console) -> None:
    """Shannon's pentagon: two uses are worth more than twice one use."""
    channel = nl.Channel({x: {x, (x + 1) % 5} for x in range(5)})
    _heading(console, "The pentagon", "Each of five inputs can come out as itself or as the next one.")
    with console.status("two uses of the channel, and a semidefinite program"):
        capacity, code = nl.zero_error_capacity(channel), _code_of_length_two(channel)
    table = Table("", "what is known")
    table.add_row("one use", f"{nl.independence_number(channel)} inputs never confused")
    table.add_row("two uses", f"{len(code)} pairs never confused: {' '.join(f'{a}{b}' for a, b in code)}")
    table.add_row("upper bounds", f"packing {nl.fractional_packing(channel)}, theta {nl.lovasz_theta(channel)}")
    table.add_row("capacity", _capacity(capacity))
    console.print(table, "")


def typewriter(console: Console) -> None:
    """A noisy typewriter: every other letter is safe, and that is all."""
    following = dict(zip(ascii_lowercase, ascii_lowercase[1:] + "a", strict=True))
    channel = nl.Channel({letter: {letter, after} for letter, after in following.items()})
    _heading(console, "A noisy typewriter", "Each key prints its letter or the next one.")
    capacity = nl.zero_error_capacity(channel)
    console.print(
        f"{int(capacity.lower.count)} letters can be distinguished for certain: {_capacity(capacity)}, "
        f"from {capacity.lower_by} and {capacity.upper_by}.\n"
    )


def _heading(console: Console, title: str, text: str) -> None:
    console.print(Panel(text, title=title, title_align="left"))


def _picture(console: Console, x: nl.Variable, y: nl.Variable) -> None:
    """The joint range as a grid: a dot where x and y can happen together."""
    possible = nl.joint(x, y).range
    table = Table(y.name, *map(str, x.range), title=f"{x.name} →", title_justify="left", box=None)
    for seen in y.range:
        table.add_row(str(seen), *("●" if (value, seen) in possible else "·" for value in x.range))
    console.print(table)


def _measures(console: Console, x: nl.Variable, y: nl.Variable) -> None:
    table = Table("measure", "exact ratio", "bits", "in words")
    for name, words in (
        ("entropy", "values possible at first"),
        ("conditional_entropy", "values that may remain"),
        ("disarray", "values that surely remain"),
        ("information", "what is learned at least"),
        ("leakage", "what is learned at most"),
        ("maximin_information", "what both know in common"),
    ):
        measure = getattr(nl, name)
        value = measure(x) if name == "entropy" else measure(x, y)
        table.add_row(name, str(value.ratio), f"{value.bits:.3f}", words)
    console.print(table, "")


def _capacity(capacity: nl.Capacity) -> str:
    if capacity.exact:
        return f"{capacity.lower} per use, exact"
    return repr(capacity)


def _code_of_length_two(channel: nl.Channel) -> list[tuple[int, int]]:
    """Shannon's five pairs (x, 2x), checked here rather than believed."""
    both, code = channel * channel, [(x, 2 * x % 5) for x in range(5)]
    assert not any(both.confusable(a, b) for a, b in product(code, code) if a != b)
    return code
