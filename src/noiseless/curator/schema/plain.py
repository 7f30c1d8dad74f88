"""Texts and paths that every file, database and terminal can handle."""

from __future__ import annotations

import os
import re
from pathlib import Path

LONGEST_NAME, LONGEST_PATH = 1000, 4096


def why_not(text: object, longest: int = LONGEST_NAME) -> str | None:
    """What is wrong with a text that will be stored, for an error message; None if nothing is.

    >>> why_not("height"), why_not(5), why_not("a" * 1001)
    (None, 'must be a text, not int', 'has more than 1000 characters')
    """
    if not isinstance(text, str):
        return f"must be a text, not {type(text).__name__}"
    if len(text) > longest:
        return f"has more than {longest} characters"
    if "\x00" in text or not (text.isascii() or _whole(text)):
        return "contains a NUL or half of a character, so it cannot be stored or shown"
    return None


def why_no_path(path: object) -> str | None:
    """What is wrong with a path or URL, for an error message; None if nothing is."""
    if not isinstance(path, (str, Path)):
        return f"must be a path, not {type(path).__name__}"
    if wrong := why_not(str(path), LONGEST_PATH):
        return wrong
    if any(len(os.fsencode(part)) > 255 for part in str(path).split("/")):
        return "has a part of more than 255 bytes, which no file system allows"
    return None


def name_text(name: str) -> str:
    """A name as SQL, in quotes where it needs them.

    >>> name_text("pay"), name_text("pay 2020")
    ('pay', '"pay 2020"')
    """
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name) else '"{}"'.format(name.replace('"', '""'))


def _whole(text: str) -> bool:
    """Whether a text has no lone surrogates, so that it can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
