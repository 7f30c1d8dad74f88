"""Who pays for an answer: its own public group, everybody for the dearest, or a person of several rows for several."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.verify import spending, verify_ledger
from tests.curator.ledger.test_reserves import LOUD, PEOPLE, SCHEMA, TABLE, loud_error, opened

GROUPS = "SELECT region, SUM(age) AS a FROM people GROUP BY region"


def dear_group() -> tuple[int, list[bool]]:
    """An error for which some groups are loud and others are not."""
    for half in range(150, 1000):
        with opened(budget=100) as curator:
            curator.ask(GROUPS, error=half)
            [released] = curator.entries()[-1].body["released"]
            loud = [int(number) % 2 == 1 for number in released["numbers"].split(" ")]
            if "+" in released["width"] and len(set(loud)) == 2:
                return half, loud
    raise AssertionError("no such error")


@pytest.fixture(scope="module")
def mixed():
    return dear_group()


def test_each_public_cell_is_charged_its_own_outcome(mixed):
    half, loud = mixed
    with opened(budget=20) as curator:
        preview = curator.preview(GROUPS, error=half)
        answer = curator.ask(GROUPS, error=half)
        products = [cell.product for cell in curator.sequence.cells.values()]
        reserved = [Fraction(row[2]) for row in curator.entries()[1].body["reserved"]]
        assert len(set(reserved)) == 1  # the same bins in every group
        dear, cheap = reserved[0], reserved[0] / (reserved[0] - 1)
        assert [product > 2 for product in products] == loud
        for product, is_loud in zip(products, loud, strict=True):
            assert 0 <= product - (dear if is_loud else cheap) < Fraction(1, 1 << 60)
        assert (preview.factor, preview.dearest, answer.factor, answer.loud) == (cheap, dear, dear, True)
        assert preview.paid_by == "everybody"
        left = [cell.remaining["age"] for cell in curator.sequence.cells.values()]
        assert left == [100 if is_loud else 101 for is_loud in loud]  # a guard has one code fewer than a person


def test_one_account_for_everybody_is_charged_the_dearest_group(mixed, monkeypatch):
    half, _ = mixed
    monkeypatch.setattr("noiseless.curator.question.price.MOST_CELLS", 0)
    with opened(budget=20) as curator:
        preview = curator.preview(GROUPS, error=half)
        answer = curator.ask(GROUPS, error=half)
        [row] = curator.entries()[1].body["reserved"]
        assert row[0] == "0..2"
        assert answer.factor == preview.dearest == Fraction(row[2])
        assert curator.sequence.spent() == answer.factor
        assert curator.sequence.cells[""].remaining["age"] == 101  # nobody is in all groups
        assert verify_ledger(curator.entries()) == 3
        curator.ask(LOUD, error=loud_error())
        assert curator.sequence.cells[""].remaining["age"] == 100  # everybody is in the whole sum
        assert verify_ledger(curator.entries()) == 5


def test_several_rows_are_charged_the_dearest_groups_multiplied():
    columns = {"age": nl.Integer(0, 100), "day": nl.Public(), "region": nl.Public("n", "s", "e")}
    schema = nl.Schema(columns, unit="who", rows=2, order_by="day")
    people = {"who": [k // 2 for k in range(PEOPLE)], "day": [k % 2 for k in range(PEOPLE)]}
    table = pa.table({"age": TABLE["age"], "region": TABLE["region"], **people})
    with nl.Curator.open(table, schema, budget=30, table="people") as curator:
        preview = curator.preview(GROUPS, error=1000)
        answer = curator.ask(GROUPS, error=1000)
        rows = curator.entries()[1].body["reserved"]
        louds = sorted((Fraction(row[2]) for row in rows for _ in range(3 if row[0] == "0..2" else 1)), reverse=True)
        assert len(louds) == 3
        assert preview.dearest == louds[0] * louds[1]
        quiet = sorted((loud / (loud - 1) for loud in louds), reverse=True)
        assert preview.factor == quiet[0] * quiet[1]
        assert answer.factor in {a * b for a in (*louds, *quiet) for b in (*louds, *quiet)}
        assert verify_ledger(curator.entries()) == 3
    with nl.Curator.open(table, schema, budget=3, table="people") as curator:
        preview = curator.preview(GROUPS, error=1000)
        assert preview.affordable
        assert preview.dearest == 4  # two groups at 2 each fit into 8, two at 3 would not
        assert not nl.Curator.open(table, schema, budget=1, table="people").preview(GROUPS, error=1000).affordable


def test_equal_and_guarded_numbers_in_one_question():
    with opened(budget=20) as curator:
        sql = "SELECT SUM(age), MEDIAN(height) FROM people"
        preview = curator.preview(sql, error=1000)
        answer = curator.ask(sql, error=1000)
        assert preview.dearest > preview.factor > 1
        both = "SELECT SUM(age), SUM(height) FROM people WHERE region = 'n'"
        before = curator.sequence.spent()
        joint = curator.preview(both, error=1000)
        answer = curator.ask(both, error=1000)
        [[cells, count, loud, _]] = curator.entries()[-2].body["reserved"]
        assert (cells, count, joint.dearest) == ("0", "4", Fraction(loud))
        assert answer.factor in (Fraction(loud), Fraction(loud) / (Fraction(loud) - 3))
        assert (answer.paid_by, joint.paid_by) == ("n", "n")
        assert curator.sequence.spent() >= before


def test_the_charge_is_that_of_one_group_not_of_the_worst_parts_of_two(mixed):
    """A loud group whose median is known, and quiet groups whose medians are not: nobody pays for both."""
    half, loud = mixed
    columns = {"age": SCHEMA.columns["age"], "pay": nl.Integer(0, 10**6), "region": SCHEMA.columns["region"]}
    table = pa.table({"age": TABLE["age"], "pay": [k * 997 for k in range(PEOPLE)], "region": TABLE["region"]})
    with nl.Curator.open(table, nl.Schema(columns), budget=100, table="people", quotas={"ada": 60}) as curator:
        for name in [name for name, is_loud in zip("nse", loud, strict=True) if is_loud]:
            curator.ask(f"SELECT SUM(pay) FROM people WHERE region = '{name}'", error=0, analyst="ada")
        before = {name: cell.product for name, cell in curator.sequence.cells.items()}
        spent = curator._account.spent["ada"]
        sql = "SELECT region, SUM(age) AS a, MEDIAN(pay) AS m FROM people GROUP BY region"
        preview = curator.preview(sql, error=half)
        answer = curator.ask(sql, error=half, analyst="ada")
        grown = [cell.product / Fraction(before[name]) for name, cell in curator.sequence.cells.items()]
        assert answer.loud
        assert 0 <= max(grown) - answer.factor < Fraction(1, 1 << 40)
        assert answer.factor < preview.dearest  # which a quiet group with an unknown median would pay if it were loud
        assert 0 <= curator._account.spent["ada"] / Fraction(spent) - answer.factor < Fraction(1, 1 << 40)
        assert [*spending(curator.entries())][-1].factor == answer.factor
        assert nl.verify(answer.certificate).count == answer.guarantee.count
        assert verify_ledger(curator.entries()) == len(curator.entries())
