"""What is left of a budget in plain words: what it could buy, from previews of real questions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.app.names import quoted, shown_name
from noiseless.app.purchases import BITS, QUIET
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.errors import NoiselessError
from noiseless.exact.readable import bits_shown
from noiseless.exact.rounding import significant

if TYPE_CHECKING:
    from noiseless import Curator
    from noiseless.curator.answer.answer import Preview


def worth(curator: Curator) -> list[str]:
    """Sentences for the custodian. Every number in them comes from a free preview."""
    sentences = [*_of_means(curator), *_of_groups(curator), *_of_counts(curator), *_of_copy(curator)]
    bits = f"{curator.remaining:.4g}"
    left = f"{bits} bit{' per person is' if bits == '1' else 's per person are'} left of the budget"
    if not sentences:
        return [f"{left}: not enough for any of these."]
    return [f"{left}. They buy any one of these:", *(f"  - {each}" for each in sentences)]


def _of_means(curator: Curator) -> Iterator[str]:
    table, means = quoted(curator.name), _means(curator)
    if not means:
        return
    one = f"SELECT AVG({quoted(means[0])}) FROM {table}"
    if cheap := _cheapest(curator, one):
        number = int(curator.remaining // cheap.cost)
        like = f"{'mean' if number == 1 else 'means'} like AVG({shown_name(means[0])})"
        yield f"{number} {like}, {_error(cheap.error)} over all rows: {bits_shown(cheap.factor)} each, or less"
    if (quiet := _preview(curator, one, QUIET[-1])) and quiet.chance is not None:
        loud = f"{bits_shown(quiet.dearest)} if loud (chance {float(100 * quiet.chance):.2g} %)"
        prices = f"{bits_shown(quiet.factor)} each if quiet, or {loud}"
        yield f"means like AVG({shown_name(means[0])}), {_error(quiet.error)} over all rows: {prices}"
    if finest := _preview(curator, one, curator.remaining):
        yield f"AVG({shown_name(means[0])}) once, {_error(finest.error)}: {bits_shown(finest.factor)}"
    if means[1:]:
        both = f"SELECT AVG({quoted(means[0])}), AVG({quoted(means[1])}) FROM {table}"
        if cheap := _cheapest(curator, both):
            price = f"{bits_shown(cheap.factor)} for both, since each person is in both"
            yield f"means of two columns, such as AVG({shown_name(means[0])}) and AVG({shown_name(means[1])}): {price}"


def _of_groups(curator: Curator) -> Iterator[str]:
    means, public = _means(curator), next(iter(curator.schema.public), None)
    if not means or public is None:
        return
    group = quoted(public)
    sql = f"SELECT {group}, AVG({quoted(means[0])}) FROM {quoted(curator.name)} GROUP BY {group}"
    if cheap := _cheapest(curator, sql):
        why = ", since each person is in one of them" if curator.schema.rows == 1 else ""
        price = f"{bits_shown(cheap.factor)} for all {len(cheap.rows)} groups{why}"
        yield f"AVG({shown_name(means[0])}) of each {shown_name(public)}, {_error(cheap.error)}: {price}"


def _of_counts(curator: Curator) -> Iterator[str]:
    kinds = (Category, Boolean)
    name = next((name for name, column in curator.schema.private.items() if isinstance(column, kinds)), None)
    if name is None:
        return
    column = quoted(name)
    sql = f"SELECT {column}, COUNT(*) FROM {quoted(curator.name)} GROUP BY {column}"
    if cheap := _cheapest(curator, sql):
        yield f"the number of rows with each {shown_name(name)}, {_error(cheap.error)}: {bits_shown(cheap.factor)}"


def _of_copy(curator: Curator) -> Iterator[str]:
    try:
        copy = curator.preview_release(bits=curator.remaining)
    except NoiselessError:
        return
    if copy.affordable and copy.factor > 1:
        errors = ", ".join(f"{shown_name(name)} {_error(error)}" for name, error in copy.errors.items())
        yield f"a copy of all rows{f' with {errors}' if errors else ''}: {bits_shown(copy.factor)}"


def _means(curator: Curator) -> list[str]:
    columns = curator.schema.private.items()
    return [name for name, column in columns if isinstance(column, Scale) and not isinstance(column, Date)]


def _cheapest(curator: Curator, sql: str) -> Preview | None:
    """The preview at the lowest of the usual prices that is enough."""
    return next((found for bits in BITS if (found := _preview(curator, sql, bits))), None)


def _preview(curator: Curator, sql: str, bits: Any) -> Preview | None:
    try:
        found = curator.preview(sql, bits=bits)
    except NoiselessError:
        return None
    return found if found.affordable and found.factor > 1 else None


def _error(error: Any) -> str:
    if error is None:
        return "with an error that depends on how many values are missing"
    return "exactly" if error == 0 else f"±{significant(Fraction(error), 3, 'upper')}"
