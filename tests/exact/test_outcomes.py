import numpy as np
import pytest

import noiseless as nl


def test_counts_multiply_and_are_ordered():
    assert nl.Outcomes(4) * nl.Outcomes(2) == nl.Outcomes(8)
    assert nl.Outcomes(2) < nl.Outcomes(3)
    assert max(nl.Outcomes(2), nl.Outcomes(5)).count == 5


def test_bits_are_rounded_up():
    assert nl.Outcomes(1).bits == 0.0
    assert nl.Outcomes(2**100).bits == 100.0
    assert nl.Outcomes(2**200 + 1).bits > 200.0


@pytest.mark.parametrize("count", [0, -1, 1.0, 2.5, "2", True, None])
def test_what_is_not_a_count_is_refused(count):
    with pytest.raises(nl.CountError, match="count="):
        nl.Outcomes(count)


def test_only_outcomes_multiply():
    with pytest.raises(TypeError):
        nl.Outcomes(2) * 2


def test_frozen():
    with pytest.raises(AttributeError):
        nl.Outcomes(2).count = 3  # type: ignore[misc]


def test_numpy_integers_are_integers():
    assert nl.Outcomes(np.int64(4)) == nl.Outcomes(4)
    assert type(nl.Outcomes(np.int64(4)).count) is int
    assert nl.LogRatio(np.int64(4)) == nl.LogRatio(4)


def test_long_counts_are_shown_by_their_size():
    assert repr(nl.Outcomes(10**5000)) == "Outcomes(count=about 2^16609)"
    assert repr(nl.LogRatio(10**5000)) == "log2(about 2^16609) ≈ 1.661e+04 bits"
    with pytest.raises(nl.CountError, match=r"about -2\^16609"):
        nl.Outcomes(-(10**5000))
