"""Theory §6, tempting and wrong: each way to charge too little, implemented and caught."""

from __future__ import annotations

from itertools import product
from math import prod

import noiseless as nl
from tests.laws.adaptive import OTHERS, D, M, charged, most_transcripts

THRESHOLDS = [(nl.OtherQuestion(("x",), 2), lambda d, t=t: d[0] >= t) for t in range(1, 16)]


def questions_in(history):
    return [question for question, _ in history]


def test_rule_a_across_questions_undercharges():
    """Four one-bit questions by bisection tell 16 values apart; rule A across questions charges five."""

    def by_rule_a(history):
        return 1 + sum(question.count - 1 for question in questions_in(history))

    assert most_transcripts(by_rule_a, 5, THRESHOLDS, range(16), (), 4) == 16
    assert most_transcripts(charged({"x": 16}), 5, THRESHOLDS, range(16), (), 4) == 4


def capped_at_the_columns(sizes):
    """Wrong: each column's product capped at its number of values."""

    def charge(history):
        products = dict.fromkeys(sizes, 1)
        for question in questions_in(history):
            products[question.column] *= question.factor(sizes)
        return prod(min(products[column], size) for column, size in sizes.items())

    return charge


def test_capping_a_path_at_the_values_of_a_column_undercharges():
    """First two answers on x, then on one branch x completely, on the other y completely: 7 + 4 transcripts."""
    sizes = {"x": 8, "y": 4}
    questions = [
        (nl.ExactThreshold("x", 7, 8), lambda d: d[0][0] >= 7),
        (nl.ExactHistogram("x", 8), lambda d: d[0][0]),
        (nl.ExactHistogram("y", 4), lambda d: d[0][1]),
    ]
    records = list(product(range(8), range(4)))
    assert most_transcripts(capped_at_the_columns(sizes), 8, questions, records, (), 2) == 11 > 8
    assert most_transcripts(charged(sizes), 8, questions, records, (), 2) <= 8


def shrinking_everything(values):
    """Wrong: every question leaves its own width as W, also filters and order statistics."""

    def charge(history):
        left, total = values, 1
        for question in questions_in(history):
            total *= question.factor({"x": left})
            left = min(left, getattr(question, "width", 1))
        return total

    return charge


def test_shrinking_after_a_filter_undercharges():
    menu = [(nl.OtherQuestion(("x",), 2), lambda d: 3 in d), (nl.PlainSum("x", 1, 2, M), sum)]
    wrong = [most_transcripts(shrinking_everything(D), 2, menu, range(D), others, 2) for others in OTHERS]
    right = [most_transcripts(charged({"x": D}), 2, menu, range(D), others, 2) for others in OTHERS]
    assert max(wrong) > 2 >= max(right)


def test_shrinking_after_an_order_statistic_undercharges():
    """With the other at 0 the least value says nothing, and the sum still has five answers, not one."""
    least = nl.KthSmallest("x", 1, D)
    left = [x for x in range(D) if min(x, 0) == 0]
    wrong = nl.PlainSum("x", 1, 2, M).factor({"x": min(D, least.width)})
    after = nl.Sequence.start({"x": D}, budget=10**9).ask(least).after
    assert wrong < len({x + 0 for x in left}) <= after.ask(nl.PlainSum("x", 1, 2, M)).factor


def test_the_count_of_the_finest_nested_release_undercharges():
    """Codes 0..6000, others' sum 50, bins of 6000: below refine to 100, above ask a 51-valued question."""
    low = {(code + 50) // 100 for code in range(6001) if (code + 50) // 6000 == 0}
    high = [code for code in range(6001) if (code + 50) // 6000 == 1]
    transcripts = len(low) + min(51, len(high))
    start = nl.Sequence.start({"x": 6001}, budget=10**9).ask(nl.PlainSum("x", 6000, 2, 6000))
    refined = start.after.ask(nl.Refinement("x", 6000, 100)).after.spent()
    other = start.after.ask(nl.OtherQuestion(("x",), 51)).after.spent()
    assert transcripts == 111 <= max(refined, other)
    assert transcripts > max(-(-6000 // 100) + 1, 2 * 51)


def test_lipschitz_jumps_for_a_variance_undercharge():
    """n = 2, M = 4, w = 4, the other 0: answers 0, 0, 1, 2, 4 are four bins, not ⌈4/4⌉ + 1 = 2 or three."""
    answers = [(2 * code**2 - code**2) // 4 for code in range(5)]
    assert answers == [0, 0, 1, 2, 4]
    question = nl.VarianceSum("x", 4, 2, 4, count=5)
    assert question.factor({"x": 5}) >= 4 > 3
    assert 1 + question.jumps({"x": 5}) >= 4


def test_lipschitz_jumps_for_a_filtered_sum_undercharge():
    """Values 10 + code, only codes from 1 on counted: contributions 0, 11, 12, 13, 14 meet three bins of 4, not two."""
    width, contributions = 4, [0, 11, 12, 13, 14]
    answers = max(len({(part + other) // width for part in contributions}) for other in range(width))
    wrong = 1 + -(-(D - 1) // width)
    span = 14
    right = nl.Together((nl.OtherQuestion(("x",), -(-span // width) + 1),)).factor({"x": D})
    assert right >= answers == 3 > wrong


def test_booking_two_columns_on_one_undercharges():
    """COUNT(x AND y) after x is known still tells about y: min(W_x, K) would be 1."""
    known = nl.Sequence.start({"x": 2, "y": 2}, budget=99).ask(nl.ExactHistogram("x", 2)).after
    assert known.cells[""].remaining["x"] == 1
    assert known.ask(nl.OtherQuestion(("x", "y"), 2)).factor == 2
