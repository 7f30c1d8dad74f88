"""docs/sql_coverage.md: a row for each question, and who answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.coverage.others import Offer, offers
from benchmarks.coverage.verdict import Verdict

PEOPLE: dict[str, tuple[str, str | None, set[str]]] = {
    # schema: private table, column of its people, tables with one row for each of them
    "people": ("people", None, set()),
    "stays": ("stays", "patient", {"patients"}),
    "meters": ("readings", "home", {"homes"}),
    "trips": ("trips", None, set()),
}
TITLES = {
    "people": "A survey: one row for each person",
    "stays": "Hospital stays: up to 3 rows for each patient",
    "meters": "Smart meters: 28 rows for each home",
    "trips": "Taxi trips: one row for each person",
}
INTRODUCTION = """# Which SQL is answered

Two hundred questions about four tables, as analysts write them. They were written down before any of them was tried,
and the tests run them all. Made by `make bench-coverage`.

*Price* is what a question is charged on a new ledger, in bits, if it may have 6 bits (12, 24 or 48 where 6 are not
enough). A subquery in a condition is a separate step, and may have as many. *Certain error* is half of the widest
interval of each of its numbers: the truth is never further away. The tables are synthetic, so this can be checked, and
the tests do.

SmartNoise SQL {version} was asked the same texts, on the same tables in SQLite, with views as tables; only `public.`
was put before names of tables. OpenDP and Tumult Analytics have no SQL for these texts, but expressions and builders of
queries. Their columns are read from their documentation, construct by construct (`benchmarks/coverage/others.py`):
*by hand* means that an analyst can compute it from what the library releases. The
three add noise, so their answers and errors are of another kind.
"""
HEAD = """| | question | price | certain error | SmartNoise SQL | OpenDP | Tumult Analytics |
|---|---|---|---|---|---|---|
"""
OFFERS = {Offer.YES: "yes", Offer.BY_HAND: "by hand", Offer.NO: "no"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, our verdict, and why SmartNoise SQL refused it, if it did."""

    ours: Verdict
    smartnoise: str


def page(asked: Sequence[Asked], version: str) -> str:
    """The whole page."""
    schemas = dict.fromkeys(each.ours.schema for each in asked)
    parts = [
        f"\n## {TITLES[schema]}\n\n{HEAD}" + "".join(_row(each) for each in asked if each.ours.schema == schema)
        for schema in schemas
    ]
    refused = [f"- {each.ours.schema} {each.ours.place}: {each.ours.refused}\n" for each in asked if each.ours.refused]
    return (
        INTRODUCTION.format(version=version)
        + _summary(asked)
        + "".join(parts)
        + "\n## What is refused, and why\n\n"
        + "".join(refused)
    )


def ours(verdict: Verdict) -> str:
    """The beginning of a row, which the tests compare with what they find."""
    price, error = (verdict.price, _errors(verdict)) if verdict.accepted else ("refused", "")
    return f"| {verdict.place} | `{verdict.sql.replace('|', '&#124;')}` | {price} | {error} |"


def _summary(asked: Sequence[Asked]) -> str:
    found = [offers(each.ours.sql, *PEOPLE[each.ours.schema]) for each in asked]
    opendp, tumult = ([each[library][0] for each in found] for library in (0, 1))
    return f"""
| | answered | by hand | of |
|---|---|---|---|
| noiseless | {sum(each.ours.accepted for each in asked)} | | {len(asked)} |
| SmartNoise SQL | {sum(not each.smartnoise for each in asked)} | | {len(asked)} |
| OpenDP, from its documentation | {opendp.count(Offer.YES)} | {opendp.count(Offer.BY_HAND)} | {len(asked)} |
| Tumult Analytics, from its documentation | {tumult.count(Offer.YES)} | {tumult.count(Offer.BY_HAND)} | {len(asked)} |
"""


def _row(each: Asked) -> str:
    opendp, tumult = offers(each.ours.sql, *PEOPLE[each.ours.schema])
    smartnoise = f"no: {_short(each.smartnoise)}" if each.smartnoise else "yes"
    return f"{ours(each.ours)} {smartnoise} | {_offer(*opendp)} | {_offer(*tumult)} |\n"


def _offer(offer: Offer, construct: str) -> str:
    return OFFERS[offer] if offer is Offer.YES else f"{OFFERS[offer]}: {construct}"


def _errors(verdict: Verdict) -> str:
    shown = dict.fromkeys(_error(half) for _, half in verdict.errors)
    return ", ".join(shown) or "exact"


def _error(half: Fraction) -> str:
    if not half:
        return "exact"
    return f"± {round(half):,}" if half >= 1000 else f"± {float(half):.3g}"


def _short(reason: str) -> str:
    """The error without its type, cut where it gets long."""
    text = reason.partition(": ")[2].partition(" Message:")[0].replace("|", "&#124;").replace("`", "'")
    return f"`{text[:60].rstrip()}…`" if len(text) > 60 else f"`{text.rstrip()}`"
