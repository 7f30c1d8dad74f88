"""The rows of a view with one row for each person, as an expression over the custodian's table on any engine.

Only whole numbers are added up, so that every engine finds the same sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from noiseless.curator.dataset.tables import derived_codes, fields
from noiseless.curator.engines.engine import Engine
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.person import Measure, PerPerson
from noiseless.curator.schema.derived import is_derived
from noiseless.curator.sources.codes import code
from noiseless.curator.sources.source import Source

PERSON, ROWS = "person", "rows"


def per_person(engine: Engine, source: Source, rows: Any, places: Mapping[str, str], view: PerPerson) -> Source:
    """One row for each person, with the values of all measures."""
    base = view.base
    assert base.unit is not None
    names, made = fields(base), derived_codes(engine, base)
    coded = [
        code(
            column, rows[name], name in source.texts, engine.double, rows[places[name]] if name in places else None
        ).name(names[name])
        for name, column in base.columns.items()
        if name in names and not is_derived(column)
    ]
    found = rows.select(rows[base.unit].name(PERSON), *coded)
    found = engine.with_columns(found, made) if made else found
    functions = {
        f"f{place}": _clamped(measure.column, engine, names)
        for place, measure in enumerate(view.measures)
        if measure.column is not None
    }
    found = engine.with_columns(found, functions) if functions else found
    sums = {ROWS: found.count()}
    for name in functions:
        column = found[name].cast("int64")
        ways = {"sum": column.sum(), "count": column.count(), "min": column.min(), "max": column.max()}
        sums |= {f"{name}_{way}": number.cast("int64") for way, number in ways.items()}
    people = found.group_by(PERSON).aggregate(**sums)
    columns = [_value(people, f"f{place}", each).name(each.label) for place, each in enumerate(view.measures)]
    return Source(view.name, people.select(*columns), known_columns=source.known_columns)


def _clamped(column: Derived, engine: Engine, names: Mapping[str, str]) -> str:
    """The steps of a function above its lowest value."""
    text = column.code(engine.dialect, names.__getitem__)
    return f"CAST(CASE WHEN {text} < 0 THEN 0 WHEN {text} > {column.top} THEN {column.top} ELSE {text} END AS BIGINT)"


def _value(people: Any, name: str, measure: Measure) -> Any:
    """The value of a measure as the nearest double."""
    if measure.column is None:
        return people[ROWS].cast("int64")
    count, low, step = people[f"{name}_count"], measure.column.low, measure.column.step
    match measure.way:
        case "COUNT":
            return count.cast("int64")
        case "SUM" | "AVG":
            unit = _unit(low, step)
            whole = people[f"{name}_sum"] * int(step / unit) + count * int(low / unit)
            return _quotient(whole, unit, count if measure.way == "AVG" else None)
        case "RANGE":
            return _quotient(people[f"{name}_max"] - people[f"{name}_min"], step)
    unit = _unit(low, step)
    return _quotient(people[f"{name}_{measure.way.lower()}"] * int(step / unit) + int(low / unit), unit)


def _unit(low: Fraction, step: Fraction) -> Fraction:
    """The largest number that divides both."""
    bottom = lcm(low.denominator, step.denominator)
    return Fraction(gcd(int(low * bottom), int(step * bottom)), bottom)


def _quotient(whole: Any, unit: Fraction, count: Any = None) -> Any:
    """whole·unit, or whole·unit/count if there is a count. It is rounded once: a quotient of two whole doubles."""
    top = (whole * unit.numerator).cast("int64").cast("float64")
    if count is None:
        return top / float(unit.denominator)
    return top / (count.nullif(0) * unit.denominator).cast("int64").cast("float64")
