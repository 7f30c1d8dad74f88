"""The bins of COVAR, CORR and REGR, if an error is given.

Their errors depend on the sums themselves, which are private. So the bins are chosen for a plausible table: half of the
rows meet a private condition, and standard deviations are a quarter of the declared range. For COVAR_POP and COVAR_SAMP
over rows that are all known to count the error is kept whatever the table is. For others the answer says if it was not
(`Answer.coarser`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from noiseless.curator.question.centred import Chosen
from noiseless.curator.releases.pair import SQUARES_OF, Pair
from noiseless.curator.releases.release import Release, Width
from noiseless.curator.releases.spread import own_error
from noiseless.curator.releases.stable_level import ladder_from
from noiseless.curator.releases.total import no_smaller
from noiseless.errors import BudgetError

USUAL = Fraction(1, 4)
"""The standard deviation that is expected, as a part of the range."""
FOR_COUNT = Fraction(1, 4)
"""The part of the error that is kept for a private number of rows."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """How wide the intervals may be, in codes: of the covariance, and of the variances and means that are needed."""

    covariance: Fraction
    variances: Mapping[int, Fraction] = field(default_factory=dict)
    means: Mapping[int, Fraction] = field(default_factory=dict)


def paired_widths(pair: Pair, releases: tuple[Release, ...], error: Fraction, stable: bool) -> Chosen:
    """The widest bins that keep the error, if the table is as expected."""
    part = releases[-1].part
    people, left = part.size, Fraction(1)
    if not part.plain:
        people, left = max(1, part.size // 2), 1 - FOR_COUNT
    rooms, far = _rooms(pair, error, people), [(side.column.top + 1) // 2 for side in pair.sides]
    of_sums = _of_sums(pair, rooms, far)
    wanted = [FOR_COUNT * rooms.covariance / (3 * far[0] * far[1])] if len(releases) > len(of_sums) else []
    wanted += [left * room for room in of_sums]
    widths = {each: _bins(each, 1 + floor(room * people), stable) for each, room in zip(releases, wanted, strict=True)}
    return Chosen(widths, complete=True)


def _of_sums(pair: Pair, rooms: Rooms, far: list[int]) -> list[Fraction]:
    """How wide each sum divided by the number of rows may be: the totals, the squares, the products.

    The covariance has three parts, and a variance two.
    """
    found = []
    for side in (0, 1):
        each = [rooms.covariance / (3 * far[1 - side])]
        each += [rooms.means[side]] if side in rooms.means else []
        each += [rooms.variances[side] / (4 * far[side])] if side in rooms.variances else []
        found.append(min(each))
    found += [rooms.variances[side] / 2 for side in SQUARES_OF[pair.function]]
    return [*found, rooms.covariance / 3]


def _rooms(pair: Pair, error: Fraction, people: int) -> Rooms:
    units = [abs(side.unit) for side in pair.sides]
    y, x = (USUAL * side.column.top for side in pair.sides)
    match pair.function:
        case "COVAR_POP" | "COVAR_SAMP":
            return Rooms(_room_of_covariance(pair, error, people) / (units[0] * units[1]))
        case "CORR":
            return Rooms(error * y * x, {0: error / 2 * y**2, 1: error / 2 * x**2})
        case "REGR_R2":
            return Rooms(error / 2 * y * x, {0: error / 4 * y**2, 1: error / 4 * x**2})
        case "REGR_SLOPE":
            return _rooms_of_slope(error * units[1] / units[0], y, x)
    side = pair.sides[1]
    largest = max(abs(side.number(0)), abs(side.number(side.column.top)))
    slope = _rooms_of_slope(error / (2 * largest) * units[1] / units[0], y, x)
    return Rooms(slope.covariance, slope.variances, {0: error / (2 * units[0]), 1: error / (2 * units[0]) * x / y})


def _rooms_of_slope(error: Fraction, y: Fraction, x: Fraction) -> Rooms:
    return Rooms(error * x**2, {1: error / 2 * x**3 / y})


def _room_of_covariance(pair: Pair, error: Fraction, people: int) -> Fraction:
    """Twice the error minus what rounding adds, for deviations of half of the ranges. Refused if nothing is left."""
    kept, _ = own_error(error, "VAR_SAMP" if pair.function == "COVAR_SAMP" else "VAR_POP", max(2, people))
    blurred = [abs(side.factor) * side.rounding for side in pair.sides]
    half = [abs(side.factor) * side.column.span / 2 for side in pair.sides]
    rounded = blurred[0] * half[1] + blurred[1] * half[0] + blurred[0] * blurred[1]
    if kept < rounded:
        name = f"{pair.function}({', '.join(side.name for side in pair.sides)})"
        raise BudgetError(no_smaller(name, error, error * rounded / kept if kept else None))
    return 2 * (kept - rounded)


def _bins(release: Release, wide: int, stable: bool) -> Width:
    """Guarded bins if they fit, and otherwise equal ones."""
    itself = release.itself
    if stable:
        return ladder_from(release, wide)
    window = itself.window(itself.part.rows)
    assert window is not None
    wide = min(wide, itself.largest + 1)
    return itself.guarding(wide, window) or (1 if itself.is_count else wide)
