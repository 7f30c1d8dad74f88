"""Theory §6, the ledger: sequences against all paths and all adaptive strategies on tiny domains."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from tests.laws.adaptive import IN_TURN, ONE_COLUMN, OTHERS, D, M, charged, most_transcripts


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


TWO_COLUMNS_IN_CELLS = [
    (question, where, lambda d, w=where, f=function: f([record for cell, record in d if w is None or cell in w]))
    for where in (None, ("north",))
    for question, function in [
        (nl.PlainSum("x", 1, 2, 2), lambda records: sum(x for x, _ in records)),
        (nl.PlainSum("y", 1, 2, 1), lambda records: sum(y for _, y in records)),
        (nl.OtherQuestion(("x", "y"), 2), lambda records: sum(x >= 1 and y == 1 for x, y in records)),
    ]
]


@pytest.mark.parametrize("budget", [2, 3, 6])
@pytest.mark.parametrize("home", ["north", "south"])
def test_no_adaptive_strategy_of_two_columns_over_public_cells_passes_the_budget(budget, home):
    charge = charged({"x": 3, "y": 2}, cells=("north", "south"))
    people = [(home, record) for record in RECORDS]
    for other in product(("north", "south"), RECORDS):
        assert most_transcripts(charge, budget, TWO_COLUMNS_IN_CELLS, people, (other,), 3) <= budget


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
    with pytest.raises(nl.BudgetExceededError, match="would exceed the budget of 4"):
        sequence.ask(nl.OtherQuestion(("x",), 2))
    assert sequence.ask(nl.OtherQuestion(("x",), 2), cells=["south"]).after.spent("south") == 2
    own = sequence.ask({"south": nl.PlainSum("x", 2, 5, M)})
    assert own.after.cells["south"].remaining == {"x": 2}
    assert own.after.cells["north"].remaining == {"x": D}
