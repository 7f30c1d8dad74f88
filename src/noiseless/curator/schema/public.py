"""Columns that everyone may know, row by row."""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.curator.schema.categories import Key, checked_keys, keys_shown
from noiseless.errors import SchemaError


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Public:
    """A public column with its declared keys. Questions can group by it and filter on it.

    Missing values and values that are not declared become the key `other`; without it the table is refused.
    A column without keys only orders rows.

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
            raise SchemaError(
                f"other={other!r} needs keys, because a column without keys only orders rows; add keys, or leave "
                f"other out"
            )

    def __repr__(self) -> str:
        listed, other = self.keys, ""
        if self.other is not None:
            listed, other = (listed[:-1] if listed[-1] == self.other else listed), f", other={self.other!r}"
        return f"Public({keys_shown(listed)}{other})"

    @property
    def top(self) -> int:
        """The largest code of a key."""
        return len(self.keys) - 1

    @property
    def other_code(self) -> int | None:
        """The code of values that are not declared, if `other` is given."""
        return None if self.other is None else self.keys.index(self.other)
