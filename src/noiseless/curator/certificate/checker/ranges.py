"""The range of a number, how far one person's rows move it in that range, and the bins that this allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import MOST_ROWS, Column
from noiseless.curator.certificate.checker.numbers import rational
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.wrong import require

Columns = Mapping[Any, Column]
"""Columns by name, and computed ones by place."""
GUARDED = {"total", "function total", "filtered total", "head count", "variance", "centred total", "centred squares"}
GUARDED |= {"centred products"}
"""The kinds that may have guards: one person moves them within a window of consecutive integers."""
SUMS_OF_GROUPS = ("sums of groups", "variances of groups")
"""The kinds that have a count and sums of every cell."""
MOST_ROUNDED = 10**9
"""The largest width of the bins in which a policy may report counts."""


def largest(release: Release, columns: Columns) -> int:
    """The largest integer possible before it is put into bins. The smallest is 0."""
    n = release.part.rows
    match release.kind:
        case "head count" | "histogram" | "cross table" | "distinct count":
            return n
        case "interpolated quantile":
            return columns[release.name or ""].top * parts_of(release)
        case "order statistic":
            return columns[release.name or ""].top
        case "variance":
            return n**2 // 4 * columns[release.name or ""].top ** 2
    return n * _most_of_a_row(release, columns)


def moved(release: Release, columns: Columns, r: int) -> int:
    """How far r rows of one person can move the integer of a kind that may have guards."""
    n = release.part.rows
    match release.kind:
        case "head count":
            return r
        case "variance":
            return (r * (n - r) if 2 * r <= n else n**2 // 4) * columns[release.name or ""].top ** 2
    return r * _most_of_a_row(release, columns)


def _most_of_a_row(release: Release, columns: Columns) -> int:
    column = columns[release.name or ""]
    if release.kind == "centred squares":
        return far_of(column) ** 2
    if release.kind == "centred products":
        least, most = products_of_a_row(release, columns)
        return most - least
    if release.kind != "filtered total":
        return column.top
    least, most = ends(column)
    return most - least


def middle_of(column: Column) -> int:
    """The centre of sums whose bins name no other: the middle code."""
    return (column.top + 1) // 2


def far_of(column: Column) -> int:
    """How far a code can be from the middle."""
    return max(middle_of(column), column.top - middle_of(column))


def products_of_a_row(release: Release, columns: Columns) -> tuple[int, int]:
    """The least and the most that a row can add to a sum of products about the middles."""
    one, two = columns[release.name or ""], columns[release.second or ""]
    ends = [(-middle_of(each), each.top - middle_of(each)) for each in (one, two)]
    corners = [a * b for a in ends[0] for b in ends[1]]
    return min(corners), max(corners)


def parts_of(release: Release) -> int:
    """The number of parts into which an interpolated quantile divides a code: the denominator of its share."""
    return rational(release.share).denominator


def ends(column: Column) -> tuple[int, int]:
    """The least and the most that a row can add to a filtered total, in units of step / b with low/step = a/b."""
    start = column.low / column.step
    return min(start.numerator, 0), max(start.numerator + start.denominator * column.top, 0)


def check_bins(release: Release, bins: Bins | Ladder, columns: Columns, person: int) -> None:
    """Refuse bins that no curator uses, and guarded ones in which a window could meet two wide bins or two guards.

    A person has at most min(R, n) of n rows, so the window has V = `moved` + 1 integers. If it met two wide bins, it
    would hold the guard between them and an integer on each side: V ≥ g + 2. If it met two guards, V ≥ w + 2.
    """
    if isinstance(bins, Ladder):
        level = release.kind not in ("filtered mean", "filtered variance", "distinct count", *SUMS_OF_GROUPS)
        require(level, f"a {release.kind} has several widths, which is not allowed")
        require(bins.widths[-1] <= largest(release, columns) + 1, f"the bins of a {release.kind} are too wide")
        return
    if bins.centre is not None:
        about = release.kind == "centred total" and bins.centre <= columns[release.name or ""].top
        require(about, f"the bins of a {release.kind} have an impossible centre")
    if bins.guard:
        require(release.kind in GUARDED, f"a {release.kind} has guarded bins, which is not allowed")
        least = max(1, moved(release, columns, min(person, release.part.rows)))
        require(bins.wide >= least, f"the wide bins of a {release.kind} are narrower than the {least} it can move")
        require(bins.guard >= least, f"the guards of a {release.kind} are narrower than the {least} it can move")
        return
    require(1 <= bins.wide <= _widest(release, columns), f"the bins of a {release.kind} have an impossible width")
    if bins.origin:
        fits = release.kind in ("total", "function total") and bins.origin < bins.wide
        require(fits, f"the bins of a {release.kind} have an impossible origin")


def _widest(release: Release, columns: Columns) -> int:
    if release.kind in ("head count", "histogram", "cross table"):
        return MOST_ROUNDED
    if release.kind == "distinct count":
        return 1
    if release.kind in ("filtered mean", "filtered variance"):
        return MOST_ROWS * columns[release.name or ""].top
    return largest(release, columns) + 1
