"""The statements of a text of SQL, each with the comments before it."""

from __future__ import annotations

from pathlib import Path

from sqlglot import Dialect, TokenType
from sqlglot.errors import TokenError

from noiseless.errors import QuestionError


def statements(text: str) -> list[tuple[str, str]]:
    """What is written before each statement, and the statement without comments.

    >>> statements("-- weight 2\\nSELECT ';' FROM a; ; SELECT 2 -- the last")
    [('-- weight 2\\n', "SELECT ';' FROM a"), ('  ', 'SELECT 2')]
    """
    try:
        tokens = Dialect.get_or_raise("duckdb").tokenize(text)
    except TokenError:
        raise QuestionError("the file cannot be read as SQL; check that every quote and comment is closed") from None
    found, end = [["", ""]], 0
    for token in tokens:
        between = text[end : token.start]  # spaces and comments
        before, statement = found[-1]
        if token.token_type == TokenType.SEMICOLON:
            found += [["", ""]] if statement else []
            found[-1][0] += "" if statement else between
        elif statement:
            found[-1][1] += (between if between.isspace() or not between else " ") + text[token.start : token.end + 1]
        else:
            found[-1] = [before + between, text[token.start : token.end + 1]]
        end = token.end + 1
    return [(before, statement) for before, statement in found if statement]


def statements_in(path: Path) -> list[tuple[str, str]]:
    """The statements of a file, each with the comments before it. Refused if there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise QuestionError(f"{str(path)!r} is not UTF-8 text; save it as UTF-8") from None
    except OSError as unread:
        why = "does not exist" if isinstance(unread, FileNotFoundError) else "cannot be read as a file"
        raise QuestionError(f"{str(path)!r} {why}; name a file with questions in SQL") from None
    found = statements(text)
    if not found:
        raise QuestionError(f"{str(path)!r} has no questions; write SELECT … and end each with a semicolon")
    return found
