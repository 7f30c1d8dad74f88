"""Holds, approvals, refusals, withdrawals, expiries, grants, freezes and crashes in any order.

One person's data cause at most as many transcripts as the budget has; at every moment what is charged and what is
reserved fit into it; what was approved can be asked; and nothing of the data is read for a question on hold.
"""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator import asking
from noiseless.curator.ledger.custody import Custody
from noiseless.curator.ledger.deciding import Deciding
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.question.rules import Rules
from tests.curator.worlds import worlds
from tests.laws.played import anew

SCHEMA = nl.Schema(x=nl.Integer(0, 4, missing=0), s=nl.Boolean(missing=False), g=nl.Public("n", "s"))
VALUES = [(x, s) for x in range(5) for s in (False, True)]
OTHERS = [(4, True, "n"), (2, False, "n"), (0, True, "s"), (1, True, "n")]
QUESTIONS = [
    ("SELECT COUNT(*) FROM t WHERE s", {}),
    ("SELECT COUNT(*) FROM t WHERE x >= 2", {}),
    ("SELECT SUM(x) FROM t", {"error": 0}),
    ("SELECT SUM(x) FROM t", {"error": 3}),
    ("SELECT AVG(x) FROM t WHERE g = 'n'", {"bits": 2}),
    ("SELECT AVG(x) FROM t WHERE s", {"error": 1}),
    ("SELECT MAX(x) FROM t", {"error": 0}),
    ("SELECT g, SUM(x) FROM t GROUP BY g", {"error": 3}),
]
NEVER = "9999-01-01T00:00:00+00:00"
ACTS = [*["ask", "approve", "collect"] * 5, *["withdraw"] * 3, *["dies", "unfreeze"] * 2, "refuse", "expire", "freeze"]


@cache
def datasets():
    rows = [[*OTHERS, (*value, "n")] for value in VALUES]
    return worlds([pa.table(dict(zip("xsg", zip(*each, strict=True), strict=True))) for each in rows], SCHEMA)


def fresh(place: int, budget: int) -> nl.Curator:
    made = anew(datasets()[place], budget)
    return nl.Curator(made._dataset, made._account, rules=Rules(hold_above=1))


def shown(answer) -> str:
    return f"{[[repr(cell) for cell in row.values()] for row in answer.rows]} {answer.factor} {answer.remaining}"


def act(curator: nl.Curator, seed: str, monkeypatch) -> str:
    """One step of everybody together, chosen by what was seen so far, and all that is seen of it."""
    choice = random.Random(seed)
    what, (sql, terms) = choice.choice(ACTS), choice.choice(QUESTIONS)
    holds = sorted(curator._account.custody.holds)
    asked = sorted(each.number for each in curator._account.custody.asked.values())
    number = choice.choice([*holds, *asked] or [99])
    work = {
        "ask": lambda: shown(curator.ask(sql, **terms)),
        "dies": lambda: shown(curator.ask(sql, **terms)),
        "approve": lambda: curator.approve(number),
        "refuse": lambda: curator.refuse(number, "no"),
        "withdraw": lambda: curator.withdraw(number),
        "expire": lambda: curator._account.record(partial(expired, number)),
        "collect": lambda: shown(curator.collect(number)),
        "freeze": lambda: curator.freeze("for a while"),
        "unfreeze": lambda: curator.unfreeze(),
    }
    with monkeypatch.context() as patch:
        if what == "dies":
            patch.setattr(asking, "execute", lambda *_: 1 / 0)
        try:
            seen = str(work[what]())
        except (nl.NoiselessError, ZeroDivisionError) as refused:
            seen = f"{type(refused).__name__} {refused}"
    return f"{what} {number} {seen} {curator.remaining}; "


def expired(number: int, state: State):
    """An expiry, as if the clock were far ahead."""
    return ("expire", "", {"hold": str(number), "at": NEVER}) if number in state.custody.holds else None


def transcripts(budget: int, seed: int, monkeypatch, steps: int = 12, checked: bool = True) -> int:
    found = set()
    for place in range(len(VALUES)):
        curator, transcript = fresh(place, budget), ""
        for step in range(steps):
            transcript += act(curator, f"{seed} {step} {transcript}", monkeypatch)
            assert not checked or curator.sequence.spent() <= curator.sequence.budget
        assert not checked or verify_ledger(curator.entries()) == len(curator.entries())
        found.add(transcript)
    return len(found)


CASES = [(budget, seed) for budget in (4, 6, 16) for seed in range(7)]


