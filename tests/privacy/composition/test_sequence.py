import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl

QUESTIONS = st.one_of(
    st.builds(nl.PlainSum, st.just("x"), st.integers(1, 50), st.integers(1, 100), st.just(40)),
    st.builds(nl.KthSmallest, st.just("x"), st.integers(1, 50), st.integers(1, 41)),
    st.builds(nl.OtherQuestion, st.just(("x",)), st.integers(1, 9)),
    st.builds(nl.OtherQuestion, st.just(("x", "y")), st.integers(1, 9)),
    st.builds(nl.ExactThreshold, st.just("x"), st.integers(1, 40), st.just(41)),
    st.builds(nl.VarianceSum, st.just("x"), st.integers(1, 99), st.integers(2, 9), st.just(40), st.integers(1, 41)),
    st.just(nl.ExactHistogram("y", 5)),
    st.just(nl.Repeat()),
)


@given(st.lists(QUESTIONS, max_size=8), st.integers(1, 10**6))
def test_the_product_never_passes_the_budget_and_w_never_grows(questions, budget):
    sequence = nl.Sequence.start({"x": 41, "y": 5}, budget=budget)
    for question in questions:
        before = sequence
        try:
            step = sequence.ask(question)
        except nl.BudgetExceededError:
            continue
        sequence = step.after
        assert sequence.spent() == before.spent() * step.factor <= budget
        for column, left in sequence.cells[""].remaining.items():
            assert 1 <= left <= before.cells[""].remaining[column]
        assert nl.Sequence.from_json(sequence.to_json()) == sequence


def test_the_order_of_equal_steps_does_not_matter():
    """Questions that shrink nothing cost the same in any order."""
    steps = [nl.KthSmallest("x", 10, 5), nl.OtherQuestion(("x",), 3), nl.OtherQuestion(("y",), 2)]
    totals = set()
    for order in permutations(steps):
        sequence = nl.Sequence.start({"x": 41, "y": 5}, budget=10**6)
        for question in order:
            sequence = sequence.ask(question).after
        totals.add(sequence.to_json())
    assert len(totals) == 1


def test_what_is_known_makes_the_next_question_cheaper():
    start = nl.Sequence.start({"x": 1501}, bits=12)
    first = start.ask(nl.PlainSum("x", 500, 1000, 1500))
    again = first.after.ask(nl.PlainSum("x", 500, 900, 1500))
    assert (first.factor, again.factor) == (4, 2)
    assert first.after.ask(nl.Refinement("x", 500, 100)).factor == 5
    assert first.after.ask(nl.Repeat()).factor == 1


def test_a_refusal_changes_nothing():
    sequence = nl.Sequence.start({"x": 41}, bits=1)
    before = sequence.to_json()
    with pytest.raises(nl.BudgetExceededError, match="factor of 5, and with the product of 1 so far it would exceed"):
        sequence.ask(nl.OtherQuestion(("x",), 5))
    assert sequence.to_json() == before


