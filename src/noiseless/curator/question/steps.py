"""The steps of a question in words: what is released first, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from noiseless.curator.question.question import Question
from noiseless.curator.releases.release import Paid, Release, Width, as_bins
from noiseless.privacy.quantizers.ladder import Ladder

MOST_NAMED = 3
"""A step names at most this number of releases."""


def new_in(steps: Sequence[Question]) -> Iterator[Question]:
    """Each step with only what no step before it releases. Steps that release nothing new are left out, but one."""
    known: set[Paid] = set()
    for place, step in enumerate(steps):
        new = {release: width for release, width in step.widths.items() if (release, width) not in known}
        known |= set(new.items())
        if new or not place:
            yield replace(step, widths=new)


def described(steps: Sequence[Question]) -> tuple[str, ...]:
    """A sentence for each step, if there are several."""
    found = []
    for step in new_in(steps):
        named = list(dict.fromkeys(_words(release, width) for release, width in step.widths.items()))
        others = f", and {len(named) - MOST_NAMED} others" if len(named) > MOST_NAMED else ""
        found.append(", ".join(named[:MOST_NAMED]) + others)
    return tuple(found) if len(found) > 1 else ()


def _words(release: Release, width: Width) -> str:
    what = release.itself.kind_in_words
    if isinstance(width, Ladder):
        return f"{what} at the finest stable level from bins of {width.finest} on"
    bins = as_bins(width)
    if bins.wide == 1:
        return f"{what} exactly"
    return f"{what} in bins of {bins.wide}" + (f" with guards of {bins.guard}" if bins.guard else "")
