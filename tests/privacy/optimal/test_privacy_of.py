"""The papers' P1 and P2: never too large."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite
from typing import Any

import pytest

import noiseless as nl

NOT_REVEALED: Any = 3


@pytest.mark.parametrize("digits", [20, 300, 320, 400])
def test_something_revealed_is_never_called_nothing(digits):
    found = nl.privacy_of(nl.LogRatio(1 + Fraction(1, 10**digits)))
    assert isfinite(found)
    assert found <= 10**digits + 1


def test_what_is_not_revealed_is_refused():
    for given in (NOT_REVEALED, nl.LogRatio(Fraction(1, 2)), nl.LogRatio(0)):
        with pytest.raises(nl.InputError, match="0 bits or more"):
            nl.privacy_of(given)
    assert nl.privacy_of(nl.LogRatio(1)) == inf
    assert nl.privacy_of(nl.LogRatio(inf)) == 0
