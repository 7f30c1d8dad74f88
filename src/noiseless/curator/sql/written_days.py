"""STRFTIME of a date: a look-up of the text of every declared day."""

from __future__ import annotations

from datetime import timedelta

from sqlglot import exp

from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.plan.functions.lookup import looked_up
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.functions import FUNCTION
from noiseless.curator.sql.labels import LABEL
from noiseless.curator.sql.refusal import only, text_of
from noiseless.errors import QuestionError

DIRECTIVES = ("%Y", "%y", "%m", "%b", "%B", "%d", "%a", "%A", "%u", "%w", "%j")
"""The directives that are about days. Names are those of the C locale, as DuckDB writes them."""
MOST_DAYS = 20_000


def days_written(node: exp.TimeToStr, schema: Schema) -> exp.Var:
    """What STRFTIME means. A missing date has no text."""
    only(node, "this", "format")
    day, form = node.this.unnest(), node.args.get("format")
    if isinstance(day, exp.Cast) and day.to.is_type("timestamp"):  # other dialects are translated with a CAST
        day = day.this
    name = schema.find(day.name)[0] if isinstance(day, exp.Column) else ""
    column = schema.columns.get(name)
    if not isinstance(column, Date) or not isinstance(form, exp.Literal) or not form.is_string:
        raise QuestionError(f"{text_of(node)!r} needs a column of dates and a format in quotes, as in '%Y-%m'")
    written = str(form.this)
    unknown = [written[at : at + 2] for at, sign in enumerate(written) if sign == "%"]
    unknown = [each for each in unknown if each not in DIRECTIVES]
    if unknown or "%" not in written:
        raise QuestionError(f"the format {written[:30]!r} is not supported; use some of {', '.join(DIRECTIVES)}")
    of = ColumnOf(name, column)
    if of.top >= MOST_DAYS:
        raise QuestionError(f"{name!r} has more than {MOST_DAYS} days, too many to write; use EXTRACT")
    first, step = int(column.low), int(column.step)
    texts = [(EPOCH + timedelta(days=first + code * step)).strftime(written) for code in range(of.top + 1)]
    found = exp.Var(this=text_of(node))
    found.meta.update({FUNCTION: looked_up(of, range(of.top + 1), texts, "text", inner=False), LABEL: text_of(node)})
    return found
