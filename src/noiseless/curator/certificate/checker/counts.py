"""How many answers one person's rows can cause: the formulas of theory §6, deliberately written a second time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb, prod

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import columns_read
from noiseless.curator.certificate.checker.divide import floor_sum, worst_division
from noiseless.curator.certificate.checker.numbers import MOST_BITS, MOST_WORK, bounded
from noiseless.curator.certificate.checker.ranges import GUARDED, Columns, far_of, largest, middle_of, moved, parts_of
from noiseless.curator.certificate.checker.releases import Computed, Grouped, Release
from noiseless.curator.certificate.checker.signatures import by_signatures, counted
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

CENTRED = {"centred total", "centred squares", "centred products"}
"""Sums about a public centre over the rows that a condition selects."""
MOST_ROWS = 64
"""Sums of groups are counted for up to this number of rows of a person."""
Widths = Mapping[Release, Bins | Ladder]


def answers(release: Release, bins: Bins | Ladder, columns: Columns, r: int = 1) -> int:
    """The most answers that r rows of one person can cause. In guarded bins these are two: a wide bin and a guard.

    At the finest stable level: one for each level, since no person can change what is given at a level.
    """
    if isinstance(bins, Ladder):
        return bins.levels
    if bins.guard:
        return min(2, bins.place(largest(release, columns)) + 1)
    if release.groups is not None:
        return _of_cells(release, release.groups, bins.wide, columns, r)
    return _in_equal_bins(release, bins, columns, r)


def _in_equal_bins(release: Release, bins: Bins, columns: Columns, r: int) -> int:
    if release.kind in ("head count", "distinct count"):
        return r + 1
    if release.kind in GUARDED:
        return _sum(release, bins, columns, r)
    column, width = columns[release.name or ""], bins.wide
    match release.kind:
        case "filtered mean":
            return 1 + r + floor_sum(r, width, column.top, width - 1)
        case "filtered variance":
            return _filtered_variance(column, width, r)
        case "interpolated quantile":
            return column.top * parts_of(release) // width + 1 + (not release.plain)
        case "histogram":
            return _ways(r, column.values + (not release.plain))
        case "order statistic":
            return column.top // width + 1 + (not release.plain)
    raise WrongCertificateError(f"a release has the unknown kind {release.kind!r}")


def _of_cells(release: Release, groups: Grouped, width: int, columns: Columns, r: int) -> int:
    """The ways in which a person's rows can be in cells.

    With sums, each way has every bin that the values can lead to.
    """
    outside = int(not release.plain)
    if release.kind == "cross table":
        return _ways(r, groups.cells + outside)
    column = columns[release.name or ""]
    if r > 1:
        require(release.kind == "sums of groups", "variances of groups are counted for one row of a person only")
        require(r <= MOST_ROWS, "sums of groups are not counted for as many rows of a person")
        every = release.part.rows * column.top // width + 1
        moved_by = [1, *(min(-(-rows * column.top // width) + 1, every) for rows in range(1, r + 1))]
        return _divided(moved_by, groups.cells, outside)
    bins = min(-(-column.top // width) + 1, release.part.rows * column.top // width + 1)
    if release.kind == "variances of groups":
        bins = min(1 + _changes(column, width), column.top + 1)
    return groups.cells * bins + outside


def _divided(each: list[int], cells: int, outside: int) -> int:
    """Over all ways to divide the rows among the cells, the sum of the products of what rows in one cell cause."""
    ways = [1] + [outside] * (len(each) - 1)  # rows that do not count are in no cell
    for bit in bin(cells)[2:][::-1]:
        if bit == "1":
            ways = [sum(ways[k] * each[n - k] for k in range(n + 1)) for n in range(len(each))]
        each = [sum(each[k] * each[n - k] for k in range(n + 1)) for n in range(len(each))]
    return ways[-1]


def _sum(release: Release, bins: Bins, columns: Columns, r: int) -> int:
    """The bins that a person's rows can move a sum through, and no more than there are."""
    every = bins.place(largest(release, columns)) - bins.place(0) + 1
    return min(-(-moved(release, columns, r) // bins.wide) + 1, every)


def _filtered_variance(column: Column, width: int, r: int) -> int:
    """One answer if no row counts. If one does, its rising code changes the bins of the sum, and those of the squares
    down and up again. With several rows: how many of them count, times all bins of both sums.
    """
    far = far_of(column)
    if r > 1:
        return 1 + r * (-(-r * column.top // width) + 1) * (-(-r * far // width) + 1)
    return min(2 + _changes(column, width), column.top + 2)


def _changes(column: Column, width: int) -> int:
    centre, wide = middle_of(column), width * far_of(column)
    return -(-column.top // width) - (-(centre**2) // wide) - (-((column.top - centre) ** 2) // wide)


def _ways(rows: int, values: int) -> int:
    """The number of ways to distribute the rows over the values."""
    fewer, all_of_them = min(rows, values - 1), rows + values - 1
    least = fewer * (all_of_them.bit_length() - fewer.bit_length() - 1)  # in bits, since C(n, k) ≥ (n/k)^k
    require(least <= MOST_BITS, "the count is larger than any budget")
    return comb(all_of_them, fewer)


def jumps(release: Release, bins: Bins | Ladder, columns: Columns) -> int:
    """With one row per person: the most often that the answer changes as one column's value rises.

    In guarded bins a plain sum changes once. Other numbers may go back and forth with every value.
    """
    if isinstance(bins, Ladder) or (bins.guard and release.kind != "total"):
        return columns[release.reads[0]].values - 1
    count, changes, width = answers(release, bins, columns), release.part.changes, bins.wide
    if release.kind == "head count":
        return max(1, changes)
    if release.groups is not None:  # it may turn at every code
        return max(1, -(-(columns[release.reads[0]].values - 1) // max(count - 1, 1))) * (count - 1)
    if release.kind == "distinct count":
        return columns[release.reads[0]].values - 1
    if release.kind == "centred products":
        return _turns_of_products(release, columns) * (count - 1)
    if isinstance(release.name, Computed):  # it may turn at every code; one of public columns only with the condition
        turns = columns[release.reads[0]].values - 1 if release.name.reads else changes
        return max(1, -(-turns // (count - 1))) * (count - 1) if count > 1 else 0
    return _jumps_of_column(release, columns[release.name or ""], count, width)


def _jumps_of_column(release: Release, column: Column, count: int, width: int) -> int:
    changes = release.part.changes
    match release.kind:
        case "total" | "histogram":
            return count - 1
        case "order statistic" if release.plain:
            return column.top // width
        case "variance":
            return 2 * (count - 1)
        case "centred total" | "centred squares":
            plainly = 1 if release.kind == "centred total" else 2
            return (plainly if release.plain else max(1, column.top + changes)) * (count - 1)
        case "interpolated quantile" if release.plain:
            return count - 1
    if count == 1:
        return 0
    units = (column.low / column.step).denominator if release.kind == "filtered total" else 1
    inside = -(-units * column.top // width)
    if release.kind in ("order statistic", "interpolated quantile"):
        inside = count - 2
    elif release.kind == "filtered variance":
        inside = _changes(column, width)
    return max(1, -(-(inside + changes) // (count - 1))) * (count - 1)


def _turns_of_products(release: Release, columns: Columns) -> int:
    """How often products turn: at every value of a single column, or at the changes of a condition on it."""
    own = []
    for name in (release.name, release.second):
        reads = name.reads if isinstance(name, Computed) else (name,)
        own += [columns[each].values - 1 for each in reads]
    return max(1, release.part.changes, *own)


def joint(widths: Widths, columns: Columns, person: int, signatures: bool = True) -> int:
    """The count of all releases together, with one row per person also by `signatures`."""
    means = {release.part for release in widths if release.kind in ("filtered mean", "filtered variance")}
    needed = {r: width for r, width in widths.items() if not (r.kind == "head count" and r.part in means)}
    if not needed:
        return 1
    if person == 1:
        return bounded(max(_batch(each, needed, columns, signatures) for each in set(_by_cell(needed).values())))
    groups = groups_of(needed)
    largest = _largest_of_each_shape(groups, needed)

    def most(rows: int) -> int:
        return max(_product([answers(r, needed[r], columns, rows) for r in group]) for group in largest)

    return bounded(worst_division(most, person, len(groups)))


def together(widths: Widths, columns: Columns, person: int) -> int:
    """The count of some numbers that all of a person's rows may be in."""
    if person == 1:
        return _batch(tuple(widths), widths, columns)
    return _product([answers(release, bins, columns, person) for release, bins in widths.items()])


def _by_cell(widths: Widths) -> dict[int, tuple[Release, ...]]:
    found: dict[int, list[Release]] = {}
    for release in widths:
        for cell in release.part.cells:
            found.setdefault(cell, []).append(release)
    return {cell: tuple(releases) for cell, releases in found.items()}


def _batch(releases: Sequence[Release], widths: Widths, columns: Columns, signatures: bool = True) -> int:
    """One row per person, same people: the smaller count of what shares columns, and the product of these.

    Numbers other than counts, sums and means multiply the count by signatures.
    """
    cells = any(release.groups is not None for release in releases)
    if not signatures or (not cells and (len(releases) == 1 or all(release.plain for release in releases))):
        return _by_jumps(releases, widths, columns)
    counts = []
    for group in _linked(releases):
        inside = {r: bins for r in group if isinstance(bins := widths[r], Bins) and counted(r, bins)}
        rest = [release for release in group if release not in inside]
        counts.append(_by_jumps(group, widths, columns))
        if len(inside) > 1 or any(release.groups is not None for release in inside):
            found = by_signatures(inside, {r: answers(r, bins, columns) for r, bins in inside.items()}, columns)
            if found is not None:
                others = _by_jumps(rest, widths, columns) if rest else 1
                counts[-1] = min(counts[-1], _product([found, others]))
    return _product(counts)


def _linked(releases: Sequence[Release]) -> list[list[Release]]:
    """Releases that read some of the same columns, directly or by way of others."""
    left, found = list(releases), []
    while left:
        group, reads = [left.pop(0)], set[str]()
        for release in group:  # it grows
            reads |= {*release.reads, *columns_read(release.part.condition)}
            near = [other for other in left if reads & {*other.reads, *columns_read(other.part.condition)}]
            left = [other for other in left if other not in near]
            group += near
        found.append(group)
    return found


def _by_jumps(releases: Sequence[Release], widths: Widths, columns: Columns) -> int:
    """One row per person, same people: jumps of one column add, columns multiply, at most D each.

    The guarded number of some rows and j guarded sums about them have 1 + 2^j answers: a person is left out, or counts
    and leaves a wide bin or a guard of every sum.
    """
    read = {name for release in releases for name in release.reads}
    everything = _product([columns[name].values for name in read])
    total, times, several = dict.fromkeys(read, 0), {name: [1] for name in read}, []
    for group in _about_same_rows(releases, widths):
        names = sorted({name for release in group for name in release.reads})
        possible = _product([columns[name].values for name in names])
        if len(group) > 1:
            sums = sum(release.kind != "head count" for release in group)
            count, changed = min(1 + (1 << min(sums, MOST_BITS)), possible), possible - 1
        else:
            count, changed = answers(group[0], widths[group[0]], columns), -1
        if len(names) == 1:
            total[names[0]] += changed if changed >= 0 else jumps(group[0], widths[group[0]], columns)
            times[names[0]].append(count)
        else:
            several.append(min(count, possible))
    most = {name: min(columns[name].values, 1 + number) for name, number in total.items()}
    single = _product([min(number, _product(times[name])) for name, number in most.items()])
    return min(_product([single, *several]), everything)


def _about_same_rows(releases: Sequence[Release], widths: Widths) -> list[list[Release]]:
    """Guarded counts together with the guarded centred sums about the same rows; every other release by itself."""
    guarded = [r for r in releases if isinstance(bins := widths[r], Bins) and bins.guard]
    sums = [r for r in guarded if r.kind in CENTRED]
    parts = {r.part for r in guarded if r.kind == "head count"} & {r.part for r in sums}
    joint = {part: [r for r in guarded if r.part == part and (r.kind == "head count" or r in sums)] for part in parts}
    inside = {r for group in joint.values() for r in group}
    return [*joint.values(), *([r] for r in releases if r not in inside)]


def _product(numbers: Sequence[int]) -> int:
    require(sum(number.bit_length() for number in numbers) <= 100 * MOST_BITS, "the count is larger than any budget")
    return prod(numbers)


def groups_of(widths: Widths) -> list[tuple[Release, ...]]:
    """Releases connected by public cells."""
    home: dict[int, list[Release]] = {}
    for release in widths:
        touched = {id(home[cell]): home[cell] for cell in release.part.cells if cell in home}
        merged = [each for group in touched.values() for each in group] + [release]
        cells = release.part.cells if len(touched) < 2 else [c for each in merged for c in each.part.cells]
        if len(touched) == 1:
            [merged] = touched.values()
            merged.append(release)
        home |= dict.fromkeys(cells, merged)
    return [tuple(group) for group in {id(group): group for group in home.values()}.values()]


def _largest_of_each_shape(groups: Sequence[tuple[Release, ...]], widths: Widths) -> list[tuple[Release, ...]]:
    """Leave out groups with the same releases as another group but no more rows: they have no more answers."""
    kept: dict[object, list[tuple[Release, ...]]] = {}
    for group in groups:
        alike = kept.setdefault(tuple((r.kind, r.name, r.plain, widths[r]) for r in group), [])
        if not any(_covers(other, group) for other in alike):
            alike[:] = [*(other for other in alike if not _covers(group, other)), group]
            require(len(alike) * len(groups) <= MOST_WORK, "it would take too long to check")
    return [group for alike in kept.values() for group in alike]


def _covers(larger: Sequence[Release], smaller: Sequence[Release]) -> bool:
    return all(one.part.rows >= two.part.rows for one, two in zip(larger, smaller, strict=True))
