"""Questions on the command line: each an argument, or in a file of SQL, separated by semicolons."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

SUFFIX = ".sql"


def questions_in(given: Iterable[str]) -> list[str]:
    """The questions, in their order. An argument that ends in .sql is a file of them."""
    return [question for each in given for question in (_in_file(Path(each)) if each.endswith(SUFFIX) else [each])]


def _in_file(path: Path) -> list[str]:
    from noiseless.errors import QuestionError

    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise QuestionError(f"{str(path)!r} is not UTF-8 text; save it as UTF-8") from None
    found = separated(text)
    if not found:
        raise QuestionError(f"{str(path)!r} has no questions; write SELECT … and end each with a semicolon")
    return found


def separated(text: str) -> list[str]:
    """The statements of a text, without comments.

    >>> separated("-- two\\nSELECT ';' FROM a; ; SELECT 2 -- the last")
    ["SELECT ';' FROM a", 'SELECT 2']
    """
    from noiseless.curator.sql.statements import statements

    return [statement for _, statement in statements(text)]
