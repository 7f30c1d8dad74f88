"""What a text means for a dataset: its plan, and the numbers behind it. Recent ones are remembered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.plan import Plan
from noiseless.curator.plan.recent import remember
from noiseless.curator.question.after.results import MOST_ROWS
from noiseless.curator.question.groups import grouped
from noiseless.curator.question.line import Line
from noiseless.curator.question.price import Prices
from noiseless.curator.question.resolve import resolve
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.example import suggesting
from noiseless.curator.sql.read import read
from noiseless.errors import TooLargeError

MOST_REMEMBERED = 200
LONGEST_REMEMBERED = 100
"""Questions with more lines than this are understood again each time: they would fill the memory."""
Meaning = tuple[Plan, Sequence[Line]]
PLANS: dict[tuple[str, str, int], tuple[Plan, Schema]] = {}
"""Recent plans by text, table and schema. They keep their schema, so that its id is not given to another one."""
T = TypeVar("T")


def meaning(text: str, dataset: Dataset, centred: bool = False, cell_by_cell: bool = True) -> Meaning:
    """The plan of a question, and one line for every row of its answer. Both follow from public facts."""
    key, known = (text, centred, cell_by_cell), dataset.understood
    if type(text) is str and key in known:
        found: Meaning = known[key]
        return found
    plan = _plan_of(text, dataset)
    with suggesting(text, dataset.schema, dataset.name):
        groups = None if Prices(dataset).celled else grouped(plan, dataset, centred)
        found = plan, groups or resolve(plan, dataset, centred, cell_by_cell)
        check_rows(plan, len(found[1]))
    if type(text) is str and len(found[1]) <= LONGEST_REMEMBERED:
        remember(known, key, found, MOST_REMEMBERED)
    return found


def _plan_of(text: str, dataset: Dataset) -> Plan:
    """The plan of a text. It follows from the schema alone, so datasets with one schema share those of recent texts."""
    if type(text) is not str or dataset.public_tables:
        return read(text, dataset.schema, dataset.name, dataset.public_tables)
    key = text, dataset.name, id(dataset.schema)
    if (known := PLANS.get(key)) is None:
        known = read(text, dataset.schema, dataset.name), dataset.schema
        remember(PLANS, key, known, MOST_REMEMBERED)
    return known[0]


def check_rows(plan: Plan, rows: int) -> None:
    """Refuse to compute with too many rows."""
    if plan.stages and rows > MOST_ROWS:
        raise TooLargeError(
            f"the question computes with the {rows} rows of its result, and at most {MOST_ROWS} are possible; group by "
            f"fewer columns, or compute with the answer"
        )


def concluded(dataset: Dataset, key: Hashable, lines: int, find: Callable[[], T]) -> T:
    """What `find` finds from public facts alone, remembered for recent questions."""
    known = dataset.concluded
    if key in known:
        earlier: T = known[key]
        return earlier
    found = find()
    if lines <= LONGEST_REMEMBERED:
        remember(known, key, found, MOST_REMEMBERED)
    return found
