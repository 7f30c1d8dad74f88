"""The steps of a question in words: what is released first, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from noiseless.curator.question.centred import terms_of
from noiseless.curator.question.question import Question
from noiseless.curator.releases.release import Paid, Release, Width, as_bins
from noiseless.privacy.quantizers.ladder import Ladder

MOST_NAMED = 3
"""A step names at most this number of releases."""


def new_in(steps: Sequence[Question]) -> Iterator[Question]:
    """Each step with only what no earlier step releases. Steps that release nothing new are left out, except one."""
    known: set[Paid] = set()
    for place, step in enumerate(steps):
        new = {release: width for release, width in step.widths.items() if (release, width) not in known}
        known |= set(new.items())
        if new or not place:
            yield replace(step, widths=new)


def described(steps: Sequence[Question]) -> tuple[str, ...]:
    """What each step releases, if there are several."""
    if len(steps) == 1:
        return ()
    found = []
    for step in new_in(steps):
        shares = _shares_of_counts(step)
        named = list(dict.fromkeys(_words(release, width, shares) for release, width in step.widths.items()))
        others = f", and {len(named) - MOST_NAMED} others" if len(named) > MOST_NAMED else ""
        found.append(", ".join(named[:MOST_NAMED]) + others)
    return tuple(found) if len(found) > 1 else ()


def _shares_of_counts(question: Question) -> dict[Release, Fraction]:
    """How much of the error each count in bins takes, if half of the rows count. The sums take the rest."""
    found = {}
    for number, error in question.with_errors().items():
        if error is not None and number.in_steps and (count := number.beside[0]) in question.widths:
            width, terms = question.widths[count], terms_of(number, error)
            spread = (width.finest if isinstance(width, Ladder) else as_bins(width).wide) - 1
            people = max(1, count.part.size // 2)
            found[count] = terms.of_count * spread / (terms.room * people) if terms.room else Fraction(0)
    return found


def _words(release: Release, width: Width, shares: Mapping[Release, Fraction]) -> str:
    what, share = release.itself.in_words, shares.get(release, Fraction(0))
    return _in_bins(what, width) + (f" ({round(100 * share)} % of the error)" if 0 < share < 1 else "")


def _in_bins(what: str, width: Width) -> str:
    if isinstance(width, Ladder):
        return f"{what} at the finest stable level from bins of {width.finest} on"
    bins = as_bins(width)
    if bins.wide == 1:
        return f"{what} exactly"
    return f"{what} in bins of {bins.wide}" + (f" with guards of {bins.guard}" if bins.guard else "")
