"""From named values to the places of their keys: one comparison for each of a few keys, a table of keys for many.

Databases try the branches of a CASE one after the other, for every row. Many keys are looked up in a table that is
joined to the rows. It is written as one text and split by the database: nothing is created, so a role that may only
read can use it. Where two keys are compared with the same value, the first counts, as in a CASE.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.schema import Schema

if TYPE_CHECKING:
    import ibis.expr.types as ir

FEW = 50
"""Up to this number of keys, a CASE is as fast as a table of keys."""
EXACT_INTEGER = 1 << 53
PLAIN_NUMBER = r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?"
MARKS = tuple(map(chr, (0x1F, 0x1E, *range(0xE000, 0xF8FF))))
"""Characters that may separate keys or mark a missing one. Only characters that no key contains are used."""

Double = Callable[[Any], Any]
"""How an engine turns numbers into doubles without failing."""
Compared = str | int | float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A value, and the place of the key that it stands for if it equals something."""

    value: Any
    places: Mapping[Compared, int]

    @property
    def kind(self) -> str | None:
        """The type of a column of keys to compare with. None if a database might round or pad one of the two."""
        given = self.value.type()
        if given.is_string():
            return None if any(str(key).endswith(" ") for key in self.places) else "string"
        if given.is_floating():
            exact = all(isinstance(key, float) or abs(int(key)) <= EXACT_INTEGER for key in self.places)
            return "float64" if exact else None
        return "int64" if given.is_integer() else None


def comparisons(keys: tuple[Key, ...], source: Any, texts: bool, double: Double) -> list[Comparison]:
    """What a value is compared with, most important first. The keys are texts or whole numbers."""
    if not isinstance(keys[0], str):
        return [_as_number(keys, source, texts, double)]
    numbers = _numbers(keys)
    if texts:  # a text may spell the number of a key differently
        spelled = Comparison(source.cast("string"), _first((key, place) for place, key in enumerate(keys)))
        other = [Comparison(source.try_cast("float64"), _first((float(n), place) for n, place in numbers))]
        return [spelled, *(other if numbers else [])]
    return [_as_text(keys, numbers, source, double)]


def _as_text(keys: tuple[Key, ...], numbers: list[tuple[Fraction, int]], source: Any, double: Double) -> Comparison:
    """A number stands for the key written as that number, however it is stored: 1, 1.0 and 1.00 are '1'."""
    given = source.type()
    whole = given.is_integer()
    numbers = [pair for pair in numbers if not whole or (pair[0].denominator == 1 and abs(pair[0]) < 1 << 63)]
    if not given.is_numeric() or not numbers:
        return Comparison(source.cast("string"), _first((key, place) for place, key in enumerate(keys)))
    if whole:
        return Comparison(source, _first((int(number), place) for number, place in numbers))
    return Comparison(double(source), _first((float(number), place) for number, place in numbers))


def _numbers(keys: tuple[Key, ...]) -> list[tuple[Fraction, int]]:
    """The keys that are written as numbers, with their places."""
    plain = re.compile(PLAIN_NUMBER).fullmatch
    return [(Fraction(str(key)), place) for place, key in enumerate(keys) if plain(str(key))]


def _as_number(keys: tuple[Key, ...], source: Any, texts: bool, double: Double) -> Comparison:
    """Compare numbers as doubles, unless keys are too large to be exact.

    Floats of any width are compared as doubles.
    """
    places = _first((int(key), place) for place, key in enumerate(keys))
    exact = all(abs(int(key)) <= EXACT_INTEGER for key in keys)
    if texts:
        return Comparison(source.try_cast("float64" if exact else "int64"), places)
    number = counted_truth(source)
    return Comparison(double(number) if exact or number.type().is_floating() else number, places)


def counted_truth(source: Any) -> Any:
    """Truth values as 1 and 0; not every engine can cast them."""
    import ibis

    return ibis.cases((source, 1), (~source, 0)) if source.type().is_boolean() else source


def _first(pairs: Any) -> dict[Compared, int]:
    places: dict[Compared, int] = {}
    for compared, place in pairs:
        places.setdefault(compared, place)
    return places


def in_turn(compared: list[Comparison], otherwise: Any) -> Any:
    """The place of a key, by one comparison for each key."""
    import ibis

    if len(compared) == 1:
        return compared[0].value.cases(*compared[0].places.items(), else_=otherwise)
    cases = [(each.value == key, place) for each in compared for key, place in each.places.items()]
    return ibis.cases(*cases, else_=otherwise)


def looked_up(
    rows: ir.Table, schema: Schema, texts: frozenset[str], loose: frozenset[str], double: Double
) -> tuple[ir.Table, dict[str, str]]:
    """The rows with one more column for each column of many keys, null for other values; and the names of these.

    In a `loose` column different texts may be equal for the database, so a row might find two keys.
    """
    import ibis

    found: dict[str, str] = {}
    for name, column in schema.columns.items():
        keys = getattr(column, "keys", ())
        if len(keys) <= FEW or name in loose:
            continue
        compared = comparisons(keys, rows[name], name in texts, double)
        tables = [_table(each) for each in compared]
        if any(table is None for table in tables):
            continue
        given, places = list(rows.columns), []
        for each, table in zip(compared, tables, strict=True):
            key, place = _unused("key", rows), _unused("place", rows)
            assert table is not None
            beside = table.rename({key: "key", place: "place"})
            rows = rows.left_join(beside, each.value == beside[key]).drop(key)
            places.append(place)
        found[name] = _unused("found", rows)
        one = rows[places[0]] if len(places) == 1 else ibis.coalesce(*(rows[place] for place in places))
        rows = rows.select(*given, one.name(found[name]))
    return rows, found


def _table(compared: Comparison) -> ir.Table | None:
    """A table of keys and their places; None if there is no sure way to write it."""
    import ibis

    kind = compared.kind
    listed = [repr(key) if isinstance(key, float) else str(key) for key in compared.places]
    contained = set().union(*listed)
    between, nothing = ([mark for mark in MARKS if mark not in contained] + [None, None])[:2]
    if kind is None or between is None or nothing is None:
        return None
    written = [nothing] * (1 + max(compared.places.values()))
    for text, place in zip(listed, compared.places.values(), strict=True):
        written[place] = text
    table = ibis.literal(between.join(written)).split(between).name("key").as_table().unnest("key", offset="place")
    key = table.key.nullif(nothing) if len(listed) < len(written) else table.key
    return table.select(key=key.cast(kind), place=table.place.cast("int64"))


def _unused(name: str, rows: ir.Table) -> str:
    """The name of a new column. Not all databases distinguish upper and lower case."""
    used, place = {column.lower() for column in rows.columns}, 0
    while (tried := f"noiseless_{name}_{place}") in used:
        place += 1
    return tried
