"""Questions as Ibis expressions. They are read through their SQL, so both ways of asking are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer
from noiseless.curator.schema.schema import Schema
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    import ibis.expr.types as ir

DIALECT = "duckdb"
"""The SQL that expressions become."""
KEYS: dict[type, str] = {bool: "boolean", int: "int64", str: "string"}


def public_shape(name: str, schema: Schema) -> ir.Table:
    """An Ibis table with the names and types of the columns that questions can use. It holds no rows."""
    import ibis

    return ibis.table({name: _type(column) for name, column in schema.columns.items() if _usable(column)}, name=name)


def text_of(question: Any) -> Any:
    """A question in SQL: that of an Ibis expression, and anything else as it is."""
    if not type(question).__module__.startswith("ibis."):
        return question
    import ibis
    from ibis.common.exceptions import IbisError

    try:
        return str(ibis.to_sql(question, dialect=DIALECT))
    except IbisError as failure:
        reason = (str(failure) or type(failure).__name__).splitlines()[0]
        raise QuestionError(f"the expression cannot be written as SQL: {reason}; write the question as text") from None


def _usable(column: object) -> bool:
    return not isinstance(column, Public) or bool(column.keys)


def _type(column: object) -> str:
    """The Ibis type of a column, which follows from its declaration alone."""
    match column:
        case Date():
            return "date"
        case Integer():
            return "int64"
        case Boolean() | Public() | Category():
            return KEYS[type(column.keys[0])]
    return "float64"
