"""What a budget buys, in plain words: every number is a preview's, and what is said to be affordable is."""

from __future__ import annotations

import re

import pyarrow as pa

import noiseless as nl
from noiseless.app.worth import worth
from noiseless.exact.rounding import significant

ROWS = 300
TABLE = pa.table(
    {
        "age": [k % 90 for k in range(ROWS)],
        "pay": [97 * k % 1000 for k in range(ROWS)],
        "ill": [k % 7 == 0 for k in range(ROWS)],
        "region": [("north", "south")[k % 2] for k in range(ROWS)],
        "who": [k // 3 for k in range(ROWS)],
        "day": [k % 3 for k in range(ROWS)],
    }
)
COLUMNS = {
    "age": nl.Integer(0, 120),
    "pay": nl.Integer(0, 1000),
    "ill": nl.Boolean(),
    "region": nl.Public("north", "south"),
}


def opened(budget: float, **more: object) -> nl.Curator:
    return nl.Curator.open(TABLE, nl.Schema(COLUMNS, **more), budget=budget, table="t")


def test_what_is_said_to_be_affordable_is():
    with opened(3) as curator:
        said = "\n".join(worth(curator))
        number = int(re.search(r"(\d+) means like AVG\(age\), ±\S+ over all rows: 1 bit each", said)[1])
        assert number == 3
        preview = curator.preview("SELECT AVG(age) FROM t", bits=1)
        assert f"±{significant(preview.error, 3, 'upper')} over all rows" in said
        for condition in ("", "WHERE region = 'north'", "WHERE region = 'south'"):
            assert curator.ask(f"SELECT AVG(age) FROM t {condition}", bits=1, max_bits=1).cost <= 1


def test_every_sentence_has_the_price_of_a_preview():
    with opened(9) as curator:
        said = "\n".join(worth(curator))
        assert said.startswith("9 bits per person are left of the budget. They buy any one of these:\n  - ")
        asked = {
            "AVG(age) and AVG(pay)": ("SELECT AVG(age), AVG(pay) FROM t", 2),
            "AVG(age) of each region": ("SELECT region, AVG(age) FROM t GROUP BY region", 1),
            "rows with each ill, exactly": ("SELECT ill, COUNT(*) FROM t GROUP BY ill", 1),
        }
        for words, (sql, bits) in asked.items():
            [line] = [line for line in said.splitlines() if words in line]
            preview = curator.preview(sql, bits=bits)
            assert f"{preview.cost:g} bit" in line
            assert preview.affordable
        assert "a copy of all rows with age ±" in said
        before = curator.remaining
        worth(curator)
        assert curator.remaining == before


def test_less_is_left_after_a_question():
    with opened(2) as curator:
        curator.ask("SELECT AVG(age) FROM t", bits=1)
        said = "\n".join(worth(curator))
        assert said.startswith("1 bit per person is left of the budget.")
        assert "AVG(age) and AVG(pay): 1 bit for both" in said  # the first is known already
        curator.ask("SELECT AVG(pay) FROM t", bits=1)
        assert worth(curator) == ["0 bits per person are left of the budget: not enough for any of these."]


def test_a_person_with_several_rows():
    columns = {**COLUMNS, "day": nl.Public()}
    schema = nl.Schema(columns, unit="who", rows=3, order_by="day")
    with nl.Curator.open(TABLE, schema, budget=30, table="t") as curator:
        said = "\n".join(worth(curator))
        assert "since each person is in one of them" not in said
        assert re.search(r"\d+ means like AVG\(age\)", said)


def test_names_that_a_terminal_would_act_on():
    table = pa.table({"a\x1b[31m": [1, 2, 3]})
    with nl.Curator.open(table, nl.Schema({"a\x1b[31m": nl.Integer(0, 9)}), budget=3, table="t") as curator:
        assert "\x1b" not in "".join(worth(curator))


def test_missing_values_apart():
    """The error of a mean then depends on how many there are, which is private."""
    with nl.Curator.open(TABLE, nl.Schema(age=nl.Integer(0, 120, missing="apart")), budget=9, table="t") as curator:
        said = "\n".join(worth(curator))
        assert "with an error that depends on how many values are missing" in said
