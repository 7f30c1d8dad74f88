"""For a refused question, a similar question that would be accepted, about the same columns if possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlglot import Dialect, TokenType

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.errors import QuestionError, TooLargeError, UnknownVariableError

SUGGESTED = "This would be accepted:"
PLAIN = r"[A-Za-z_][A-Za-z_0-9]*"


@contextmanager
def suggesting(text: str, schema: Schema, table: str) -> Iterator[None]:
    """End every refusal with a question that would be accepted, once."""
    try:
        yield
    except (QuestionError, TooLargeError, UnknownVariableError) as wrong:
        if SUGGESTED in str(wrong):
            raise
        end = "" if str(wrong).endswith("?") else "."
        raise type(wrong)(f"{wrong}{end} {SUGGESTED} {example(text, schema, table)}") from None


def example(text: str, schema: Schema, table: str) -> str:
    """A question about the columns that the text mentions, or about the first ones.

    >>> from noiseless import Category, Integer, Public
    >>> schema = Schema(age=Integer(0, 120), smoker=Category("no", "yes"), region=Public("north", "south"))
    >>> example("SELECT AVG(age) OVER (PARTITION BY region) FROM people", schema, "people")
    'SELECT region, AVG(age) FROM people GROUP BY region'
    >>> example("SELECT smoker FROM people", schema, "people")
    'SELECT smoker, COUNT(*) FROM people GROUP BY smoker'
    """
    words = set(re.findall(r"\w+", text.lower()))
    named = [name for name in schema.columns if name.lower() in words]
    private = next((name for name in [*named, *schema.private] if name in schema.private), "")
    public = next((name for name in named if name in schema.public), None)
    column = schema.private[private]
    if isinstance(column, (Category, Boolean)):
        number = "COUNT(*)"
        keys = [written(private)]
    else:
        assert isinstance(column, Scale)
        number = f"{'MEDIAN' if isinstance(column, Date) else 'AVG'}({written(private)})"
        keys = [] if public is None else [written(public)]
    grouped = f" GROUP BY {keys[0]}" if keys else ""
    return f"SELECT {', '.join([*keys, number])} FROM {written(table)}{grouped}"


def written(name: str) -> str:
    """A name in a question, in quotes where it needs them."""
    tokens = Dialect.get_or_raise("duckdb").tokenize(name) if re.fullmatch(PLAIN, name) else []
    plain = [token.token_type for token in tokens] == [TokenType.VAR]
    return name if plain else '"' + name.replace('"', '""') + '"'
