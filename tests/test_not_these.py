"""What is not what was asked for is refused in words, also where a list or a function was meant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import noiseless as nl

THRESHOLD = nl.Boundary("x", 1)
SHIFT = nl.Shift(THRESHOLD, 1)
LINE = nl.Box(x=(0, 3))
CHANNEL = nl.Channel({0: {0}, 1: {1}})
SPACE = nl.Space({"a": [0, 1, 1], "b": [0, 0, 1]})
SEVERAL = nl.Indistinguishable(bits=3)
MADE = nl.calibrate(nl.Bounded(0, 1, 1, 1), bits=1)
WRONG: Any = 3
ONE: Any = THRESHOLD
POLICY: Any = SHIFT
PERSON: Any = SPACE["a"]
ANSWER: Any = (nl.Quantizer(0, 1, 2), nl.Mean(2, 0, 1))
NOTHING: Any = None
LETTERS: Any = [([0],)]
NUMBERS: Any = [0, 1]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: nl.ShiftAll(ONE, 1), "list of boundaries"),
        (lambda: nl.ShiftAll([THRESHOLD], 1).apply({"x": np.ones(1)}, NOTHING), "give a Box"),
        (lambda: nl.ShiftAll([THRESHOLD], 1).report({}, LINE["x"]), "no 'x'"),
        (lambda: nl.InOneTable(POLICY), "needs policies"),
        (lambda: nl.certify_reports(POLICY, LINE), "need policies"),
        (lambda: nl.Across(WRONG, 1, LINE), "not a boundary"),
        (lambda: nl.Across(THRESHOLD, 1, NOTHING), "give a Box"),
        (lambda: nl.Across(THRESHOLD, 1, LINE, NUMBERS), "name its coordinates"),
        (lambda: nl.Across(THRESHOLD, "0.5", LINE).report({}), "no 'x'"),
        (lambda: SEVERAL.certify_several(NUMBERS), "pairs of a quantizer"),
        (lambda: SEVERAL.certify_several(ANSWER), "pairs of a quantizer"),
        (lambda: SEVERAL.certify_several(WRONG), "pairs of a quantizer"),
        (lambda: SEVERAL.certify_related(PERSON, SPACE["b"]), "people must be variables"),
        (lambda: nl.BlockCode(CHANNEL, WRONG), "words of one length"),
        (lambda: nl.BlockCode(CHANNEL, NUMBERS), "words of one length"),
        (lambda: nl.BlockCode(CHANNEL, LETTERS), "not an input"),
        (lambda: nl.BlockCode(CHANNEL, [(0,)]).decode(WRONG), "not a word of outputs"),
        (lambda: nl.WeightedSum(NOTHING), "domains is empty"),
        (lambda: nl.WeightedSum([nl.Codes(1)] * 2, WRONG), "one weight for each"),
        (lambda: nl.Function(WRONG, [nl.Codes(1)]), "not a function"),
        (lambda: nl.Bounded(0, 1, 1, 1, function=WRONG), "not a function"),
        (lambda: MADE.apply(0.5, outside=WRONG), "use 'raise' or 'clamp'"),
        (lambda: nl.Vector({"a": nl.Sum(2, 0, 1)}, records=WRONG), "at least one record"),
        (lambda: nl.Vector({"a": nl.Sum(2, 0, 1)}, WRONG), "does not name coordinates"),
    ],
)
def test_refused_in_words(ask, words):
    with pytest.raises(nl.NoiselessError, match=words):
        ask()


def test_lists_may_be_read_only_once():
    assert nl.ShiftAll(iter([THRESHOLD]), 1).boundaries == (THRESHOLD,)
    assert nl.InOneTable(iter([SHIFT])).policies == (SHIFT,)
    assert len(nl.certify_reports(iter([SHIFT]), LINE).alone) == 1
    assert len(SEVERAL.certify_several(iter([ANSWER])).answers) == 1
    assert nl.BlockCode(CHANNEL, iter([(0,), (1,)])).decode(np.array([1])) == 1
