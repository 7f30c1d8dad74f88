"""A number with its noun."""

from __future__ import annotations


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun in the singular or plural.

    >>> plural(1, "class", "classes"), plural(2, "class", "classes"), plural(0, "row")
    ('1 class', '2 classes', '0 rows')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
