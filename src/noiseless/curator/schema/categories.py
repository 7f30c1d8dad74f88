"""Private columns with a few named values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noiseless.curator.schema.plain import why_not
from noiseless.errors import SchemaError

Key = str | int | bool
"""A value of a category, or a public key."""
NEVER: Literal["never"] = "never"
"""The promise that no value is missing."""


def checked_keys(keys: tuple[object, ...], what: str) -> tuple[Key, ...]:
    """Require texts or whole numbers, all of one type and all different."""
    if not all(isinstance(key, (str, int)) for key in keys) or len({type(key) for key in keys}) > 1:
        raise SchemaError(
            f"the values of a {what} must be all texts or all whole numbers; write them as Category('no', 'yes')"
        )
    if wrong := next((wrong for key in keys if isinstance(key, str) and (wrong := why_not(key))), None):
        raise SchemaError(f"a value of a {what} {wrong}; use a plain text")
    if any(isinstance(key, int) and abs(key) >= 1 << 63 for key in keys):
        raise SchemaError(f"the whole numbers of a {what} must be below 2^63; write them as texts")
    if len(set(keys)) < len(keys):
        raise SchemaError(f"the values of a {what} must differ, and one is listed twice; remove it")
    return keys  # type: ignore[return-value]


MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Category:
    """A private column with a few values, listed in a fixed order.

    `missing` is the value that missing ones count as, and `other` the value for those that are not declared. Both may
    be listed values or additional ones. Without them you promise that no such values occur; this is verified before the
    ledger begins.

    >>> Category("no", "yes", other="other", missing="unknown").keys
    ('no', 'yes', 'other', 'unknown')
    """

    keys: tuple[Key, ...]
    missing: Key
    other: Key | None
    own_missing: bool
    """Whether missing values have a value to themselves; IS NULL needs this."""

    def __init__(self, *values: Key, missing: Key | None = NEVER, other: Key | None = None) -> None:
        missing = NEVER if missing is None else missing
        named = values if other is None or other in values else (*values, other)
        keys = named if missing == NEVER or missing in named else (*named, missing)
        object.__setattr__(self, "keys", checked_keys(keys, "Category"))
        object.__setattr__(self, "missing", missing)
        object.__setattr__(self, "other", other)
        object.__setattr__(self, "own_missing", missing != NEVER and missing not in values)
        if len(keys) < 2:
            raise SchemaError("a Category needs at least two values; write them as Category('no', 'yes')")

    def __repr__(self) -> str:
        listed = self.keys[:-1] if self.own_missing else self.keys
        missing = "" if self.missing == NEVER else f", missing={self.missing!r}"
        other = "" if self.other is None else f", other={self.other!r}"
        return f"Category({keys_shown(listed[:-1] if listed[-1] == self.other else listed)}{missing}{other})"

    @property
    def top(self) -> int:
        """The largest code."""
        return len(self.keys) - 1

    @property
    def values(self) -> int:
        """D, how many different values a person can have."""
        return len(self.keys)

    @property
    def apart(self) -> bool:
        """False: every value has a code, also a missing one."""
        return False

    @property
    def missing_code(self) -> int | None:
        """The code of missing values; if the promise is broken, the code of `other`, or the first."""
        return self.other_code or 0 if self.missing == NEVER else self.keys.index(self.missing)

    @property
    def other_code(self) -> int | None:
        """The code of values that are not declared, if `other` is given."""
        return None if self.other is None else self.keys.index(self.other)


@dataclass(frozen=True, slots=True)
class Boolean:
    """A private truth value. `missing` is "never" (a promise), "apart" (kept separate) or what it counts as."""

    missing: bool | Literal["apart", "never"] = NEVER

    def __post_init__(self) -> None:
        if self.missing is None:
            object.__setattr__(self, "missing", NEVER)
        if type(self.missing) is not bool and self.missing not in ("apart", NEVER):
            raise SchemaError(
                f"missing={self.missing!r} of a Boolean is not valid; use true, false, 'apart' or 'never'"
            )

    @property
    def keys(self) -> tuple[Key, ...]:
        """False has code 0 and true has code 1."""
        return False, True

    @property
    def top(self) -> int:
        """The largest code."""
        return 1

    @property
    def apart(self) -> bool:
        """Whether missing values have no code."""
        return self.missing == "apart"

    @property
    def values(self) -> int:
        """D, how many different values a person can have."""
        return 2 + self.apart

    @property
    def missing_code(self) -> int | None:
        """The code of a missing value, or None."""
        return None if self.apart else int(self.missing is True)


def keys_shown(keys: tuple[Key, ...]) -> str:
    """The first few keys, and how many more there are.

    >>> keys_shown((1, 2)), keys_shown(tuple(range(9)))
    ('1, 2', '0, 1, 2, 3, 4, … 4 more')
    """
    more = f", … {len(keys) - MOST_SHOWN} more" if len(keys) > MOST_SHOWN else ""
    return ", ".join(map(repr, keys[:MOST_SHOWN])) + more
