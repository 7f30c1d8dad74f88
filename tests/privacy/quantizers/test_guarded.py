"""Equal and guarded bins against every window of small widths."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless import Bins, DomainError
from noiseless.privacy.quantizers.guarded import bins_of

SMALL = range(1, 6)
ALL_BINS = [Bins(wide, guard, origin) for wide, guard, origin in product(SMALL, range(6), (0, 1, 3, 7))]


def test_values_by_hand():
    bins = Bins(wide=10, guard=3, origin=2)
    numbers = (-2, -1, 1, 2, 11, 12, 14, 15, 24, 25)
    assert [bins.place(number) for number in numbers] == [-2, -1, -1, 0, 0, 1, 1, 2, 2, 3]
    assert [bins.ends(place) for place in (-1, 0, 1, 2)] == [(-1, 1), (2, 11), (12, 14), (15, 24)]
    assert [bins.is_guard(place) for place in (-1, 0, 1, 2)] == [True, False, True, False]
    assert [bins.width(place) for place in (-1, 0, 1, 2)] == [3, 10, 3, 10]
    assert (bins.widest, Bins(2, 5).widest) == (10, 5)
    equal = Bins(4, origin=1)
    assert [equal.place(number) for number in (0, 1, 4, 5, 9)] == [-1, 0, 0, 1, 2]
    assert (equal.ends(1), equal.is_guard(1), equal.width(1), equal.keeps(1)) == ((5, 8), False, 4, False)


def test_bins_follow_one_another():
    """From the origin on: a wide bin, a guard, a wide bin. Every number lies within the ends of its bin only."""
    for bins, place in product(ALL_BINS, range(-6, 7)):
        first, last = bins.ends(place)
        assert place != 0 or first == bins.origin
        assert bins.ends(place + 1)[0] == last + 1
        assert last - first + 1 == bins.width(place) == (bins.guard if bins.guard and place % 2 else bins.wide)
        assert bins.is_guard(place) == (bins.guard > 0 and place % 2 == 1)
        assert all(bins.place(number) == place for number in range(first, last + 1))


@given(st.integers(1, 10**30), st.integers(0, 10**30), st.integers(0, 10**30), st.integers(-(10**40), 10**40))
def test_place_and_ends_are_inverse(wide, guard, origin, number):
    bins = Bins(wide, guard, origin)
    first, last = bins.ends(bins.place(number))
    assert first <= number <= last
    assert (bins.place(first), bins.place(last)) == (bins.place(number),) * 2


def test_windows():
    """`keeps` holds exactly if every window, wherever it begins, meets at most one wide bin and at most one guard."""
    for bins, window in product(ALL_BINS, range(1, 9)):
        if bins.guard:
            period = bins.wide + bins.guard
            starts = range(bins.origin - period, bins.origin + period)
            met = [{bins.place(number) for number in range(start, start + window)} for start in starts]
            guards = max(sum(bins.is_guard(place) for place in places) for places in met)
            wide = max(sum(not bins.is_guard(place) for place in places) for places in met)
            assert bins.keeps(window) == (guards <= 1 and wide <= 1)


def test_equal_bins_guard_nothing():
    assert not any(Bins(wide).keeps(window) for wide in SMALL for window in (1, 2, 3))


def test_splitting():
    """Finer bins split coarser ones exactly if all edges of the coarser are edges of the finer."""

    def edges(bins):
        return {bins.ends(place)[0] for place in range(-30, 60)} & set(range(30))

    equal = [bins for bins in ALL_BINS if not bins.guard]
    for finer, coarser in product(equal, equal):
        assert finer.splits(coarser) == (edges(coarser) <= edges(finer))
    assert not Bins(1).splits(Bins(4, 2))
    assert not Bins(2, 2).splits(Bins(4))


def test_bins_are_read_as_they_are_written():
    assert [bins_of(str(bins)) for bins in ALL_BINS] == ALL_BINS
    assert repr(Bins(24, 8)) == "Bins 24+8"


def test_written_by_hand():
    assert [str(bins) for bins in (Bins(24), Bins(24, 8), Bins(24, 8, 5), Bins(24, origin=5))] == [
        *("24", "24+8", "24+8@5", "24@5"),
    ]


@pytest.mark.parametrize(
    "arguments", [(0,), (-1,), (2, -1), (2, 1, -1), (2.0,), (True,), ("2",), (2, 1.5), (2, None), (2, 1, 0.0)]
)
def test_bins_that_do_not_exist(arguments):
    with pytest.raises(DomainError, match="at least 1 for the bins and at least 0 for guards, origin and centre"):
        Bins(*arguments)


@pytest.mark.parametrize(
    "text", ["", "0", "024", "24+0", "24@0", "24+", "+8", "24@5+8", " 24", "24\n", "-4", "2.5", "٢", "9" * 5000, "1_0"]
)
def test_text_that_names_no_bins(text):
    with pytest.raises(DomainError, match="does not name bins; write them as 24, 24"):
        bins_of(text)
