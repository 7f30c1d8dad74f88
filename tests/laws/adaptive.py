"""Questions about two people with codes 0..4, and every way to choose among them after seeing answers."""

from __future__ import annotations

from functools import cache
from math import inf

import noiseless as nl

M = 4
D = M + 1


def questions_of_one_column(people=2, column="x", place=None):
    """Questions about codes 0..4 of two people, each with the function that answers it."""

    def values(data):
        return data if place is None else tuple(record[place] for record in data)

    for width in (1, 2, 3, 5):
        yield nl.PlainSum(column, width, people, M), lambda d, w=width: sum(values(d)) // w
        yield nl.KthSmallest(column, width, M // width + 1), lambda d, w=width: min(values(d)) // w
        yield nl.KthSmallest(column, width, M // width + 1), lambda d, w=width: max(values(d)) // w
    for width in (4, 7):
        count = min(-(-(people - 1) * M**2 // width) + 1, D)
        yield (
            nl.VarianceSum(column, width, people, M, count),
            lambda d, w=width: (people * sum(x * x for x in values(d)) - sum(values(d)) ** 2) // w,
        )
    yield nl.ExactHistogram(column, D), lambda d: tuple(sorted(values(d)))
    for threshold in (1, 2, 4):
        yield nl.ExactThreshold(column, threshold, D), lambda d, t=threshold: sum(x >= t for x in values(d))
    # a filtered sum: only those with a code of at least 2 contribute
    yield nl.OtherQuestion((column,), M + 1, pieces=2), lambda d: sum(x for x in values(d) if x >= 2)
    yield nl.OtherQuestion((column,), 2, pieces=2), lambda d: any(x == 3 for x in values(d))


ONE_COLUMN = list(questions_of_one_column())
IN_TURN = [
    *ONE_COLUMN,
    (nl.Refinement("x", 2, 1), sum),
    (nl.Refinement("x", 3, 1), sum),
    (nl.Together((nl.PlainSum("x", 3, 2, M), nl.ExactThreshold("x", 2, D))), lambda d: (sum(d) // 3, d[0] >= 2)),
]
OTHERS = [(x,) for x in range(D)]


def charged(columns, cells=None):
    """The right charge for a history of (question, cells): the largest product over the cells."""

    @cache
    def state(history):
        if not history:
            return nl.Sequence.start(columns, budget=10**9, cells=cells)
        question, where = history[-1]
        if isinstance(question, nl.Refinement) and not any(
            isinstance(asked, nl.PlainSum) and asked.width == question.width for asked, _ in history
        ):
            raise nl.CompositionError("a refinement of a sum that was not asked")
        return state(history[:-1]).ask(question, where and list(where)).after

    def charge(history):
        try:
            return state(history).spent()
        except nl.CompositionError:
            return inf

    return charge


def most_transcripts(charge, budget, questions, records, others, steps):
    """The most transcripts that any adaptive strategy of this number of steps can distinguish if charged like this."""

    @cache
    def answer(place, record):
        return questions[place][-1]((record, *others))

    @cache
    def best(history, possible, steps):
        most = 1
        for place, (question, *where, _) in enumerate(questions if steps else []):
            after = (*history, (question, where[0] if where else None))
            if charge(after) > budget:
                continue
            parts = {}
            for record in possible:
                parts.setdefault(answer(place, record), []).append(record)
            if len(parts) > 1:
                most = max(most, sum(best(after, tuple(part), steps - 1) for part in parts.values()))
        return most

    return best((), tuple(records), steps)