def test_bits_left():
    sequence = nl.Sequence.start({"x": 41}, bits=3)
    assert sequence.bits_left == 3.0
    assert sequence.ask(nl.OtherQuestion(("x",), 3)).after.bits_left == 1.0


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Sequence.start({"x": 5}), nl.CompositionError, "exactly one of bits= and budget="),
        (
            lambda: nl.Sequence.start({"x": 5}, bits=1, budget=2),
            nl.CompositionError,
            "exactly one of bits= and budget=",
        ),
        (lambda: nl.Sequence.start({}, bits=1), nl.CompositionError, "integers of at least 1"),
        (lambda: nl.Sequence.start({"x": 0}, bits=1), nl.CompositionError, "integers of at least 1"),
        (lambda: nl.Sequence.start({"x": None}, bits=1), nl.CompositionError, "number of values"),  # type: ignore[dict-item]
        (lambda: nl.Sequence.start({"x": 5}, budget=0), nl.CompositionError, "integers of at least 1"),
        (lambda: nl.Sequence.start({"x": 5}, budget=2.5), nl.CompositionError, "integers of at least 1"),
        (lambda: nl.Sequence.start({"x": 5}, budget=10**5000), nl.CompositionError, "gives no protection"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1, cells="ab"), nl.CompositionError, "list of names"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1, cells=[1]), nl.CompositionError, "text cells"),  # type: ignore[list-item]
        (lambda: nl.Sequence.start({"x": 5}, bits=-1), nl.BudgetError, "bits=-1"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1, cells=[]), nl.CompositionError, "text cells"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1).ask(nl.OtherQuestion(("z",), 2)), nl.UnknownVariableError, "'z'"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1).ask(nl.Repeat(), ["a"]), nl.UnknownVariableError, "cell 'a'"),
        (
            lambda: nl.Sequence.start({"x": 5}, bits=1).ask(nl.Repeat(), []),
            nl.CompositionError,
            "list of cells is empty",
        ),
        (lambda: nl.Sequence.start({"x": 5}, bits=1).ask({"": nl.Repeat()}, [""]), nl.CompositionError, "not both"),
        (lambda: nl.Sequence.start({"x": 5}, bits=1).ask("height"), nl.CompositionError, "a str is not a question"),
        (
            lambda: nl.Sequence.start({"x": 9}, bits=9).ask(nl.Refinement("x", 2, 1)),
            nl.CompositionError,
            "ask it first",
        ),
        (lambda: nl.Sequence.start({"x": 9}, bits=9).ask(nl.ExactHistogram("x", 2)), nl.CompositionError, "9 values"),
        (lambda: nl.Sequence.start({"x": 9}, bits=9).ask(nl.PlainSum("x", 1, 2, 4)), nl.CompositionError, "9 values"),
        (lambda: nl.OtherQuestion(("x",), 0), nl.CompositionError, "count=0"),
        (lambda: nl.OtherQuestion((), 9), nl.CompositionError, "columns="),
        (lambda: nl.OtherQuestion(("x",), 2, pieces=0), nl.CompositionError, "pieces=0"),
        (lambda: nl.KthSmallest("x", 1, 0), nl.CompositionError, "bins=0"),
        (lambda: nl.PlainSum("x", 0, 2, 4), nl.CompositionError, "width=0"),
        (lambda: nl.PlainSum("x", -3, 2, 4), nl.CompositionError, "width=-3"),
        (lambda: nl.PlainSum("x", 2.5, 2, 4), nl.CompositionError, "width=2.5"),
        (lambda: nl.Together(()), nl.CompositionError, "at least one"),
        (lambda: nl.Together((nl.Together((nl.Repeat(),)),)), nl.CompositionError, "single questions"),
        (lambda: nl.Refinement("x", 6, 4), nl.CompositionError, "bins of 6 codes cannot be split into bins of 4"),
        (lambda: nl.ExactThreshold("x", 5, 5), nl.CompositionError, "no codes on one side"),
        (lambda: nl.Sequence.from_json("{}"), nl.CompositionError, "backup"),
        (lambda: nl.Sequence.from_json("nonsense"), nl.CompositionError, "backup"),
    ],
)
def test_bad_input(make, error, why):
    with pytest.raises(error, match=why):
        make()


def test_integers_are_written_as_text():
    text = nl.Sequence.start({"x": 2**70}, budget=2**80).to_json()
    assert json.loads(text)["budget"] == str(2**80)
    assert nl.Sequence.from_json(text).budget == 2**80


@pytest.mark.parametrize("change", [("product", "0"), ("remaining", {"x": "-3"})])
def test_restored_states_are_checked(change):
    fields = json.loads(nl.Sequence.start({"x": 5}, bits=1).to_json())
    fields["cells"][""][change[0]] = change[1]
    with pytest.raises(nl.CompositionError):
        nl.Sequence.from_json(json.dumps(fields))


def test_cells_do_not_share_what_is_known():
    sequence = nl.Sequence.start({"x": 5}, bits=1, cells=["a", "b"])
    assert sequence.cells["a"].remaining is not sequence.cells["b"].remaining


@pytest.mark.parametrize(
    ("question", "remaining", "factor"),
    [
        (nl.PlainSum("x", 2, 9, 4), {"x": 5}, 3),
        (nl.PlainSum("x", 10, 2, 4), {"x": 5}, 1),  # one bin holds every sum
        (nl.PlainSum("x", 1, 9, 4), {"x": 2}, 2),
        (nl.KthSmallest("x", 2, 3), {"x": 5}, 3),
        (nl.KthSmallest("x", 1, 2), {"x": 5}, 2),
        (nl.VarianceSum("x", 1277, 3, 40, 99), {"x": 10}, 3),  # 2·9·71 = 1278 is just more than one bin
        (nl.VarianceSum("x", 1278, 3, 40, 99), {"x": 10}, 2),
        (nl.Refinement("x", 6, 2), {"x": 6}, 3),
        (nl.Refinement("x", 6, 2), {"x": 2}, 2),
        (nl.ExactHistogram("x", 9), {"x": 4}, 4),
        (nl.ExactThreshold("x", 3, 9), {"x": 1}, 1),
        (nl.OtherQuestion(("x", "y"), 9), {"x": 2, "y": 3}, 6),
        (nl.Together((nl.PlainSum("x", 2, 9, 4), nl.KthSmallest("x", 4, 2))), {"x": 5}, 4),
        (nl.Together((nl.PlainSum("x", 1, 9, 4), nl.OtherQuestion(("x", "y"), 9))), {"x": 5, "y": 2}, 10),
        (nl.Repeat(), {"x": 5}, 1),
    ],
)
def test_factors_of_theory(question, remaining, factor):
    assert question.factor(remaining) == factor
