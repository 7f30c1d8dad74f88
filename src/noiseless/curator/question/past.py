"""What a ledger says about a release before a question is priced: its bins so far, and what came out in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from noiseless.curator.question.groups import Groups
from noiseless.curator.releases.release import Paid, Release, Released, Width, as_bins, is_guarded
from noiseless.privacy.quantizers.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Past:
    """What a ledger says.

    `bins` gives the bins in which a release was paid for, in order; `found` what was released.
    """

    bins: Callable[[Release], list[Width]] = lambda _: []
    found: Callable[[Release, Width], Released | None] = lambda _, __: None
    alike: Callable[[Groups], Groups | None] = lambda groups: groups
    """Very many groups.

    Those about which the ledger knows something get their own kinds. None if others are not alike.
    """

    def exactly(self, count: Release) -> int | None:
        """A count of rows, if it was released exactly."""
        known = self.found(count, 1)
        return None if known is None else known[0]

    def between(self, count: Release) -> tuple[int, int]:
        """What is known of a count of rows: from zero to all of them, or less if it was released before."""
        least, most = 0, count.part.size
        for width in dict.fromkeys([1, *self.bins(count)]):
            released = self.found(count, width)
            if released is not None:
                low, high = interval(count, width, released)
                least, most = max(least, low), min(most, high)
        return least, most

    def supposing(self, widths: Mapping[Release, Width], share: Fraction = Fraction(1, 2), cells: int = 2) -> Past:
        """The past, as if some releases had come out quietly at a share of their ranges. Previews suppose the middle.

        Private groups are supposed to have equal counts.
        """
        supposed: dict[Paid, Released] = {
            (each, width): _quiet(each, width, share * 2 / max(2, cells) if each.is_count else share)
            for each, width in widths.items()
        }

        def bins(release: Release) -> list[Width]:
            return [*self.bins(release), *(width for each, width in supposed if each == release)]

        def found(release: Release, width: Width) -> Released | None:
            known = self.found(release, width)
            return supposed.get((release, width)) if known is None else known

        return Past(bins, found, self.alike)


def interval(count: Release, width: Width, released: Released) -> tuple[int, int]:
    """The least and the most rows that a released count allows."""
    reported = count.report(width, released, "COUNT")
    assert reported is not None
    return int(reported.lower), int(reported.upper)


def _quiet(release: Release, width: Width, share: Fraction) -> Released:
    if isinstance(width, Ladder):
        return 0, *_quiet(release.itself, width.finest, share)
    place = as_bins(width).place(floor(release.largest * share))
    return (place - (is_guarded(width) and as_bins(width).is_guard(place)),)
