"""How wide the bins of a question are: as narrow as its bits allow, or as wide as its error allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil

from noiseless.curator.question.centred import Chosen, centred_widths
from noiseless.curator.question.line import Asked, Known, Line
from noiseless.curator.question.paired import paired_widths
from noiseless.curator.question.past import Past
from noiseless.curator.question.ratio import Divided, ratio_widths
from noiseless.curator.releases.release import Release, Width, as_bins
from noiseless.curator.releases.stable_level import ladder_from
from noiseless.errors import BudgetError
from noiseless.exact.answers import answers_within, most_within
from noiseless.exact.number import Number, exact_number, shown, written
from noiseless.exact.rounding import bits_up, decimal_outward
from noiseless.privacy.composition.weights import PARTS
from noiseless.privacy.quantizers.guarded import Bins
from noiseless.privacy.quantizers.ladder import Ladder

Widths = Mapping[Release, Width]
MOST_TRIED = 10_000


def numbers_needed(lines: Iterable[Line]) -> list[Asked]:
    """The numbers of a question that come from the data, each once."""
    return list(dict.fromkeys(numbers_of(lines)))


def numbers_of(lines: Iterable[Line]) -> Iterator[Asked]:
    """The numbers of all lines that come from the data, some perhaps in several lines."""
    return (number for line in lines for number in line.numbers.values() if isinstance(number, Asked))


def releases_needed(lines: Iterable[Line]) -> list[Release]:
    """What a question needs from the data, each release once. Many lines may share one object, which is hashed once."""
    objects = {id(release): release for number in numbers_of(lines) for release in number.releases}
    return list(dict.fromkeys(objects.values()))


def different(lines: Iterable[Line]) -> list[Line]:
    """The lines, without those that get the same bins as another line: cells of a table differ only in their number."""
    found: dict[object, Line] = {}
    for line in lines:
        found.setdefault((line.select, *map(_kind, line.numbers.values())), line)
    return list(found.values())


def _kind(number: Known | Asked) -> object:
    """What the bins of a number follow from. Objects are compared by identity, which only makes more kinds."""
    if isinstance(number, Known):
        return None
    parts = number.release, number.beside, number.factor, number.shift, number.pair
    return number.function.rstrip("0123456789"), number.cells, *map(id, parts)


def chosen_for_error(lines: Iterable[Divided], past: Past) -> Chosen:
    """The widest bins in which every number keeps its error: guarded ones where these are cheaper in expectation.

    Which they are follows from the question alone, so that asking it again is free. If they were not asked before, but
    others that keep the error were, the first of those are used: they are free too. Means and variances under a private
    condition need a count first. The error of a ratio is that of the ratio itself, not of its parts.
    """
    found: list[Chosen] = []
    stepwise: list[Chosen] = []
    for ratios, numbers in lines:
        stepwise += [ratio_widths(ratio, error, past) for ratio, error in ratios]
        for number, error in dict.fromkeys(numbers):
            (stepwise if number.in_steps else found).append(_chosen(number, _given(number, error), past))
    widths: dict[Release, Width] = {}
    for chosen in found + stepwise:
        for release, width in chosen.widths.items():
            widths[release] = narrower(width, widths.get(release, width))
    few = bool(stepwise) and all(each.few for each in stepwise)  # otherwise they are answered, and said to be coarser
    otherwise = {release: width for each in stepwise for release, width in each.otherwise.items()}
    return Chosen(widths, all(each.complete for each in stepwise), few, otherwise)


def _given(number: Asked, error: Fraction | None) -> Fraction:
    """The error of a number. A number without one must be exact; otherwise it is refused."""
    if error is not None:
        return error
    release = number.release
    if number.beside or (release.widest > 1 and release.error(release.widest, number.function)):
        raise BudgetError(f"error= gives none for {_named(number)}; name it too, or add '*' for all others")
    return Fraction(0)


def _chosen(number: Asked, error: Fraction, past: Past) -> Chosen:
    release, function, error = number.release, number.function, number.own_error(error)
    if number.pair is not None:
        return paired_widths(number.pair, number.releases, error, stable=release.at_levels)
    if number.beside:
        return centred_widths(number, error, past, stable=release.at_levels)
    if release.at_levels:
        return Chosen({release: _ladder(release, error, function, past)}, complete=True)
    if release.is_count and past.exactly(release) is not None:  # known exactly, so it is free
        return Chosen({release: 1}, complete=True)
    width = release.width_within(error, function)
    chosen: Width = release.guarded(error, function, release.part.rows) or release.rounded_width(width, up=False)
    known = past.bins(release)
    if chosen not in known:
        kept = (each for each in known if as_bins(each).widest <= max(width, as_bins(chosen).widest))
        chosen = next(kept, chosen)
    return Chosen({release: chosen}, complete=True)


def _ladder(release: Release, error: Fraction, function: str, past: Past) -> Width:
    """The ladder that starts with the widest bins that keep the error, or an earlier ladder that came out as fine."""
    chosen = ladder_from(release, release.width_within(error, function))
    known = [each for each in past.bins(release) if isinstance(each, Ladder)]
    for ladder in known if chosen not in known else ():
        released = past.found(release, ladder)
        if released is not None and len(released) > 1 and ladder.widths[released[0]] <= chosen.finest:
            return ladder
    return chosen


def narrower(one: Width, two: Width) -> Width:
    """The bins whose largest bin is smaller. Of two ladders, the one that starts with narrower bins."""
    return min(one, two, key=lambda width: width.finest if isinstance(width, Ladder) else as_bins(width).widest)


def guarded_for_bits(
    needed: Iterable[Asked], bits: Number, rows: int, together: Callable[[list[Release]], int]
) -> Widths:
    """The narrowest guarded bins whose quiet outcome costs at most a fraction of a bit.

    `together` is the largest number of guarded numbers whose prices multiply. Each gets an equal part of the chance of
    a loud outcome. With a = (K−1)/chance the quiet price is 1/(1 − chance), and K ≥ 2.
    """
    releases = list(dict.fromkeys(release for each in needed for release in each.releases))
    if any(release.window(rows) is None for release in releases):
        raise BudgetError(
            f"bits={shown(bits)} is below one bit, and only sums, means, counts and variances can cost less than that; "
            f"ask for bits=1 or more, or give error= instead"
        )
    chance = 1 - 1 / most_within(bits)
    if not chance:
        raise BudgetError(f"bits={shown(bits)} allow only the constant answer; ask for more bits")
    guarded: dict[Release, Width] = {}
    number = together(releases)
    for release in releases:
        window = release.window(rows)
        assert window is not None
        guard = release.rounded_width(max(1, window - 1), up=True)
        # a is a multiple of 1/PARTS below (K−1)/chance, so a little less chance keeps the price
        wide = ceil(guard * (number / chance + Fraction(number, PARTS) - 1))
        guarded[release] = Bins(release.rounded_width(max(wide, guard), up=True), guard)
    return guarded


def exact_bits(bits: Number) -> Fraction:
    """The bits as an exact number. Refused if they are negative, or more than anything costs."""
    answers_within(bits)
    return exact_number(bits, "bits")


def exact_error(error: Number) -> Fraction:
    """The error as an exact number. Refused if it is negative."""
    wanted = exact_number(error, "error")
    if wanted < 0:
        raise BudgetError(f"error={shown(error)} must be at least 0; 0 asks for an exact answer")
    return wanted


def widths_for_bits(needed: Iterable[Asked], bits: Number, rows: int, count: Callable[[Widths], int]) -> Widths:
    """The narrowest bins that keep the whole question within the bits. Every number gets the same number of answers.

    `count` gives the number of answers of the question for some widths. `rows` is the most rows of one person.
    """
    allowed = answers_within(bits)
    releases = list(dict.fromkeys(release for each in needed for release in each.releases))
    least = _fewest(releases, rows)
    if not releases:
        return {}
    if count(least) > allowed:
        raise BudgetError(
            f"bits={shown(bits)} allow {written(allowed)} answers and the question has at least "
            f"{written(count(least))}; ask for bits={bits_up(count(least), digits=3):g} or more, or for fewer numbers"
        )
    found: Widths = least
    low, high = 2, max(allowed, 2)
    while low <= high:
        middle = (low + high) // 2
        tried = _with_answers(releases, middle, rows)
        if tried is not None and (tried == least or count(tried) <= allowed):
            low, found = middle + 1, tried
        elif tried is None:
            low = middle + 1
        else:
            high = middle - 1
    return found


def finer(number: Asked, known: Width, place: int, error: Fraction) -> Width:
    """The widest bins that divide the known bin at `place` and keep the error, or the known bins themselves."""
    bins = as_bins(known)
    old = bins.width(place)
    width = _divisor(number, old, error)
    origin = bins.ends(place)[0] % width
    return known if width == old else Bins(width, 0, origin) if origin else width


def _divisor(number: Asked, known: int, error: Fraction) -> int:
    """The largest divisor of a known width that keeps the error. It may be the known width itself."""
    release, function = number.release, number.function
    wanted = release.wide_within(number.own_error(error), function)
    if known <= wanted:
        return known
    if not release.refinable:
        raise BudgetError(
            f"only sums and means without a private condition can be refined, not this {_named(number)}; ask again "
            f"with error={_shown(error)}"
        )
    divisors = [each for each in range(1, known) if known % each == 0] if known < MOST_TRIED else _binary(known)
    width = max(each for each in divisors if each <= wanted)
    if width == 1 < wanted:
        errors = ((release.error(each, function) or Fraction(0)) * number.unit for each in divisors)
        possible = ", ".join(map(_shown, errors))
        raise BudgetError(
            f"bins of {known} codes cannot be divided to reach error={_shown(error)}; possible errors are {possible}"
        )
    return width


def _binary(width: int) -> list[int]:
    """The divisors to try for a wide bin. It has five significant bits, unless it is one bin for everything."""
    shift = (width & -width).bit_length() - 1
    odd = width >> shift
    small = [part for part in range(1, min(odd, MOST_TRIED) + 1) if odd % part == 0]
    parts = {*small, *(odd // part for part in small)}
    return sorted({part << power for part in parts for power in range(shift + 1)} - {width})


def _named(number: Asked) -> str:
    """The function as a question names it. The place in a histogram is a COUNT."""
    word = number.function.partition(" ")[0]
    return "COUNT" if word.isdigit() or word == "ROWS" else "QUANTILE" if word == "ORDER" else word


def _shown(error: Fraction) -> str:
    return decimal_outward(error, 9, up=True)


def exact_widths(needed: Iterable[Asked]) -> Widths:
    """The widths of a question whose numbers are all exact, where there is nothing to choose."""
    numbers = list(needed)
    if inexact := [each for each in numbers if each.release.widest > 1]:
        raise BudgetError(f"{_named(inexact[0])} needs bits= (what it may cost) or error= (how far off it may be)")
    return {each.release: 1 for each in numbers}


def _fewest(releases: list[Release], rows: int) -> dict[Release, int]:
    """The narrowest bins with the fewest useful answers: two, or more if two are not possible."""
    widths = {}
    for release in releases:
        fewest = max(2, release.answers(release.widest, rows))
        width = release.narrowest(rows, fewest)
        widths[release] = release.rounded_width(width or release.widest, up=True)
    return widths


def _with_answers(releases: list[Release], answers: int, rows: int) -> Widths | None:
    """Widths that give every release at most `answers` answers. None if one of them cannot have so few."""
    widths = {}
    for release in releases:
        if release.widest == 1:
            widths[release] = 1
            continue
        width = release.narrowest(rows, answers)
        if width is None:
            return None
        widths[release] = release.rounded_width(width, up=True)
    return widths