def test_one_person_causes_no_more_transcripts_than_the_budget(monkeypatch):
    found = {case: transcripts(*case, monkeypatch) for case in CASES}
    assert all(number <= budget for (budget, _), number in found.items()), found
    assert max(number for (budget, _), number in found.items() if budget == 6) > 2


def reserve_pays(self, entry, kept=State._charge):
    """Wrong: the reserve of a hold stands for the charge, and is given back when the hold ends after the reading."""
    if "hold" in entry.body:
        entry = Entry(
            entry.number,
            entry.kind,
            entry.time,
            entry.analyst,
            {**entry.body, "charged": []},
            entry.previous,
            entry.hash,
        )
    kept(self, entry)


def ends_after_reading(self, entry, dearest):
    """Wrong: the hold stays open, so that it can be withdrawn although its question was asked."""


def read_and_withdrawn(budget: int) -> int:
    """The transcripts of somebody who asks what was approved, and then withdraws it."""
    found = set()
    for place in range(len(VALUES)):
        curator, transcript = fresh(place, budget), ""
        for sql, terms in QUESTIONS[2:]:
            try:
                transcript += shown(curator.ask(sql, **terms))
            except nl.HeldError as held:
                curator.approve(held.hold)
                transcript += shown(curator.collect(held.hold))
                with suppress(nl.QuestionError):
                    curator.withdraw(held.hold)
            except nl.BudgetExceededError as refused:
                transcript += str(refused)
        found.add(transcript)
    return len(found)


def test_a_refund_after_reading_is_caught(monkeypatch):
    assert read_and_withdrawn(8) <= 8
    monkeypatch.setattr(State, "_charge", reserve_pays)
    monkeypatch.setattr(Custody, "ask", ends_after_reading)
    assert read_and_withdrawn(8) > 8
    with pytest.raises((nl.LedgerError, AssertionError)):  # and the sums do not add up
        [transcripts(*case, monkeypatch) for case in CASES]


def approved_and_asked(monkeypatch, seed: int) -> None:
    """Whatever others do in between, what was approved can be asked."""
    choice = random.Random(seed)
    curator = fresh(0, 16)
    sql, terms = choice.choice(QUESTIONS[2:])
    with pytest.raises(nl.HeldError) as held:
        curator.ask(sql, analyst="ada", **terms)
    curator.approve(held.value.hold)
    for _ in range(6):
        other, more = choice.choice(QUESTIONS)
        with suppress(nl.BudgetExceededError, nl.HeldError):
            curator.ask(other, analyst="bob", **more)
        with suppress(nl.QuestionError):
            curator.approve(choice.choice(sorted(curator._account.custody.holds)))
    spent = curator.sequence.spent()
    curator.collect(held.value.hold, analyst="ada")
    assert curator.sequence.spent() <= spent
    verify_ledger(curator.entries())


def all_approved_and_asked(monkeypatch) -> None:
    for seed in range(25):
        approved_and_asked(monkeypatch, seed)


def test_what_was_approved_can_be_asked_whatever_others_ask(monkeypatch):
    all_approved_and_asked(monkeypatch)


WRONG = {
    "a hold reserves nothing": (Custody, "reserved", lambda self, without=None: iter(())),
    "a hold is counted twice when it is asked": (State, "without", lambda self, hold: self.sequence),
    "a hold is asked without its entry saying so": (
        Deciding,
        "_body",
        lambda self, state, priced, bought, hold, kept=Deciding._body: kept(self, state, priced, bought, None),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_hold_is_caught(name, monkeypatch):
    where, what, wrong = WRONG[name]
    monkeypatch.setattr(where, what, wrong)
    with pytest.raises((nl.BudgetExceededError, nl.LedgerError, AssertionError)):
        all_approved_and_asked(monkeypatch)


def test_nothing_is_read_before_approval(monkeypatch):
    """Execution fails as long as nobody approved, and then is needed."""
    for sql, terms in QUESTIONS[2:]:
        curator = fresh(3, 1 << 12)
        with monkeypatch.context() as patch:
            for name in ("execute", "execute_batch", "execute_groups"):
                patch.setattr(asking, name, lambda *_: pytest.fail("the data were read"))
            for _ in range(2):
                with pytest.raises(nl.HeldError) as held:
                    curator.ask(sql, **terms)
            number = held.value.hold
            curator.withdraw(number)
            assert curator.sequence.spent() == 1
            with pytest.raises(nl.HeldError) as held:
                curator.ask(sql, **terms)
            assert curator.sequence.spent() > 1
        curator.approve(held.value.hold)
        answer = curator.ask(sql, **terms)
        assert answer.factor <= Fraction(1 << 12)
        assert curator.holds() == ()
        with pytest.raises(nl.QuestionError):
            curator.withdraw(held.value.hold)
