"""The checker's bins beside the curator's, and one spelling for each."""

from __future__ import annotations

from itertools import product

import pytest

from noiseless.curator.certificate.checker.bins import Bins, read_bins
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from noiseless.privacy.quantizers import guarded

SOME = [(w, g, 0) for w, g in product(range(1, 6), range(5))] + [(w, 0, o) for w in range(2, 6) for o in range(1, w)]


@pytest.mark.parametrize("given", SOME)
def test_bins_are_those_of_the_curator(given):
    ours, theirs = guarded.Bins(*given), read_bins(str(guarded.Bins(*given)))
    assert theirs == Bins(*given)
    for number in range(40):
        place = theirs.place(number)
        assert place == ours.place(number)
        assert theirs.ends(place) == ours.ends(place)
        assert theirs.is_loud(place) == ours.is_guard(place)
        first, last = theirs.ends(place)
        assert first <= number <= last


def test_every_place_is_met_in_turn():
    for given in SOME:
        places = [Bins(*given).place(number) for number in range(40)]
        assert sorted(set(places)) == list(range(places[0], places[-1] + 1))
        assert places[0] == (-1 if given[2] else 0)


WRONG = ["", "024", "24+08", "24+0", "24@0", "24+", "+8", "24@", "@5", "24+8@5", "24@5+8", "24 +8", "24+-8", "24@-5"]
WRONG += ["2.4", "24++8", "٢٤", "24+8+8", "1e3", " 24", "24\n"]


@pytest.mark.parametrize("text", [*WRONG, pytest.param("24+" + "9" * 4301, id="too long")])
def test_other_spellings_are_refused(text):
    with pytest.raises(WrongCertificateError):
        read_bins(text)


@pytest.mark.parametrize("given", [24, None, ["24"], True])
def test_what_is_not_a_text_is_refused(given):
    with pytest.raises(WrongCertificateError, match="text"):
        read_bins(given)
