"""Checks that a certificate is about the question asked. Otherwise a server could answer another one truthfully."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from noiseless.curator.answer.answer import Answer
from noiseless.curator.certificate.written_plan import written_plan
from noiseless.curator.inner_steps import values_of
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.dialects import in_duckdb
from noiseless.curator.sql.inner import inner_questions, with_values
from noiseless.curator.sql.read import read
from noiseless.curator.sql.tables import tables_named
from noiseless.errors import CertificateError, NoiselessError, QuestionError


@dataclass(frozen=True, slots=True)
class Asked:
    """The text of a question that was sent, and how its answer is to be checked."""

    text: str
    dialect: str = "duckdb"
    deduced: bool = False
    """Whether it was deduced. Then the answers to its subqueries also follow from earlier ones, and are not shown."""


def check_asked(answer: Answer, asked: Asked, tables: Collection[str], unit: str | None) -> None:
    """Refuse a certificate about another question. It is verified already, so its schema is the custodian's.

    Two kinds of questions cannot be compared, because only the server knows what they mean: questions about public
    tables, and questions in which a subquery groups by the person, which is read as a view.
    """
    content = answer.certificate.content
    table, schema = str(content["table"]), _schema(content["schema"])
    try:
        text = in_duckdb(asked.text, asked.dialect, schema)
        named = tables_named(text)
        if named - {each.lower() for each in tables}:
            return
        by_person = unit is not None and unit.lower() in text.lower()
        if table.lower() not in named and table in tables and by_person:
            return
        plain = _constant(text, answer, asked, tables, unit)
        if plain is None or written_plan(read(plain, schema, table), schema) == content["plan"]:
            return
    except QuestionError as unread:
        raise CertificateError(
            f"this version of noiseless cannot read the question, so it cannot check whether the answer is about it "
            f"({unread}); use the version of the server and ask again, which is free"
        ) from None
    raise _another_error()


def _constant(text: str, answer: Answer, asked: Asked, tables: Collection[str], unit: str | None) -> str | None:
    """The question with the answers in place of its subqueries, which are also checked. None if they are not shown."""
    inner = inner_questions(text)
    if not inner:
        return text
    if asked.deduced:
        return None
    texts = list(dict.fromkeys(each.text for each in inner))
    if len(texts) != len(answer.before):
        raise _another_error()
    known = dict(zip(texts, answer.before, strict=True))
    for each, earlier in known.items():
        if earlier.certificate is not None:
            check_asked(earlier, Asked(each), tables, unit)
    return with_values(text, [values_of(each, known[each.text].rows) for each in inner])


def _schema(text: Any) -> Schema:
    try:
        return Declaration.parse(str(text)).schema
    except NoiselessError:
        raise CertificateError("the certificate has no schema that can be read; report it to the custodian") from None


def _another_error() -> CertificateError:
    return CertificateError(
        "the answer is about a question other than the one that was asked; do not use it, and report it to the "
        "custodian"
    )
