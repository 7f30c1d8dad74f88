"""Theory §6, composition by brute force: rules against all data, sequences against all adaptive strategies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import inf, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.composition import several_rows
from noiseless.privacy.composition.rules import IN_TURN as IN_TURN_RULE

# ---------------------------------------------------------------- batches


def joint_count(functions, domains) -> int:
    """The most different joint answers one person can cause, everybody else fixed; person 0 varies, others alike."""
    first, *others = domains
    return max(
        len({tuple(function((value, *rest)) for function in functions) for value in first}) for rest in product(*others)
    )


TOP, PEOPLE = 4, 2
CODES = range(TOP + 1)


def menu():
    """Mechanisms on one column of codes 0..4 and two people, each with its plain function."""
    makers = [
        (nl.Sum(PEOPLE, domain=nl.Codes(TOP)), sum),
        (nl.Min(PEOPLE, domain=nl.Codes(TOP)), min),
        (nl.Max(PEOPLE, domain=nl.Codes(TOP)), max),
        (nl.Variance(PEOPLE, domain=nl.Codes(TOP)), lambda data: (2 * sum(x * x for x in data) - sum(data) ** 2) / 4),
    ]
    for query, function in makers:
        for count in (2, 3, 4):
            mechanism = nl.calibrate(query, count=count)
            yield mechanism, lambda data, f=function, q=mechanism.quantizer: q.index(f(data), "clamp")


MENU = list(menu())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_batches_of_one_column(size):
    tight = 0
    for chosen in combinations_with_replacement(MENU, size):
        batch = nl.Batch([nl.Release.of(mechanism, "x") for mechanism, _ in chosen])
        true = joint_count([function for _, function in chosen], [CODES] * PEOPLE)
        assert batch.account().count >= true
        tight += batch.account().count == true
    assert tight


def test_rule_a_is_attained():
    """Thresholds of one person's value: k releases of one bit give k + 1 joint answers."""
    releases = [nl.Release(("x",), 2) for _ in range(4)]
    functions = [lambda data, t=t: data[0] >= t for t in (1, 2, 3, 4)]
    assert joint_count(functions, [CODES]) == 5 == 1 + sum(release.jumps for release in releases)


def test_a_release_that_turns_needs_its_pieces():
    """|x−2| and x, K = 2 each, give four joint answers; rule A without the pieces would say three."""
    functions = [lambda data: abs(data[0] - 2) >= 2, lambda data: data[0] >= 2]
    true = joint_count(functions, [CODES])
    turning, plain = nl.Release(("x",), 2, pieces=2), nl.Release(("x",), 2)
    assert nl.Batch([turning, plain]).account().count >= true
    assert joint_count([*functions, lambda data: data[0] >= 4], [CODES]) == 4 > 1 + 1 + 1


