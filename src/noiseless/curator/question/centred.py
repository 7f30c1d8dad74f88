"""The bins of a mean or variance under a private condition: of the count first, then of the sums that follow from it.

With the count in [n0, n1], a sum about a centre in bins of w, and the mean within D of the centre, the mean is reported
in an interval of at most ((w − 1) + D(n1 − n0))/n0 codes. For a variance it is at most
((v − 1) + D²(n1 − n0))/n0 plus the range of the squared distance of the mean from the centre. So each of the numbers
takes a share of the error, and the shares are chosen for the least expected price.

Source: theory §11, AVG under a condition: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import floor, log2
from typing import cast

from noiseless.curator.question.line import Asked
from noiseless.curator.question.past import Past, interval
from noiseless.curator.releases.centred import Centred, CentredTotal, Given, mean_of
from noiseless.curator.releases.release import Release, Released, Width, as_bins
from noiseless.curator.releases.spread import PRECISION, SAMPLES, Range
from noiseless.curator.releases.stable_level import ladder_from
from noiseless.curator.releases.total import no_smaller
from noiseless.errors import BudgetError
from noiseless.privacy.quantizers.guarded import Bins
from noiseless.privacy.quantizers.ladder import Ladder

PARTS = 16
"""Shares of the error are multiples of 1/PARTS."""
OF_SAMPLE = Fraction(15, 16)
"""The part of a sample variance's error that the variance of the population may have."""
NO_GUARDS = 100.0
"""More than any expected price."""
MOST_OF_COUNT = Fraction(3, 4)
"""A count that takes more of the error than this is too coarse. It is asked again in narrower bins."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How wide the interval of a number may be, in codes or their squares, and how much each release adds to it.

    For n rows, a count in bins of u adds `of_count`·(u − 1)/n, and the sums in bins of w add `of_sums`·(w − 1)/n.
    """

    room: Fraction
    of_count: Fraction
    of_sums: tuple[Fraction, ...]
    sums: tuple[Centred, ...]
    rows: int

    @property
    def trivial(self) -> bool:
        """Whether the declared range of the column already keeps the error."""
        top = self.sums[0].column.top
        return self.room >= (top if len(self.sums) == 1 else Fraction(top**2, 4))

    def shares(self, people: int, counted: bool) -> tuple[Fraction, ...]:
        """The shares of the error with the least expected price: of the count if it is `counted`, then of the sums."""
        moved = tuple(self.rows * each.moved for each in self.sums)
        added = self.of_sums
        if counted:
            moved, added = (self.rows, *moved), (self.of_count, *added)
        return _shares(tuple(self.room * people / each for each in added), moved)


