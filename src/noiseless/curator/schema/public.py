"""Columns that everybody may know, row by row."""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.curator.schema.categories import Key, checked_keys
from noiseless.errors import SchemaError


@dataclass(frozen=True, slots=True, init=False)
class Public:
    """A public column with its declared keys, by which people may be grouped and chosen.

    Values that are no declared key, and missing ones, fall into the key `other`; without it the table is refused.
    A column without any keys only serves to order rows.

    >>> Public("north", "south", other="elsewhere").keys
    ('north', 'south', 'elsewhere')
    """

    keys: tuple[Key, ...]
    other: Key | None

    def __init__(self, *keys: Key, other: Key | None = None) -> None:
        named = keys if other is None or other in keys else (*keys, other)
        object.__setattr__(self, "keys", checked_keys(named, "Public"))
        object.__setattr__(self, "other", other)
        if other is not None and not keys:
            raise SchemaError(f"other={other!r} needs keys beside it; a column without keys only orders rows")

    @property
    def top(self) -> int:
        """The largest code of a key."""
        return len(self.keys) - 1

    @property
    def other_code(self) -> int | None:
        """The code of everything else, if it is declared."""
        return None if self.other is None else self.keys.index(self.other)
