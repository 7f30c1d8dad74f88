"""Quotas that are granted while a dataset is open are enforced with every charge, as declared ones are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.curator.ledger.grants import Grant, limit_of
from noiseless.curator.ledger.quota import quota_left
from tests.curator.small import AGE, PEOPLE


def grant(name: str, bits: int, *members: str) -> Grant:
    return Grant(name, Fraction(bits), frozenset(members or {name}))


def test_the_smallest_of_all_limits_counts():
    """Against plain division, for all that ada and bob can have spent."""
    own, team = grant("ada", 3), grant("project team", 4, "ada", "bob")
    for ada, bob in product((1, 2, 4, 8, 16), repeat=2):
        spent = {"ada": ada, "bob": bob, "eve": 2}
        assert limit_of(None, [own, team], spent, "ada") == min(Fraction(8, ada), Fraction(16, ada * bob))
        assert limit_of(None, [own, team], spent, "bob") == Fraction(16, ada * bob)
        assert limit_of({"*": 8}, [team], spent, "bob") == min(Fraction(16, ada * bob), Fraction(8, ada * bob * 2))
        assert limit_of({"ada": 2}, [own], spent, "ada") == Fraction(8, ada)  # instead of what was declared
        assert limit_of({"ada": 2}, [own], spent, "bob") == 0
        assert limit_of(None, [own, team], spent, "eve") is None
        assert limit_of({"*": 8}, [], spent, "eve") == quota_left({"*": 8}, spent, "eve")


@pytest.fixture
def granted():
    """A curator, and the grants that it reads."""
    import pyarrow as pa

    grants: list[Grant] = []
    with nl.Curator.open(pa.table(PEOPLE), AGE, budget=6, table="people", grants=lambda: grants) as curator:
        yield curator, grants


def count(curator: nl.Curator, at_least: int, analyst: str) -> float:
    return curator.ask(f"SELECT COUNT(*) FROM people WHERE age >= {at_least}", analyst=analyst).cost


def test_a_grant_is_enforced_from_the_next_question_on(granted):
    curator, grants = granted
    assert count(curator, 30, "ada") == 1
    grants.append(grant("ada", 1))
    with pytest.raises(nl.BudgetExceededError, match="quota of 'ada'"):
        count(curator, 40, "ada")
    assert count(curator, 30, "ada") == 0  # repeating is free
    assert count(curator, 50, "bob") == 1
    grants[:] = [grant("ada", 2)]
    assert count(curator, 40, "ada") == 1


def test_members_of_a_project_share(granted):
    curator, grants = granted
    grants += [grant("project team", 2, "ada", "bob")]
    assert count(curator, 30, "ada") == count(curator, 40, "bob") == 1
    for analyst in ("ada", "bob"):
        with pytest.raises(nl.BudgetExceededError, match="quota"):
            count(curator, 50, analyst)
    assert count(curator, 50, "eve") == 1
    [left] = curator.status().quotas
    assert (left.name, left.spent, left.left) == ("project team", 2.0, 0.0)


def test_a_view_has_its_part():
    assert grant("ada", 4).part(Fraction(1, 4)).most == 2
