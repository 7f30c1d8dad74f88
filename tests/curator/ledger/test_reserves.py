"""Questions charged by the answer in the ledger: what is read is paid for, whatever dies, fails or waits."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator import asking
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.formats import FORMAT
from noiseless.curator.ledger.priced import account_prices
from noiseless.curator.ledger.reserve import Reserve
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.verify import spending, verify_ledger
from noiseless.curator.plan.part import Part
from noiseless.curator.question.execute import execute
from noiseless.curator.releases.total import Total

PEOPLE = 1000
SCHEMA = nl.Schema(
    age=nl.Integer(0, 100), height=nl.Integer(100, 200), well=nl.Boolean(), region=nl.Public("n", "s", "e")
)
TABLE = pa.table(
    {
        "age": [k * 7 % 101 for k in range(PEOPLE)],
        "height": [100 + k * 13 % 101 for k in range(PEOPLE)],
        "well": [k % 3 == 0 for k in range(PEOPLE)],
        "region": ["nnse"[k % 4] for k in range(PEOPLE)],
    }
)
MEAN = "SELECT AVG(age) FROM people"
LOUD = "SELECT SUM(age) FROM people"
OTHER = "SELECT SUM(height) FROM people"
AGES = sum(TABLE["age"].to_pylist())


def opened(folder=None, budget=8, **options) -> nl.Curator:
    if folder is not None:
        options |= {"store": folder / "codes.duckdb", "ledger": folder / "ledger.sqlite"}
    return nl.Curator.open(TABLE, SCHEMA, budget=budget, table="people", **options)


def loud_error() -> int:
    """An error for which the sum of ages lies in a guard."""
    column = Total(Part((0,), PEOPLE), "age", nl.Integer(0, 100), Fraction(0))
    found = ((half, column.guarded(Fraction(half), "SUM")) for half in range(200, 1900))
    return next(half for half, bins in found if bins is not None and bins.is_guard(bins.place(AGES)))


def test_quiet_and_loud_answers_are_charged_their_prices():
    with opened() as curator:
        preview = curator.preview(MEAN, error=2)
        wide, guard = 3968, 100  # five significant bits of 2·2·1000 + 1, and one person's 100 codes
        assert preview.chance == Fraction(guard, wide + guard)
        loud = Fraction(16 * (wide + guard) // guard, 16)
        assert (preview.dearest, preview.factor) == (loud, loud / (loud - 1))
        answer = curator.ask(MEAN, error=2)
        assert (answer.loud, answer.factor, answer.guarantee.count) == (False, preview.factor, 2)
        assert float(answer.rows[0].lower) <= AGES / PEOPLE <= float(answer.rows[0].upper)
        assert curator.sequence.spent() >= answer.factor
        assert curator.sequence.spent() - answer.factor < Fraction(1, 1 << 63)
        again = curator.ask(MEAN, error=2)
        assert (again.factor, again.rows, again.loud) == (1, answer.rows, None)
        half = loud_error()
        dear = curator.ask(LOUD, error=half)
        assert dear.loud
        assert dear.factor == curator.recall(2).factor > 4
        assert "loud" in repr(dear)
        assert verify_ledger(curator.entries()) == 5
        assert [each.factor for each in spending(curator.entries())] == [answer.factor, dear.factor]


def test_a_question_that_dies_stays_reserved_until_it_is_answered(tmp_path, monkeypatch):
    def dies(*_):
        raise RuntimeError("the engine died")

    with opened(tmp_path) as curator:
        preview = curator.preview(MEAN, error=2)
        monkeypatch.setattr(asking, "execute", dies)
        with pytest.raises(RuntimeError):
            curator.ask(MEAN, error=2)
        assert curator.sequence.spent() == preview.dearest
        assert [each.factor for each in spending(curator.entries())] == [preview.dearest]
        with pytest.raises(RuntimeError):
            curator.ask(MEAN, error=2)  # a retry reserves nothing more
        assert curator.sequence.spent() == preview.dearest
        monkeypatch.undo()
        answer = curator.ask(MEAN, error=2)  # and is free
        assert curator.sequence.spent() < preview.dearest
        assert answer.entry == 1
    with opened(tmp_path) as curator:
        monkeypatch.setattr(asking, "execute", dies)
        with pytest.raises(RuntimeError):
            curator.ask(OTHER, error=3000)
        reserved = curator.sequence.spent()
        monkeypatch.undo()
    monkeypatch.setattr(asking, "execute", dies)
    with opened(tmp_path) as curator:  # a question that always dies does not lock the dataset
        assert curator.sequence.spent() == reserved
    monkeypatch.undo()
    with opened(tmp_path) as curator:  # opening answers it
        assert curator.sequence.spent() < reserved
        assert [entry.kind for entry in curator.entries()] == ["open", "ask", "answer", "ask", "answer"]
        assert verify_ledger(curator.entries()) == 5
        assert curator.ask(OTHER, error=3000).factor == 1


def refunded(self, reserves, kept=State._with):
    """Wrong: what is only reserved does not count, so that dying before the answer gives it back."""
    return kept(self, ())


def settled_at_once(self, places=None, kept=Reserve.prices):
    """Wrong: the quiet price is charged before the data are read."""
    if places is not None:
        return kept(self, places)
    return account_prices(((unit.accounts, unit.weights.quiet) for unit in self.units), self.rows)


@pytest.mark.parametrize(("where", "name", "wrong"), [(State, "_with", refunded), (Reserve, "prices", settled_at_once)])
def test_what_could_be_read_for_less_is_caught(where, name, wrong, tmp_path, monkeypatch):
    monkeypatch.setattr(where, name, wrong)
    with pytest.MonkeyPatch.context() as inside, pytest.raises(AssertionError):
        test_a_question_that_dies_stays_reserved_until_it_is_answered(tmp_path, inside)


def test_reserves_of_others_are_settled_before_a_refusal(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "WAIT", 0.001)
    with opened(tmp_path, budget=6) as curator:
        monkeypatch.setattr(asking, "execute", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            curator.ask(MEAN, error=2)  # reserves 5.3 of 6 bits
        monkeypatch.setattr(asking, "execute", execute)
        answer = curator.ask("SELECT COUNT(*) FROM people WHERE age > 50 AND well")
        assert answer.factor == 2
        assert [entry.kind for entry in curator.entries()] == ["open", "ask", "answer", "ask", "answer"]
        with pytest.raises(nl.BudgetExceededError, match="nothing was charged"):
            curator.ask("SELECT SUM(height) FROM people", bits=6)


def test_near_the_end_of_the_budget_the_loud_price_fits():
    with opened(budget=3) as curator:
        preview = curator.preview(MEAN, error=2)
        assert preview.dearest == 8  # not (w + g)/g, which would not fit
        assert preview.factor == Fraction(8, 7)
        with pytest.raises(nl.BudgetExceededError, match="more than bits"):
            curator.ask(MEAN, bits="0.01")
        curator.ask(MEAN, error=2, max_bits="1.5")
        assert curator.entries()[1].body["reserved"] == [["0-2", "2", "45/16", True]]
    with opened(budget=1) as curator:
        answer = curator.ask(MEAN, error=2)
        assert answer.factor == 2  # quiet and loud cost the same
        with pytest.raises(nl.BudgetExceededError):
            curator.ask(OTHER, error=3000)
        assert curator.remaining == 0
    with opened(budget=4) as curator, pytest.raises(nl.BudgetExceededError, match="max_bits"):
        curator.ask(MEAN, error=2, max_bits="0.5")


def test_quotas_count_reserves(monkeypatch):
    with opened(quotas={"ada": 5, "bob": "0.5"}, analyst="ada") as curator:
        assert curator.preview(MEAN, error=2).most > 5
        with pytest.raises(nl.BudgetExceededError, match="quota of 'bob'"):
            curator.ask(MEAN, error=2, analyst="bob")
        with pytest.raises(nl.BudgetExceededError, match="quota of 'eve'"):
            curator.ask(MEAN, error=2, analyst="eve")
        monkeypatch.setattr(asking, "execute", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            curator.ask(MEAN, error=2)
        assert curator.status().quotas[0].spent == 5  # what is reserved fits into the quota, and counts
        monkeypatch.undo()
        curator.ask(MEAN, error=2)
        answer = curator.recall(1)
        assert answer.factor == Fraction(32, 31)
        assert curator.status().quotas[0].spent == pytest.approx(answer.cost)


def test_groups_pay_for_their_own_outcome():
    with opened() as curator:
        answer = curator.ask("SELECT region, SUM(age), COUNT(*) FROM people WHERE well GROUP BY region", error=60)
        products = {name: cell.product for name, cell in curator.sequence.cells.items()}
        assert max(products.values()) >= answer.factor
        reserved = curator.entries()[1].body["reserved"]
        assert {row[1] for row in reserved} <= {"2", "3"}  # not well; or well, and a wide bin or a guard of the sum
        assert verify_ledger(curator.entries()) == 3


def test_only_the_bin_that_came_out_narrows(monkeypatch):
    with opened(budget=20) as curator:
        curator.ask("SELECT SUM(age) FROM people WHERE well", error=300)
        curator.ask("SELECT COUNT(*) FROM people WHERE age > 30", error=5)
        curator.ask("SELECT VAR_POP(age) FROM people", error=90)
        assert all(cell.remaining["age"] == 101 for cell in curator.sequence.cells.values())
        curator.ask("SELECT SUM(age) FROM people WHERE region = 'n'", error=100)
        left = {name: cell.remaining["age"] for name, cell in curator.sequence.cells.items()}
        assert left == {'["n"]': 101, '["s"]': 101, '["e"]': 101}


def test_a_changed_schema_keeps_the_reserve(tmp_path, monkeypatch):
    with opened(tmp_path) as curator:
        dearest = curator.preview(MEAN, error=2).dearest
        monkeypatch.setattr(asking, "execute", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            curator.ask(MEAN, error=2)
        monkeypatch.undo()
    with opened(tmp_path, budget=7) as curator:  # a lower budget is a change
        assert curator.sequence.spent() == dearest
        assert verify_ledger(curator.entries()) == len(curator.entries())
        assert curator.ask(MEAN, error=2).factor == 1
        assert curator.sequence.spent() == dearest
        answer = curator.recall(1)  # its price does not follow from the bin that came out
        assert (answer.factor, answer.loud) == (dearest, None)
        assert nl.verify(answer.certificate.to_json()).count == 2


def test_an_earlier_format_continues():
    with opened() as curator:
        journal: Any = curator._account._journal
        journal._entries[0] = Entry.after(None, "open", "", {**journal._entries[0].body, "format": "2"})
        curator._account._state = type(curator._account._state)(curator._account._prices)
        curator.ask("SELECT COUNT(*) FROM people WHERE age > 3")
        assert [entry.kind for entry in curator.entries()] == ["open", "ask", "answer"]
        curator.ask(MEAN, error=2)
        curator.ask(OTHER, error=3000)
        kinds = [entry.kind for entry in curator.entries()]
        assert kinds == ["open", "ask", "answer", "change", "ask", "answer", "ask", "answer"]
        assert curator.entries()[3].body["format"] == FORMAT
        assert verify_ledger(curator.entries()) == 8


def test_refine_divides_the_bin_that_came_out():
    with opened(budget=30) as curator:
        first = curator.ask(LOUD, error=2000)
        finer = curator.refine(first, error=300)
        assert first.rows[0].lower <= finer.rows[0].lower <= AGES <= finer.rows[0].upper <= first.rows[0].upper
        assert finer.rows[0].upper - finer.rows[0].lower <= 600
        finest = curator.refine(finer, error=0)
        assert finest.rows[0].value == AGES
        again = curator.refine(first, error=0)
        assert (again.factor, again.entry) == (1, finest.entry)  # paid by the entry that a certificate cites
        assert verify_ledger(curator.entries()) == len(curator.entries())


def changed(entries, place, **fields):
    """The chain with one body changed and everything after it written again."""
    chain = []
    for entry in entries:
        body = json.loads(json.dumps(entry.body))
        if entry.number == place:
            body |= fields
        chain.append(Entry.after(chain[-1] if chain else None, entry.kind, entry.analyst, body))
    return chain


def test_a_ledger_whose_reserves_do_not_add_up_is_refused():
    with opened() as curator:
        curator.ask("SELECT SUM(age), SUM(height) FROM people", error=3000)
        entries = curator.entries()
    assert verify_ledger(changed(entries, 0)) == 3
    [[cells, count, loud, narrows]] = entries[1].body["reserved"]
    for wrong in (
        [],
        [[cells, count, "2", narrows]],  # below the count
        [[cells, count, "1/0", narrows]],
        [[cells, "0", loud, narrows]],
        [[cells, "-1", loud, narrows]],  # a quiet price below 1
        [[cells, count, "1000", narrows]],  # more than the budget
        [["0-1", count, loud, narrows]],  # not for everybody who is in the sum: their part is never charged
    ):
        with pytest.raises(nl.LedgerError, match="entry 1"):
            verify_ledger(changed(entries, 1, reserved=wrong))
    paid = json.loads(json.dumps(entries[1].body["paid"]))
    paid[0]["parts"][0][1] = "4096+99"  # one person moves a sum of ages by 100
    with pytest.raises(nl.LedgerError, match="entry 1"):
        verify_ledger(changed(entries, 1, paid=paid))


def test_a_price_that_is_not_a_number_is_a_damaged_ledger():
    with opened() as curator:
        curator.ask(LOUD, error=3000)
        [[cells, count, _, narrows]] = curator.entries()[1].body["reserved"]
        opening, asked, _ = changed(curator.entries(), 1, reserved=[[cells, count, "1/0", narrows]])
        state = type(curator._account._state)(curator._account._prices)
        state.fold(opening)
        with pytest.raises(nl.LedgerError, match="entry 1"):
            state.fold(asked)
