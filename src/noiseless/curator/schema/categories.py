"""Private columns of a few named values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noiseless.curator.schema.plain import why_not
from noiseless.errors import SchemaError

Key = str | int | bool
"""What names a category or a public group."""
NEVER: Literal["never"] = "never"
"""Missing values are promised not to occur."""


def checked_keys(keys: tuple[object, ...], what: str) -> tuple[Key, ...]:
    """Texts or whole numbers, all of one kind and all different."""
    if not all(isinstance(key, (str, int)) for key in keys) or len({type(key) for key in keys}) > 1:
        raise SchemaError(f"the values of a {what} must be all texts or all whole numbers, as Category('no', 'yes')")
    if wrong := next((wrong for key in keys if isinstance(key, str) and (wrong := why_not(key))), None):
        raise SchemaError(f"a value of a {what} {wrong}; name it by a plain text")
    if any(isinstance(key, int) and abs(key) >= 1 << 63 for key in keys):
        raise SchemaError(f"the whole numbers of a {what} must be below 2^63; name them as texts")
    if len(set(keys)) < len(keys):
        raise SchemaError(f"the values of a {what} must differ from each other; one is named twice")
    return keys  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, init=False)
class Category:
    """A private column with few values, named in a fixed order.

    `missing` names the value that missing ones count as, and `other` the one for values that are not declared; if they
    are none of the others they are one more. Without them such values are promised not to occur, which is verified
    before the ledger begins.

    >>> Category("no", "yes", other="other", missing="unknown").keys
    ('no', 'yes', 'other', 'unknown')
    """

    keys: tuple[Key, ...]
    missing: Key
    other: Key | None
    own_missing: bool
    """Whether missing values can be told from others; only then has IS NULL a meaning."""

    def __init__(self, *values: Key, missing: Key | None = NEVER, other: Key | None = None) -> None:
        missing = NEVER if missing is None else missing
        named = values if other is None or other in values else (*values, other)
        keys = named if missing == NEVER or missing in named else (*named, missing)
        object.__setattr__(self, "keys", checked_keys(keys, "Category"))
        object.__setattr__(self, "missing", missing)
        object.__setattr__(self, "other", other)
        object.__setattr__(self, "own_missing", missing != NEVER and missing not in values)
        if len(keys) < 2:
            raise SchemaError("a Category needs at least two values, such as Category('no', 'yes')")

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
        """Every value has a code, a missing one too."""
        return False

    @property
    def missing_code(self) -> int | None:
        """The code of missing values; against a promise, that of everything else, or the first."""
        return self.other_code or 0 if self.missing == NEVER else self.keys.index(self.missing)

    @property
    def other_code(self) -> int | None:
        """The code of everything else, if it is declared."""
        return None if self.other is None else self.keys.index(self.other)


@dataclass(frozen=True, slots=True)
class Boolean:
    """A private truth value. `missing` is "never", which is a promise, "apart", or what missing ones count as."""

    missing: bool | Literal["apart", "never"] = NEVER

    def __post_init__(self) -> None:
        if self.missing is None:
            object.__setattr__(self, "missing", NEVER)
        if type(self.missing) is not bool and self.missing not in ("apart", NEVER):
            raise SchemaError(f"missing={self.missing!r} of a Boolean must be true, false, 'apart' or 'never'")

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
        """The code of a missing value; None if it has none."""
        return None if self.apart else int(self.missing is True)
