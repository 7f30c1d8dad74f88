"""Whether nobody's data alone could have changed an answer.

An answer is stable at a table if no change of one person's data changes it there. It is the condition for reporting a
level of `Levels`. An answer may be called unstable although it is stable, but never the other way round. For order
statistics the test is exact. For sums it allows for the furthest that anyone could move them, whatever the data are.

Source: theory §11, finest stable level: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from collections.abc import Sequence

from noiseless.privacy.quantizers.guarded import Bins


def stable_sum(total: int, bins: Bins, window: int, most: int | None = None) -> bool:
    """Whether a number that one person moves within `window` consecutive integers stays in its bin.

    Its neighbours within window − 1 on both sides must be in the same bin: [s − (V−1), s + (V−1)]. If the number is
    known to be between 0 and `most`, neighbours beyond them do not matter.

    >>> stable_sum(15, Bins(10), 5), stable_sum(17, Bins(10), 5)
    (True, False)
    """
    first, last = bins.ends(bins.place(total))
    low, high = total - (window - 1), total + (window - 1)
    return first <= (low if most is None else max(low, 0)) and (high if most is None else min(high, most)) <= last


def stable_kth(codes: Sequence[int], rank: int, top: int, bins: Bins, rows: int = 1, private: bool = False) -> bool:
    """Whether the k-th smallest of some sorted codes 0..top stays in its bin if one person's `rows` change.

    The codes `rows` places before and after it must be in the same bin, where there are codes 0 before the first and
    `top` after the last. If a `private` condition or missing values decide who counts, a person may leave or join, so
    more than `rows` codes are needed, too. The rank may depend on their number, as ⌈p·m⌉ does.

    >>> stable_kth([1, 2, 2, 3, 9], 3, top=9, bins=Bins(4)), stable_kth([1, 2, 2, 3, 9], 4, top=9, bins=Bins(4))
    (True, False)
    """
    if not codes or (private and len(codes) <= rows):
        return False

    def code(place: int) -> int:
        return 0 if place < 1 else top if place > len(codes) else codes[place - 1]

    return len({bins.place(code(place)) for place in (rank - rows, rank, rank + rows)}) == 1
