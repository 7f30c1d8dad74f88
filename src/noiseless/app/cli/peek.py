"""A summary of the values in a table, for the custodian only: it is written to a file that only its owner can read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from noiseless.app.guesses import people_keys
from noiseless.app.looking import Looked
from noiseless.errors import EngineError, SourceError

WARNING = (
    "FOR THE CUSTODIAN ONLY. Do not share this file: it holds values of single people. Bounds, steps and values in "
    "the schema should come from public knowledge, not from here.\n"
)
LISTED = 50
"""The most values of a column that are listed."""


def peek(found: Looked) -> str:
    """The summary: ranges, values and missing values; for columns that may identify a person, the rows per person."""
    keys = people_keys(found.columns)
    parts = [_summary(found, name, name in keys) for name in found.columns]
    [(rows,)] = found.engine.fetch(found.source.table.aggregate(n=found.source.table.count()))
    return "\n".join([WARNING, f"{rows} rows\n", *parts])


def _summary(found: Looked, name: str, person: bool) -> str:
    try:
        return _of_person(found, name) if person else _of_column(found, name)
    except EngineError:  # a kind of column that the database cannot compare
        return f"{_shown(name)}: of a type that cannot be summarised\n"


def write_for_owner(path: Path, text: str) -> None:
    """Write a new file of mode 0600; never through a link, never over another file."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except FileExistsError:
        raise SourceError(f"{str(path)!r} exists already; name another file with --peek") from None
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def _of_person(found: Looked, name: str) -> str:
    import ibis

    table = found.source.table
    groups = table.group_by(whose=table[name]).aggregate(n=lambda rows: rows.count())
    named = groups.filter(groups.whose.notnull())
    facts = named.aggregate(people=named.count(), most=named.n.max(), fewest=named.n.min())
    [(people, most, fewest)] = found.engine.fetch(facts)
    [(absent,)] = found.engine.fetch(table.aggregate(n=ibis.ifelse(table[name].isnull(), 1, 0).sum()))
    return (
        f"{_shown(name)}: seems to identify a person\n"
        f"  {people} different values, with {fewest or 0} to {most or 0} rows each; {absent or 0} rows without one\n"
    )


def _of_column(found: Looked, name: str) -> str:
    facts = _facts(found, name)
    lines = [f"{_shown(name)}: {_kind(facts)}", f"  {facts['missing']} missing, {facts['different']} different values"]
    if facts["numbers"]:
        lines.append(f"  numbers from {facts['lowest']:.15g} to {facts['highest']:.15g} ({facts['numbers']} values)")
    if facts["days"]:
        lines.append(f"  days from {facts['first']} to {facts['last']} ({facts['days']} values)")
    if facts["padded"]:
        lines.append(
            f"  {facts['padded']} values begin or end with a space; if all do, declare delimiter = ', ' or similar"
        )
    if facts["different"] <= LISTED:
        table = found.source.table
        counted = table.group_by(value=table[name]).aggregate(n=lambda rows: rows.count()).limit(LISTED + 1)
        seen = sorted(found.engine.fetch(counted), key=lambda row: (-row[1], str(row[0])))
        lines.append(f"  values: {', '.join(f'{_shown(value)} ({n})' for value, n in seen if value is not None)}")
    return "\n".join(lines) + "\n"


def _facts(found: Looked, name: str) -> dict[str, Any]:
    import ibis

    value, given = found.source.table[name], found.columns[name]
    texts = given is None or given.is_string()
    none = ibis.null("float64")
    number = value.try_cast("float64") if given is None else value if given.is_numeric() else none
    day = value.try_cast("date") if given is None else value if given.is_date() or given.is_timestamp() else none
    whole = number.cast("float64") % 1 == 0
    wanted = {
        "rows": found.source.table.count(),
        "missing": ibis.ifelse(value.isnull(), 1, 0).sum(),
        "different": value.nunique(),
        "numbers": number.count(),
        "whole": ibis.ifelse(whole, 1, 0).sum(),
        "lowest": number.min(),
        "highest": number.max(),
        "days": day.count(),
        "first": day.min(),
        "last": day.max(),
        "padded": ibis.ifelse(value != value.strip(), 1, 0).sum() if texts else ibis.literal(0),
    }
    [row] = found.engine.fetch(found.source.table.aggregate(**wanted))
    facts = dict(zip(wanted, row, strict=True))
    counts = ("missing", "different", "numbers", "whole", "days", "padded")
    return facts | {what: int(facts[what] or 0) for what in counts}


def _kind(facts: dict[str, Any]) -> str:
    """What most values look like."""
    present = facts["rows"] - facts["missing"]
    if not present:
        return "all missing"
    number = ("whole numbers", "integer") if facts["whole"] == facts["numbers"] else ("numbers", "real")
    for what, (words, kind) in (("days", ("dates", "date")), ("numbers", number)):
        if facts[what] == present:
            return f'{words}, kind = "{kind}"'
        if facts[what] * 2 > present:
            return f'mostly {words}, kind = "{kind}"; {present - facts[what]} of {present} are something else'
    return 'one of a few values, kind = "category"' if facts["different"] <= LISTED else "texts"


def _shown(value: Any) -> str:
    return json.dumps(value if isinstance(value, (str, int, float)) else str(value), ensure_ascii=False)
