import sys

import numpy as np
import pytest

import noiseless as nl


def test_no_group_privacy_in_general():
    """f = x1 if x1 = x2, else 0: two answers for one person, four for two people together."""
    guarantee = nl.certify_function(lambda x, y: np.where(x == y, x, 0), [range(4), range(4)])
    assert guarantee.count == 2
    with pytest.raises(nl.NotCertifiableError, match="no group guarantee"):
        guarantee.group(2)


def test_one_answer_can_pin_a_person():
    guarantee = nl.certify_function(lambda x: x == 1, [range(1, 101)])
    assert (guarantee.count, guarantee.smallest_cell) == (2, 1)
    assert guarantee.leakage == nl.LogRatio(100)


def test_answers_of_several_numbers():
    guarantee = nl.certify_function(lambda x, y: np.stack([x, y // 2], axis=1), [range(3), range(4)])
    assert guarantee.count == 3


def test_texts_and_uneven_domains():
    guarantee = nl.certify_function(lambda x, y: np.where(x == "a", "yes", y), [["a", "b", "c"], ["u", "v"]])
    assert guarantee.count == 2


def test_domains_may_be_of_one_value():
    assert nl.certify_function(lambda x: x, [[5]]).count == 1


def test_many_blocks():
    guarantee = nl.certify_function(lambda *people: sum(people) // 4, [range(16)] * 5)
    assert guarantee.count == 5


def test_too_large_says_how_large():
    with pytest.raises(nl.TooLargeError, match="10000000000 datasets, more than limit=20000000"):
        nl.certify_function(sum, [range(10)] * 10)


@pytest.mark.parametrize(
    ("function", "domains", "error", "why"),
    [
        (lambda x: x, [], nl.DomainError, "domains is empty"),
        (lambda x, y: x, [[1], []], nl.DomainError, "person 1 is empty"),
        (lambda x: 5, [[1, 2]], nl.InputError, "numpy.vectorize"),
        (lambda x: [1], [[1, 2]], nl.InputError, "numpy.vectorize"),
    ],
)
def test_bad_black_boxes(function, domains, error, why):
    with pytest.raises(error, match=why):
        nl.certify_function(function, domains)


def test_the_progress_bar_is_for_terminals(monkeypatch, capsys):
    from noiseless.privacy.pictures import progress

    monkeypatch.setattr(progress, "PATIENCE", -1)
    assert list(progress.progress(range(3), "trying")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(progress.progress(range(3), "trying")) == [0, 1, 2]
    assert capsys.readouterr().err.endswith("█]\n")


@pytest.mark.parametrize(
    ("answers", "count"),
    [([1, "1"], 2), (["a", "a\0"], 2), ([2**53, 2**53 + 1, 0.5], 3), ([(1, 2), (1, 3)], 2), ([1, 1.0, True], 1)],
)
def test_answers_are_different_if_python_says_so(answers, count):
    """numpy would merge some of these."""
    assert nl.certify_function(lambda x: [answers[v] for v in x], [range(len(answers))]).count == count
    assert nl.certify_function(lambda x: x, [answers]).count == count


def test_blocks_of_different_types_are_not_merged(monkeypatch):
    monkeypatch.setattr("noiseless.privacy.definitions.noiseless.certify_function.BLOCK", 2)
    values = [2**53, 2**53 + 1, 0.5, 1.5]
    assert nl.certify_function(lambda x: np.array(x.tolist()), [values]).count == 4


def test_domains_as_declared():
    assert nl.certify_function(lambda x, y: x + y, [nl.Codes(2), nl.Values([0, 5])]).count == 3


def test_the_smallest_cell_and_the_domain_are_of_one_person():
    constant = nl.certify_function(lambda x, y: np.zeros(len(x)), [range(10), range(2)])
    assert constant.leakage == nl.LogRatio(1)
    half = nl.certify_function(lambda x, y: x // 5, [range(10), [0]])
    assert half.leakage == nl.LogRatio(2)
