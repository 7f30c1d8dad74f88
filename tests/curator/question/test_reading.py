"""What a question means is remembered for a while, and only if it was understood."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.question import reading
from noiseless.curator.question.reading import meaning
from tests.curator.small import OTHERS, opened

SQL = "SELECT g, AVG(h) FROM t WHERE a > {} GROUP BY g"


@pytest.fixture
def dataset():
    with opened(OTHERS[-1]) as curator:
        yield curator._dataset


def test_a_repeat_is_not_read_again(dataset):
    first = meaning(SQL.format(4), dataset)
    assert meaning(SQL.format(4), dataset) is first
    assert meaning(SQL.format(4), dataset, centred=True) is not first
    assert meaning(SQL.format(4), dataset, centred=True)[1] != first[1]


def test_what_is_refused_is_not_remembered(dataset):
    for text in ("SELECT AVG(nothing) FROM t", "nonsense", 7, None):
        with pytest.raises(nl.NoiselessError):
            meaning(text, dataset)
    assert dataset.understood == {}


def test_the_oldest_are_forgotten(dataset, monkeypatch):
    monkeypatch.setattr(reading, "MOST_REMEMBERED", 3)
    for place in range(1, 6):
        meaning(SQL.format(place), dataset)
    assert [text for text, *_ in dataset.understood] == [SQL.format(place) for place in (3, 4, 5)]


def test_many_lines_are_not_kept(dataset, monkeypatch):
    monkeypatch.setattr(reading, "LONGEST_REMEMBERED", 0)
    assert meaning(SQL.format(4), dataset) == meaning(SQL.format(4), dataset)
    assert dataset.understood == {}
