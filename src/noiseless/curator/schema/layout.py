"""How a text file is laid out: what separates its fields, and whether its first line has the names of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noiseless.curator.schema.plain import why_not
from noiseless.errors import SchemaError

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", " ": "a space"}
"""What may separate fields, with one space after it or without."""
ALLOWED = {mark + space for mark in DELIMITERS for space in ("", " ") if mark != " " or not space}


@dataclass(frozen=True, slots=True)
class Layout:
    """What is declared of a text file; what is left out follows from the name of the file, never from its content.

    `names` are those of the columns from left to right. Unless `header` says that the first line has names as well,
    which are then passed over, the first line of a file with declared names is data.

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
                f"delimiter={self.delimiter!r} must be one of {known}; all but the last also with a space"
            )
        if self.names is not None and (wrong := why_not_names(self.names)):
            raise SchemaError(f"names: {wrong}; give every column of the file a name of its own, from left to right")
        if self.header is False and self.names is None:
            raise SchemaError("header = false needs names = ['age', 'pay', …], one for every column of the file")

    @property
    def first_is_data(self) -> bool:
        """Whether the first line is a row."""
        return self.names is not None and not self.header

    @property
    def says_names(self) -> bool:
        """Whether anything is declared of where the names are."""
        return self.names is not None or self.header is not None

    def delimiter_of(self, file: str) -> str:
        """What separates the fields of a file of this name."""
        return self.delimiter or ("\t" if file.lower().removesuffix(".gz").endswith(".tsv") else ",")


PLAIN = Layout()
"""Nothing is declared."""


def why_not_names(names: Sequence[str]) -> str | None:
    """What is wrong with the names of columns, by their places; None if nothing is.

    The names are not repeated: the first line of a file may be a person's.

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
    """Which columns a database would take for one, by their places; None if there are none."""
    places: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if (first := places.setdefault(name.lower(), place)) != place:
            return f"columns {first} and {place} have the same name, or differ only in upper and lower case"
    return None
