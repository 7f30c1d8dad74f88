"""How many values of Y distinguish two values of X, for finite variables with any relation."""

from __future__ import annotations

from itertools import combinations

from noiseless.theory.information.joint_range import Variables, joint_range


def telling_answers(x: Variables, y: Variables) -> int:
    """max over x, x' of |⟦Y|x⟧ Δ ⟦Y|x'⟧|: what indistinguishability bounds, for any relation of X to others.

    Source: NHT Def 5: docs/theorems.md#nht-def-5

    >>> from noiseless.theory.space import Space
    >>> space = Space({"x": [0, 0, 1, 1], "y": ["a", "b", "b", "c"]})
    >>> telling_answers(space["x"], space["y"])
    2
    """
    pairs = joint_range(x, y)
    answers: dict[int, set[int]] = {}
    for value, answer in zip(pairs.x.tolist(), pairs.y.tolist(), strict=True):
        answers.setdefault(value, set()).add(answer)
    return max((len(one ^ other) for one, other in combinations(answers.values(), 2)), default=0)
