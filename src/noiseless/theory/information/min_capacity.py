"""Min-capacity: how many different outputs can be provoked."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import Variables, joint_range


def min_capacity(x: Variables, y: Variables) -> LogRatio:
    """C(X;Y) = max of log Σ_y max_x P(y|x) over all channels P with P(y|x) > 0 only for joint values x, y. Symmetric.

    The sum is convex in P, so its maximum is at a function that maps each x to one possible y, and is the number of
    outputs of that function. The most outputs are the size of a largest matching of values of X with values of Y.

    Guarantee: if Y is a function of X, this is log |⟦Y⟧|, the count of outputs. For every prior and every such channel
    it bounds min-entropy leakage and maximal leakage. It is at least I⋆, and at most H0(X) and H0(Y).
    Source: quantitative information flow (Smith; Alvim and others): docs/measures/min_capacity.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3, 4], "Y": ["low", "low", "high", "high"]})
    >>> min_capacity(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    joint = joint_range(x, y)
    occurs = csr_array((np.ones(joint.size, dtype=np.int8), (joint.x, joint.y)), shape=(joint.x_size, joint.y_size))
    return LogRatio(int((maximum_bipartite_matching(occurs) >= 0).sum()))