@lru_cache(maxsize=1000)
def _shares(wide: tuple[Fraction, ...], guards: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The division of an error into sixteenths with the least expected price.

    `wide` are the bins with the whole error.
    """
    parts = [float(width / PARTS) for width in wide]

    def price(shares: tuple[int, ...]) -> float:
        found = zip(guards, shares, parts, strict=True)
        return sum(_expected(guard, 1 + share * part) for guard, share, part in found)

    return tuple(Fraction(share, PARTS) for share in min(_divisions(len(wide)), key=price))


def terms_of(number: Asked, error: Fraction, distance: Fraction | None = None) -> Terms:
    """The terms of a mean or a variance. `distance` bounds how far the mean is from the centre, if it is known."""
    sums = cast("tuple[Centred, ...]", tuple(release.itself for release in number.releases[1:]))
    total = sums[0]
    column, rounding = total.column, total.rounding
    far = Fraction(max(total.centre(1), column.top - total.centre(1))) if distance is None else distance
    asked, (error, function) = error, _of_population(error, number.function)
    if function == "AVG":
        left, room = error - rounding, 2 * (error - rounding) / column.step
        of_count = far
        of_sums: tuple[Fraction, ...] = (Fraction(1),)
    else:
        of_count, of_sums = 3 * far**2, (2 * far, Fraction(1))
        blurred = rounding + Fraction(2, PRECISION) if rounding or function != "VAR_POP" else Fraction(0)
        if function == "VAR_POP":
            left = error - blurred * column.span
            room = 2 * left / column.step**2
        else:
            left = error - blurred
            room = (2 * left / column.step) ** 2
    if left < 0:
        raise BudgetError(no_smaller(total.name, asked, asked * (error - left) / error if error else None))
    return Terms(room, of_count, of_sums, sums, total.part.rows)


def _of_population(error: Fraction, function: str) -> tuple[Fraction, str]:
    """The error of a population that keeps the error of a sample if at least 25 rows count. If not, the answer says so.

    A sample variance is n/(n − 1) times as large, for a number of rows n that is not known in advance.
    """
    return (error * OF_SAMPLE, SAMPLES[function]) if function in SAMPLES else (error, function)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Bins chosen so far. `complete` says that nothing must be released before the others can be chosen.

    `few` says that too few rows count to keep the error. `otherwise` are the bins of sums that were not asked, because
    few rows or none count: one more row could have made them necessary, so the promise counts their answers.
    """

    widths: dict[Release, Width]
    complete: bool
    few: bool = False
    otherwise: Mapping[Release, Width] = field(default_factory=dict)


def centred_widths(number: Asked, error: Fraction, past: Past, stable: bool = False) -> Chosen:
    """The bins of the count, and of the sums once the count is known, of a mean or variance under a condition."""
    count, *sums = number.releases
    terms, widths = terms_of(number, error), dict[Release, Width]()
    if terms.trivial:
        return Chosen({count: count.one_bin, **{each: each.one_bin for each in sums}}, complete=True)
    guarded = stable or _fits(terms, max(1, count.part.size // max(2, number.cells)))
    bins = _count_bins(count, terms, past, guarded, stable, max(3, number.cells))
    if bins is None:
        return _too_few(count, sums, past)
    widths[count] = bins
    released = past.found(count, bins)
    if released is None:
        return Chosen(widths, complete=False)
    people = interval(count, bins, released)
    if not people[1]:  # no rows, so there is nothing to sum
        alone = {each: _sum_bins(number, error, place, (1, 1), None, past, stable) for place, each in enumerate(sums)}
        otherwise = {each: each.one_bin if width is None else width for each, width in alone.items()}
        return Chosen(widths | {each: each.one_bin for each in sums}, complete=True, otherwise=otherwise)
    mean: Range | None = None
    for place, each in enumerate(sums):
        chosen = _sum_bins(number, error, place, people, mean, past, stable)
        if chosen is None or (guarded and not stable and isinstance(chosen, int) and bins != 1):
            return _too_few(count, sums, past, bins)
        widths[each] = chosen
        released = past.found(each, chosen)
        if released is None:
            return Chosen(widths, complete=place == len(sums) - 1)
        mean = mean_of((each, chosen, released), people) if place == 0 else mean
    return Chosen(widths, complete=True)


def _too_few(count: Release, sums: list[Release], past: Past, bins: Width | None = None) -> Chosen:
    """The count stays in the narrowest bins in which it is known, and each sum in one bin, which costs nothing."""
    known = [bins] if bins is not None else [each for each in past.bins(count) if past.found(count, each) is not None]
    narrowest = min(known, key=lambda each: _spread(count, each, past), default=count.one_bin)
    otherwise = {each: _guarded(each) for each in sums}
    return Chosen({count: narrowest} | {each: each.one_bin for each in sums}, True, few=True, otherwise=otherwise)


def _guarded(release: Release) -> Width:
    """Some guarded bins. Which ones does not matter: all have two answers."""
    guard = max(1, (release.window(release.part.rows) or 1) - 1)
    return Bins(guard + 1, guard)


def _spread(count: Release, width: Width, past: Past) -> int:
    released = past.found(count, width)
    least, most = (0, count.part.size) if released is None else interval(count, width, released)
    return most - least


def _count_bins(count: Release, terms: Terms, past: Past, guarded: bool, stable: bool, parts: int) -> Width | None:
    """The bins of the count: known ones that leave enough of the error for the sums, or narrower ones, or None.

    Known bins come first, so that asking again is free. If nothing is known, one of `parts` equal parts of the rows
    is expected to count, at most a third, so that the count is seldom too coarse.
    """
    known = [width for width in [1, *past.bins(count)] if past.found(count, width) is not None]
    for width in known:
        released = past.found(count, width)
        if released is not None and (_enough(interval(count, width, released), terms) or _coarsened(width, released)):
            return width
    if not guarded:
        return 1
    least, most = past.between(count)
    people = least or max(1, most // parts)
    wide = 1 + floor(terms.shares(people, counted=True)[0] * terms.room * people / terms.of_count)
    wide = min(wide, max(terms.rows + 1, count.part.size // 4))  # so that it says something if the error is large
    if known and 2 * wide > most - least + 1:  # narrower bins would say little more
        if stable:
            return known[-1]
        wide = (most - least + 1) // 2
    if stable:
        return ladder_from(count, wide)
    return Bins(wide, terms.rows) if wide > terms.rows else None if known else 1


def _coarsened(width: Width, released: Released) -> bool:
    """Whether a count came at a coarser level than the first. A finer ladder would then not help."""
    return isinstance(width, Ladder) and width.is_loud(released[0])


def _enough(people: tuple[int, int], terms: Terms) -> bool:
    least, most = people
    return not most or (least > 0 and terms.of_count * (most - least) <= MOST_OF_COUNT * terms.room * least)


def _fits(terms: Terms, people: int) -> bool:
    """Whether guarded bins of all numbers would keep the error if this number of rows counted."""
    shares = terms.shares(people, counted=True)[1:]
    wide = (floor(share * terms.room * people / each) for share, each in zip(shares, terms.of_sums, strict=True))
    return all(width > terms.rows * each.moved for width, each in zip(wide, terms.sums, strict=True))


def _sum_bins(
    number: Asked, error: Fraction, place: int, people: tuple[int, int], mean: Range | None, past: Past, stable: bool
) -> Width | None:
    """The widest bins of a sum that keep the error, or known ones that do."""
    release, (least, most) = number.releases[1:][place], people
    if not least:
        return release.one_bin if stable else None
    centre, distance = (None, None) if number.function != "AVG" or stable else _known_mean(release, people, past)
    terms = terms_of(number, error, distance)
    itself = terms.sums[place]
    room = terms.room * least - terms.of_count * (most - least)
    if mean is not None:  # for a variance, once the mean is known
        far = [abs(end - itself.centre(1)) for end in mean]
        nearest = Fraction(0) if mean[0] <= itself.centre(1) <= mean[1] else min(far)
        distant = Fraction(max(itself.centre(1), itself.column.top - itself.centre(1)))
        room = least * (terms.room - max(far) ** 2 + nearest**2) - distant**2 * (most - least)
    elif len(terms.sums) > 1:
        room *= terms.shares(least, counted=False)[0]
    wide = 1 + floor(room / terms.of_sums[place])
    if stable:
        return _known_ladder(release, wide, past) or (ladder_from(release, wide) if wide >= 1 else release.one_bin)
    for known in past.bins(release):
        released = past.found(release, known)
        if released is not None and _keeps((release, known, released), number, people, terms.room, wide):
            return known
    if wide < 1:
        return None
    window = itself.window(terms.rows)
    assert window is not None
    bins = itself.guarding(min(wide, itself.widest), window)
    if bins is None:
        return min(wide, itself.widest)
    return bins if centre is None else Bins(bins.wide, bins.guard, centre=centre)


def _known_ladder(release: Release, wide: int, past: Past) -> Ladder | None:
    """An earlier ladder that starts with bins as narrow, or came at a coarser level, or any if none keeps the error."""
    for known in past.bins(release):
        released = past.found(release, known)
        if not isinstance(known, Ladder) or released is None:
            continue
        if wide < 1 or known.finest <= wide or known.is_loud(released[0]):
            return known
    return None


def _keeps(given: Given, number: Asked, people: tuple[int, int], room: Fraction, wide: int) -> bool:
    """Whether what is known of a sum keeps the error: for a mean its interval, otherwise its bins."""
    if number.function != "AVG":
        return as_bins(given[1]).widest <= wide
    mean = mean_of(given, people)
    return mean is not None and mean[1] - mean[0] <= room


def _known_mean(release: Release, people: tuple[int, int], past: Past) -> tuple[int | None, Fraction | None]:
    """A centre near the mean that earlier answers imply, and how far from it the mean can be."""
    top = cast("CentredTotal", release).column.top
    low, high = Fraction(0), Fraction(top)
    for width in past.bins(release):
        released = past.found(release, width)
        mean = None if released is None else mean_of((release, width, released), people)
        if mean is not None:
            low, high = max(low, mean[0]), min(high, mean[1])
    if not low and high == top:
        return None, None
    centre = round((low + high) / 2)
    return centre, max(high - centre, centre - low)


def _expected(guard: int, wide: float) -> float:
    """The expected price in bits with the best weights: the entropy of quiet and loud.

    Infinite if guards do not fit.
    """
    chance = guard / (wide + guard)
    return NO_GUARDS if wide <= guard else -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def _divisions(parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide PARTS into this number of parts of at least 1."""
    for cuts in combinations(range(1, PARTS), parts - 1):
        yield tuple(after - before for before, after in pairwise((0, *cuts, PARTS)))
