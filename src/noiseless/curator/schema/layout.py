"""The layout of a text file: what separates its fields, and whether its first line holds column names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noiseless.curator.schema.plain import why_not
from noiseless.errors import SchemaError

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", " ": "a space"}
"""Supported delimiters. Each may be followed by one space, except the space itself."""
LONGEST_RECORD = 1 << 20
"""The longest record of a text file in bytes; the database's own limit is higher."""
ALLOWED = {mark + space for mark in DELIMITERS for space in ("", " ") if mark != " " or not space}


@dataclass(frozen=True, slots=True)
class Layout:
    """The declared layout of a text file. What is not declared follows from the file name, never from the content.

    `names` are the names of the columns from left to right. With declared names the first line is data, unless `header`
    says that it holds names too; then it is skipped.

    >>> Layout().delimiter_of("people.tsv"), Layout(", ").delimiter_of("adult.data")
    ('\\t', ', ')
    >>> Layout().first_is_data, Layout(names=("age", "pay")).first_is_data
    (False, True)
    """

    delimiter: str | None = None
    names: tuple[str, ...] | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and self.delimiter not in ALLOWED:
            known = ", ".join(f"{mark!r}" for mark in DELIMITERS)
            raise SchemaError(
                f"delimiter={self.delimiter!r} is not supported; use one of {known}, all but the last also with a "
                f"space after it"
            )
        if self.names is not None and (wrong := why_not_names(self.names)):
            raise SchemaError(f"names: {wrong}; give every column of the file a different name, from left to right")
        if self.header is False and self.names is None:
            raise SchemaError(
                "header = false needs names; add names = ['age', 'pay', …] with one for every column of the file"
            )

    @property
    def first_is_data(self) -> bool:
        """Whether the first line is a row of data."""
        return self.names is not None and not self.header

    @property
    def says_names(self) -> bool:
        """Whether the layout declares where the column names are."""
        return self.names is not None or self.header is not None

    def delimiter_of(self, file: str) -> str:
        """The delimiter of a file with this name."""
        return self.delimiter or ("\t" if file.lower().removesuffix(".gz").endswith(".tsv") else ",")


PLAIN = Layout()
"""The layout without any declaration."""


def why_not_names(names: Sequence[str]) -> str | None:
    """What is wrong with the names of columns, by position; None if nothing is.

    The names themselves are not quoted: the first line of a file may be a person's data.

    >>> why_not_names(["age", "", "Age"]), why_not_names(["age", "pay", "Age"])
    ('column 2 has no name', 'columns 1 and 3 have the same name, or differ only in upper and lower case')
    """
    if not names:
        return "there are no columns"
    for place, name in enumerate(names, 1):
        if not isinstance(name, str) or not name.strip():
            return f"column {place} has no name"
        if wrong := why_not(name):
            return f"the name of column {place} {wrong}"
    return same_names([name.strip() for name in names])


def same_names(names: Sequence[str]) -> str | None:
    """The columns that a database would confuse, by position. None if there are none."""
    places: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if (first := places.setdefault(name.lower(), place)) != place:
            return f"columns {first} and {place} have the same name, or differ only in upper and lower case"
    return None