LINES = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1)]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_affine_releases_of_two_columns(size):
    """Rule B: threshold releases along lines in the plane cut it into at most e0 + e1 + e2 regions; tight for some."""
    grid = list(product(range(9), repeat=2))
    best = 0
    for chosen in combinations(LINES, size):
        cuts = [(a, b, (a * 8 + b * 8) / 2 + place / 3) for place, (a, b) in enumerate(chosen)]
        joint = {tuple(a * x + b * y >= level for a, b, level in cuts) for x, y in grid}
        releases = [nl.Release(tuple(c for c, w in (("x", a), ("y", b)) if w), 2, affine=True) for a, b, _ in cuts]
        count = nl.Batch(releases).account().count
        assert count >= len(joint)
        best = max(best, len(joint))
    assert best == min(2**size, 1 + size + size * (size - 1) // 2) or size == 4


def test_columns_declared_in_two_ways_are_not_capped():
    """A count has two values where the column has ten: the batch is never cheaper than one of its releases."""
    threshold = nl.Release.of(nl.calibrate(nl.Count(2), count=2), "x", about="x >= 3", pieces=1)
    total = nl.Release.of(nl.calibrate(nl.Sum(2, domain=nl.Codes(9)), count=5), "x")
    clamped = nl.Release.of(nl.calibrate(nl.Sum(2, domain=nl.Codes(2)), count=3), "x")
    for batch in ([threshold, total], [clamped, total], [threshold, clamped, total]):
        assert nl.Batch(batch).account().count >= max(release.count for release in batch)
    quantizer = nl.calibrate(nl.Sum(2, domain=nl.Codes(9)), count=5).quantizer
    functions = [lambda d: sum(x >= 3 for x in d), lambda d: quantizer.index(sum(d))]
    assert nl.Batch([threshold, total]).account().count >= joint_count(functions, [range(10)] * 2)


def test_counts_of_two_predicates_are_two_releases():
    made = nl.calibrate(nl.Count(2), count=2)
    both = [nl.Release.of(made, "x", about=f"x >= {t}", pieces=1) for t in (3, 5)]
    assert nl.Batch(both).account().count == 3
    assert joint_count([lambda d: sum(x >= 3 for x in d), lambda d: sum(x >= 5 for x in d)], [range(10)] * 2) == 3
    with pytest.raises(nl.CompositionError, match="needs its predicate"):
        nl.Release.of(made, "x")


@pytest.mark.parametrize("widths", list(product((1, 2, 3, 5), repeat=2)), ids=str)
def test_rule_c_for_sums_in_turn(widths):
    """Whatever the first answer, the second sum can be anything: the transcripts of the best second choice."""
    query = nl.Sum(PEOPLE, domain=nl.Codes(TOP))
    quantizers = [nl.Quantizer("-0.5", Fraction(-1, 2) + w * (8 // w + 1), 8 // w + 1) for w in widths]
    releases = [nl.Release.of(_mechanism(q, query), "x") for q in quantizers]
    assert IN_TURN_RULE.applies(releases)
    for other in CODES:
        joint = {tuple((code + other) // w for w in widths) for code in CODES}
        assert len(joint) <= IN_TURN_RULE.count(releases)
    partial = nl.Release.of(_mechanism(nl.Quantizer(1, 2, 2), query), "x")
    assert not IN_TURN_RULE.applies([partial, releases[1]])


def test_unrelated_columns_multiply_and_finite_columns_cap():
    one = [nl.Release(("x",), 3, values=(4,)), nl.Release(("x",), 3, values=(4,)), nl.Release(("y",), 2, values=(2,))]
    account = nl.Batch(one).account()
    assert (account.count, account.rule.letter) == (8, "D")
    several = nl.Release(("x", "y"), 7, values=(4, 2))
    assert nl.Batch([*one, several]).account().count == 8
    assert nl.Batch([*one, several]).account().rule.letter == "G"


def test_releases_that_look_alike_are_not_repeats():
    """Two thresholds have equal counts and are still two releases: the same object twice is a repeat."""
    first, second = nl.Release(("x",), 2), nl.Release(("x",), 2)
    assert first == second
    assert nl.Batch([first, second]).account().count == 3
    assert nl.Batch([first, first]).account().count == 2


def test_groups_are_the_maximum():
    north, south = (nl.Release(("x",), 4, groups=frozenset({g})) for g in ("north", "south"))
    everybody = nl.Release(("x",), 2)
    account = nl.Batch([north, south, everybody]).account()
    assert account.count == 5
    assert account.worst in ("north", "south")
    assert "rule E" in account.explain()


def test_repeats_and_nested_quantizers_are_free():
    query = nl.Mean(9, 0, 1)
    fine, coarse = nl.Quantizer(0, 1, 12), nl.Quantizer(0, 1, 4)
    made = [nl.Release.of(_mechanism(q, query), "x") for q in (coarse, fine, fine, nl.Quantizer(0, 1, 5))]
    account = nl.Batch(made[:3]).account()
    assert (account.count, account.free) == (nl.certify(fine, query).count, 2)
    assert "rule F" in account.explain()
    assert nl.Batch(made).account().free == 2


def _mechanism(quantizer, query):
    from noiseless.privacy.definitions.noiseless.certify import mechanism

    return mechanism(quantizer, query)


def test_the_papers_rule_against_ours():
    releases = [nl.Release.of(nl.calibrate(nl.Mean(1000 + k, 0, 60), bits=1), "kWh") for k in range(100)]
    account = nl.Batch(releases).account()
    assert account.count == 101
    assert round(account.bits, 2) == 6.66
    assert account.counts["P"] == 2**100


# ---------------------------------------------------------------- sequences

M = 4
D = M + 1


def questions_of_one_column(people=PEOPLE, column="x", place=None):
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


@pytest.mark.parametrize("others", OTHERS, ids=str)
def test_every_path_of_three_questions_keeps_its_factors(others):
    """With the others fixed, what one person can still cause never exceeds the factor; on all paths of three steps."""

    @cache
    def answer(place, code):
        return ONE_COLUMN[place][1]((code, *others))

    def walk(sequence, codes, depth):
        for place, (question, _) in enumerate(ONE_COLUMN):
            cells = {}
            for code in codes:
                cells.setdefault(answer(place, code), []).append(code)
            step = sequence.ask(question)
            assert len(cells) <= step.factor, (question, codes, sequence.cells)
            if depth:
                for left in set(map(tuple, cells.values())):
                    walk(step.after, left, depth - 1)

    walk(nl.Sequence.start({"x": D}, budget=10**9), tuple(range(D)), 2)


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
    """The most transcripts that any adaptive strategy of so many steps can tell apart, if charged so."""

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


@pytest.mark.parametrize("budget", [1, 2, 3, 4, 5, 6, 8])
def test_no_adaptive_strategy_of_one_column_passes_the_budget(budget):
    charge = charged({"x": D})
    most = [most_transcripts(charge, budget, IN_TURN, range(D), others, 3) for others in OTHERS]
    assert max(most) <= budget
    assert max(most) == budget or budget not in (1, 2, 4, 5)


IN_CELLS = [
    (question, where, lambda d, w=where, f=function: f(tuple(x for cell, x in d if w is None or cell in w)))
    for where in (None, ("north",), ("south",))
    for question, function in [
        (nl.PlainSum("x", 2, 2, 2), lambda values: sum(values) // 2),
        (nl.PlainSum("x", 1, 2, 2), sum),
        (nl.KthSmallest("x", 1, 3), lambda values: max(values, default=None)),
        (nl.OtherQuestion(("x",), 2), lambda values: 1 in values),
    ]
]


@pytest.mark.parametrize("budget", [2, 3, 4])
@pytest.mark.parametrize("home", ["north", "south"])
def test_no_adaptive_strategy_over_public_cells_passes_the_budget(budget, home):
    """Where a person lives is public; questions touch one cell or both."""
    charge = charged({"x": 3}, cells=("north", "south"))
    people = [(home, x) for x in range(3)]
    for other in product(("north", "south"), range(3)):
        assert most_transcripts(charge, budget, IN_CELLS, people, (other,), 3) <= budget


RECORDS = list(product(range(3), range(2)))


def questions_of_two_columns():
    """Two people with codes 0..2 in x and 0..1 in y."""
    for width in (1, 2):
        yield nl.PlainSum("x", width, 2, 2), lambda d, w=width: sum(x for x, _ in d) // w
    yield nl.PlainSum("y", 1, 2, 1), lambda d: sum(y for _, y in d)
    yield nl.KthSmallest("x", 1, 3), lambda d: max(x for x, _ in d)
    yield nl.OtherQuestion(("x", "y"), 2), lambda d: sum(x >= 1 and y == 1 for x, y in d)
    yield nl.OtherQuestion(("x", "y"), 3), lambda d: sum(x for x, y in d if y == 1)
    together = nl.Together((nl.PlainSum("x", 2, 2, 2), nl.PlainSum("y", 1, 2, 1)))
    yield together, lambda d: (sum(x for x, _ in d) // 2, sum(y for _, y in d))


TWO_COLUMNS = list(questions_of_two_columns())


@pytest.mark.parametrize("budget", [2, 3, 4, 5, 6])
def test_no_adaptive_strategy_of_two_columns_passes_the_budget(budget):
    charge = charged({"x": 3, "y": 2})
    for others in RECORDS:
        assert most_transcripts(charge, budget, TWO_COLUMNS, RECORDS, (others,), 3) <= budget


WIDE = 13


@st.composite
def larger_questions(draw):
    """Questions about three people with codes 0..12, with the function that answers them."""
    width = draw(st.integers(1, 14))
    kind = draw(st.sampled_from(["sum", "least", "median", "variance", "threshold", "filtered", "together"]))
    cut = draw(st.integers(1, WIDE - 1))
    plain = nl.PlainSum("x", width, 3, WIDE - 1)
    match kind:
        case "sum":
            return plain, lambda d: sum(d) // width
        case "least":
            return nl.KthSmallest("x", width, (WIDE - 1) // width + 1), lambda d: min(d) // width
        case "median":
            return nl.KthSmallest("x", width, (WIDE - 1) // width + 1), lambda d: sorted(d)[1] // width
        case "variance":
            wide = 20 * width
            count = min(-(-2 * (WIDE - 1) ** 2 // wide) + 1, WIDE)
            question = nl.VarianceSum("x", wide, 3, WIDE - 1, count)
            return question, lambda d: (3 * sum(x * x for x in d) - sum(d) ** 2) // wide
        case "threshold":
            return nl.ExactThreshold("x", cut, WIDE), lambda d: sum(x >= cut for x in d)
        case "filtered":
            count = -(-(WIDE - 1) // width) + 2
            return nl.OtherQuestion(("x",), count, 2), lambda d: (
                sum(x >= cut for x in d),
                sum(x for x in d if x >= cut) // width,
            )
        case _:
            both = nl.Together((plain, nl.ExactThreshold("x", cut, WIDE)))
            return both, lambda d: (sum(d) // width, sum(x >= cut for x in d))


CODES_13 = st.integers(0, WIDE - 1)


@given(st.lists(larger_questions(), min_size=1, max_size=6), st.tuples(CODES_13, CODES_13), CODES_13)
@settings(max_examples=300)
def test_longer_paths_keep_their_factors(questions, others, truth):
    """Along the answers that one true value gives, what is still possible never exceeds the factor, nor W."""
    sequence, codes = nl.Sequence.start({"x": WIDE}, budget=10**30), list(range(WIDE))
    for question, function in questions:
        step = sequence.ask(question)
        assert len({function((code, *others)) for code in codes}) <= step.factor
        codes = [code for code in codes if function((code, *others)) == function((truth, *others))]
        sequence = step.after
        assert len(codes) <= sequence.cells[""].remaining["x"]


def test_batches_inside_a_sequence():
    """Every pair of questions as one step, after every first question: never more joint answers than the factor."""
    for others in OTHERS:
        for first, first_answer in ONE_COLUMN:
            after = nl.Sequence.start({"x": D}, budget=10**9).ask(first).after
            for (a, f), (b, g) in combinations(ONE_COLUMN, 2):
                factor = after.ask(nl.Together((a, b))).factor
                seen = {}
                for code in range(D):
                    data = (code, *others)
                    seen.setdefault(first_answer(data), set()).add((f(data), g(data)))
                assert max(map(len, seen.values())) <= factor, (first, a, b)


def test_refinements():
    """From bins of 6 codes to 3 to 1 on the same edges, after any earlier sum: the factor bounds the new parts."""
    top, widths = 8, [(6, 3), (6, 2), (4, 2), (3, 1), (2, 1)]
    for other in range(top + 1):
        for first in (1, 2, 3, 5, 9):
            for width, finer in widths:
                start = nl.Sequence.start({"x": top + 1}, budget=10**9)
                after = start.ask(nl.PlainSum("x", first, 2, top)).after.ask(nl.PlainSum("x", width, 2, top)).after
                factor = after.ask(nl.Refinement("x", width, finer)).factor
                seen = {}
                for code in range(top + 1):
                    total = code + other
                    seen.setdefault((total // first, total // width), set()).add(total // finer)
                assert max(map(len, seen.values())) <= factor


def test_public_cells_are_charged_on_their_own():
    sequence = nl.Sequence.start({"x": D}, budget=4, cells=["north", "south"])
    sequence = sequence.ask(nl.OtherQuestion(("x",), 4), cells=["north"]).after
    assert (sequence.spent("north"), sequence.spent("south")) == (4, 1)
    with pytest.raises(nl.BudgetExceededError, match="would pass the budget of 4"):
        sequence.ask(nl.OtherQuestion(("x",), 2))
    assert sequence.ask(nl.OtherQuestion(("x",), 2), cells=["south"]).after.spent("south") == 2
    own = sequence.ask({"south": nl.PlainSum("x", 2, 5, M)})
    assert own.after.cells["south"].remaining == {"x": 2}
    assert own.after.cells["north"].remaining == {"x": D}


# ---------------------------------------------------------------- tempting and wrong


THRESHOLDS = [(nl.OtherQuestion(("x",), 2), lambda d, t=t: d[0] >= t) for t in range(1, 16)]


def questions_in(history):
    return [question for question, _ in history]


def test_rule_a_across_questions_undercharges():
    """Four one-bit questions by bisection tell 16 values apart; rule A across questions charges five."""
    by_rule_a = lambda history: 1 + sum(question.count - 1 for question in questions_in(history))  # noqa: E731
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


def test_booking_two_columns_on_one_undercharges():
    """COUNT(x AND y) after x is known still tells about y: min(W_x, K) would be 1."""
    known = nl.Sequence.start({"x": 2, "y": 2}, budget=99).ask(nl.ExactHistogram("x", 2)).after
    assert known.cells[""].remaining["x"] == 1
    assert known.ask(nl.OtherQuestion(("x", "y"), 2)).factor == 2


# ---------------------------------------------------------------- several rows


@pytest.mark.parametrize(("top", "width", "rows", "groups"), [(1, 2, 4, 2), (2, 3, 3, 2), (1, 1, 3, 3), (3, 2, 2, 3)])
def test_several_rows_by_brute_force(top, width, rows, groups):
    """All ways a person can divide rows among groups and fill them, against all sums of the others."""
    most = 0
    for place in product(range(groups), repeat=rows):
        for others in product(range(width), repeat=groups):
            seen = set()
            for codes in product(range(top + 1), repeat=rows):
                sums = list(others)
                for group, code in zip(place, codes, strict=True):
                    sums[group] += code
                seen.add(tuple(total // width for total in sums))
            most = max(most, len(seen))
    assert several_rows.grouped_sum_answers(top, width, rows, groups) == most


def test_the_safe_closed_form_is_not_below():
    for top, width, rows, groups in product((1, 2, 5), (1, 2, 3, 7), (1, 2, 4, 7), (1, 2, 3, 9)):
        m = min(groups, rows)
        closed = (-(-top // width) * -(-rows // m) + 1) ** m
        assert several_rows.grouped_sum_answers(top, width, rows, groups) <= closed


def test_other_counts_of_several_rows():
    assert several_rows.sum_answers(3, 2, 2) == max(
        len({(a + b + o) // 2 for a in range(4) for b in range(4)}) for o in range(2)
    )
    assert several_rows.histogram_answers(2, 3) == len({tuple(sorted(d)) for d in product(range(3), repeat=2)})
    assert several_rows.predicate_answers(4) == 5
    worst = max(
        len({(3 * (a * a + b * b + o * o) - (a + b + o) ** 2) // 4 for a in range(3) for b in range(3)})
        for o in range(3)
    )
    assert several_rows.variance_answers(top=2, width=4, rows=2, all_rows=3) >= worst


def test_a_sequence_of_several_rows():
    start = nl.Sequence.start({"x": D}, budget=10**6, rows=3)
    assert start.cells[""].remaining == {"x": 3 * M + 1}
    step = start.ask(nl.PlainSum("x", 4, 30, M))
    assert (step.factor, step.after.cells[""].remaining["x"]) == (4, 4)
    assert step.after.ask(nl.OtherQuestion(("x",), 35)).factor == 35
    assert step.after.ask(nl.Together((nl.OtherQuestion(("x",), 35), nl.PlainSum("x", 2, 30, M)))).factor == 35 * 3
    with pytest.raises(nl.CompositionError, match="several_rows"):
        step.after.ask(nl.ExactHistogram("x", D))
    with pytest.raises(nl.CompositionError, match="rows=3"):
        nl.Sequence.start({"x": D}, budget=9, rows=3, cells=["a"])
