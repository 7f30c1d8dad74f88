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
    from sqlglot import Dialect, TokenType
    from sqlglot.errors import TokenError

    from noiseless.errors import QuestionError

    try:
        tokens = Dialect.get_or_raise("duckdb").tokenize(text)
    except TokenError:
        raise QuestionError("the file cannot be read as SQL; check that every quote and comment is closed") from None
    found, end = [""], 0
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            found.append("")
        else:
            between = text[end : token.start]  # spaces and comments
            found[-1] += (between if between.isspace() or not between else " ") if found[-1] else ""
            found[-1] += text[token.start : token.end + 1]
        end = token.end + 1
    return [each for each in found if each]
