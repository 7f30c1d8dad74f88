"""Subqueries on aggregates are steps of a question: asked and charged first, and then constants of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import timedelta
from fractions import Fraction
from math import inf, prod
from typing import Any

from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.asking import EARLIER, Asking
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.after import Arranged
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Plan
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.question.finish import Field, finish
from noiseless.curator.question.precision import Amount, amounts_by_name, check_names, meant_by
from noiseless.curator.question.question import Question
from noiseless.curator.question.steps import new_in
from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.sql.example import suggesting
from noiseless.curator.sql.inner import MOST_VALUES, Inner, Value, inner_questions, with_values
from noiseless.curator.sql.known_numbers import Known
from noiseless.curator.terms import Terms, listed
from noiseless.errors import BudgetExceededError, QuestionError
from noiseless.exact.number import exact_number
from noiseless.exact.readable import number_shown


@dataclass(slots=True)
class Supposed:
    """A question with supposed values of its subqueries, and the steps and texts of all that is asked before it."""

    text: str
    before: list[Question] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    known: bool = True
    """Whether the ledger knows all values, so that none is supposed."""


def ask(asking: Asking, sql: str, terms: Terms) -> Answer:
    """Ask the subqueries, then the question with their reported values."""
    if not _inner(asking, sql):
        return asking.ask(sql, terms)
    terms = _gated(asking, "ask", [sql], terms)
    _check_all(asking, [sql], terms)
    rest, before, words = _asked_first(asking, sql, terms)
    try:
        answer = asking.ask(rest, _rest(terms, before, [rest], asking.dataset))
    except BudgetExceededError as refused:
        raise BudgetExceededError(str(refused).replace("nothing was charged", EARLIER)) from None
    return _with(answer, before, words)


def deduce(asking: Asking, sql: str) -> Answer:
    """What follows from earlier answers. A subquery in a condition must have one value that follows exactly."""
    inner = _inner(asking, sql)
    values = []
    for each in inner:
        rows = deduce(asking, each.text).rows
        known = all(not isinstance(cell, OneOf) and _is_certain(cell) for row in rows for cell in row.values())
        if not known or not (each.several or len(rows) <= 1):
            raise QuestionError(
                f"what {each.text[:60]!r} gives does not follow exactly from earlier answers; ask it first, and write "
                f"its number into the question"
            )
        values.append(values_of(each, rows))
    text = with_values(sql, values, asking.dataset.public_tables) if inner else sql
    return replace(asking.deduce(text), question=sql)


def _is_certain(cell: Field) -> bool:
    return not isinstance(cell, Reported) or (cell.exact and cell.sure)


def batch(asking: Asking, questions: Iterable[Any], terms: Terms) -> Answers:
    """Ask the subqueries of all questions, then these together."""
    texts = listed(questions)
    terms = _gated(asking, "batch", texts, terms)
    if not any(_inner(asking, text) for text in texts):
        return asking.batch(texts, terms)
    _check_all(asking, texts, terms)
    asked = [_asked_first(asking, text, terms) for text in texts]
    rests, before = [rest for rest, _, _ in asked], [each for _, own, _ in asked for each in own]
    answers = asking.batch(rests, _rest(terms, before, rests, asking.dataset))
    found = zip(answers.answers, asked, strict=True)
    return replace(
        answers,
        answers=tuple(_with(answer, own, words) for answer, (_, own, words) in found),
        factor=answers.factor * prod(each.factor for each in before),
    )


def _gated(asking: Asking, what: str, texts: list[str], terms: Terms) -> Terms:
    """The terms under which whole questions may be asked, with their subqueries."""

    def steps() -> list[list[Question]]:
        found = [_supposed(asking, text, terms) for text in texts]
        rests = [each.text for each in found]
        own = _named(terms, rests, asking.dataset)
        before = [[step] for each in found for step in each.before]
        if len(rests) > 1:
            return before + asking.planning.steps_together(rests, own)
        return before + [[step] for step in asking.planning.steps(rests[0], own, share=Fraction(1))]

    return asking.gated(terms, what, texts, steps)


def preview(asking: Asking, sql: str, terms: Terms) -> Preview:
    """The price of the subqueries and of the rest. No private data are read: values that are not known are supposed."""
    if not _inner(asking, sql):
        return asking.preview(sql, terms)
    found = _check_names(asking, [_supposed(asking, sql, terms)], terms)[0]
    own = _named(terms, [found.text], asking.dataset)
    rest, steps = asking.preview(found.text, own), asking.planning.steps(found.text, own)
    widths = {release: width for step in (*found.before, steps[-1]) for release, width in step.widths.items()}
    price = asking.quoted(new_in([*found.before, *steps]), terms)
    return replace(
        rest,
        question=sql,
        guarantee=asking.promised(replace(steps[-1], widths=widths)),
        factor=price.factor,
        paid_by=price.paid_by,
        taken=price.taken if price.affordable else 0.0,
        affordable=price.affordable,
        remaining=(price.after if price.affordable else price.before).bits_left,
        dearest=price.dearest,
        chance=price.chance,
        computed=(*found.words, *rest.computed),
    )


def without_subqueries(asking: Asking, questions: Iterable[Any]) -> list[str]:
    """The questions, to compare ways of asking them. Refused if a subquery must be asked first."""
    texts = listed(questions)
    for place, text in enumerate(texts, start=1):
        if _inner(asking, text):
            raise QuestionError(
                f"question {place} of {len(texts)} needs the answer to its subquery first, so there is only one way to "
                f"ask it; preview it by itself, and compare the others"
            )
    return texts


def _inner(asking: Asking, sql: str) -> list[Inner]:
    with suggesting(sql, asking.dataset.schema, asking.dataset.name) if isinstance(sql, str) else nullcontext():
        return inner_questions(sql, asking.dataset.public_tables)


def _asked_first(asking: Asking, sql: str, terms: Terms) -> tuple[str, list[Answer], list[str]]:
    """The question with the values of its subqueries, the answers of these, and what is said about them."""
    inner, known = _inner(asking, sql), dict[str, Answer]()
    for each in inner:
        if each.text not in known:
            plain = [_supposed(asking, each.text, terms).text]
            known[each.text] = ask(asking, each.text, _rest(terms, list(known.values()), plain, asking.dataset))
    if not inner:
        return sql, [], []
    values = [values_of(each, known[each.text].rows) for each in inner]
    rest = with_values(sql, values, asking.dataset.public_tables)
    return rest, list(known.values()), [in_words(each, known[each.text]) for each in dict.fromkeys(inner)]


def _supposed(asking: Asking, sql: str, terms: Terms) -> Supposed:
    """The question as it will be asked, with values that the ledger knows, or else supposed ones."""
    found, values = Supposed(sql), []
    inner = _inner(asking, sql)
    for each in inner:
        own = _supposed(asking, each.text, terms)
        steps = asking.planning.steps(own.text, _named(terms, [own.text], asking.dataset))
        with suggesting(sql, asking.dataset.schema, asking.dataset.name):
            check_one_row(each, steps[-1])
        rows = asking.known_rows(steps[-1]) if own.known else None
        found.known &= rows is not None
        values.append(supposed(each, steps[-1], asking.dataset) if rows is None else values_of(each, rows))
        found.before += [*own.before, *steps]
        found.texts += [*own.texts, own.text]
        found.words += [*own.words, expected_in_words(each, values[-1], known=rows is not None)]
    if inner:
        found.text = with_values(sql, values, asking.dataset.public_tables)
    return found


def _check_all(asking: Asking, texts: list[str], terms: Terms) -> None:
    """Refuse with nothing charged what is refused with supposed values: names, prices, and the questions themselves."""
    found = _check_names(asking, [_supposed(asking, text, terms) for text in texts], terms)
    steps = [step for each in found for step in each.before]
    for each in found:
        steps += asking.planning.steps(each.text, _named(terms, [each.text], asking.dataset))
    if not asking.quoted(new_in(steps), terms).affordable:
        raise BudgetExceededError(
            "the budget or max_bits does not allow the question with its subqueries; nothing was charged: ask with a "
            "larger error or fewer bits"
        )


def _check_names(asking: Asking, found: list[Supposed], terms: Terms) -> list[Supposed]:
    texts = [text for each in found for text in (*each.texts, each.text)]
    check_names(terms.bits, "bits", texts, asking.dataset)
    check_names(terms.error, "error", texts, asking.dataset)
    return found


def _named(terms: Terms, texts: list[str], dataset: Dataset) -> Terms:
    """The terms, with only the named amounts that belong to these questions."""
    bits, error = (
        of_texts(given, what, texts, dataset) for given, what in ((terms.bits, "bits"), (terms.error, "error"))
    )
    return replace(terms, bits=bits, error=error)


def _rest(terms: Terms, before: list[Answer], texts: list[str], dataset: Dataset) -> Terms:
    """The terms for what is still to be asked. `max_bits` covers all steps, so earlier charges are subtracted."""
    own = _named(terms, texts, dataset)
    if terms.max_bits is None:
        return own
    left = exact_number(terms.max_bits, "max_bits") - sum(Fraction(str(each.cost)) for each in before)
    return replace(own, max_bits=max(left, Fraction(0)))


def _with(answer: Answer, before: list[Answer], words: list[str]) -> Answer:
    """The answer, together with the answers and charges of its subqueries."""
    return replace(
        answer,
        before=tuple(before),
        computed=(*words, *answer.computed),
        factor=answer.factor * prod(each.factor for each in before),
        taken=answer.taken + sum(each.taken for each in before),
    )


def values_of(inner: Inner, rows: Sequence[Mapping[str, Field]]) -> list[Value]:
    """The values that a subquery gave: one value, or for IN those of all rows."""
    cells = [each for row in rows for each in row.values()]
    if inner.shown:
        return [_with_interval(inner, each) for each in cells] or [None]
    found: list[Value] = [each.value if isinstance(each, (Reported, OneOf)) else each for each in cells]
    if not inner.several:
        return found or [None]
    if len(found) > MOST_VALUES:
        raise QuestionError(f"{inner.text[:60]!r} has more than {MOST_VALUES} values; add HAVING or LIMIT")
    return list(dict.fromkeys(found))


def _with_interval(inner: Inner, cell: Field) -> Value:
    """A value with its interval, to calculate with. Refused if the number may not exist or has no bounds."""
    if not isinstance(cell, (Reported, OneOf)):
        return cell
    if isinstance(cell, Reported) and cell.sure and not {cell.lower, cell.upper} & {inf, -inf}:
        return Known(cell.value, cell.lower, cell.upper)
    raise QuestionError(
        f"it is not certain what {inner.text[:60]!r} gives, or between which numbers it lies; it was answered and is "
        f"known now: ask for more bits, or about more rows"
    )


def check_one_row(inner: Inner, question: Question) -> None:
    """Refuse a subquery that is compared as one value and may have several rows."""
    one = not question.plan.keys or question.plan.limit == 1
    for stage in question.plan.stages:
        one = (one or stage.limit == 1) if isinstance(stage, Arranged) else not stage.keys
    if question.plan.united or not (one or inner.several):
        raise QuestionError(f"{inner.text[:60]!r} is used as one value and may have several rows; add LIMIT 1")


def supposed(inner: Inner, question: Question, dataset: Dataset) -> list[Value]:
    """Values to price the rest with: every number lies in the middle of its range, and no group is left out."""
    plan, lines = question.plan, question.whole().lines
    if not plan.stages:
        plan, lines = Plan(plan.items, keys=plan.keys), lines[: MOST_VALUES if inner.several else 1]
    middles = {each: _middle(each, dataset) for each in question.plan.aggregates()}
    numbers = {each: Reported(middle, middle, middle) for each, middle in middles.items()}
    rows = finish(plan, [(line.keys, numbers) for line in lines])
    found = values_of(replace(inner, shown=False), rows)
    return found if inner.several or found != [None] else [Fraction(0)]


def _middle(aggregate: Aggregate, dataset: Dataset) -> Any:
    """The middle of what a number can be, by the declared range of what it is about."""
    if aggregate.function in ("COUNT", DISTINCT):
        return Fraction(dataset.rows // 2)
    column = None if aggregate.column is None else dataset.schema.columns[aggregate.column]
    if isinstance(column, Scale):
        middle = (column.low + column.high) / 2
    elif aggregate.of is not None:
        middle = (aggregate.of.span().low + aggregate.of.span().high) / 2
    else:
        return Fraction(0)
    if isinstance(column, Date) or (aggregate.of is not None and aggregate.of.kind == "date"):
        return EPOCH + timedelta(days=int(middle))
    return middle * dataset.rows / 2 if aggregate.function == "SUM" else middle


def of_texts(given: Amount | None, what: str, texts: Sequence[str], dataset: Dataset) -> Amount | None:
    """The amounts whose names some of the texts have, and the one for all others."""
    if not isinstance(given, Mapping):
        return given
    names = amounts_by_name(given, what)
    return {name: number for name, number in names.items() if name == "*" or meant_by(name, texts, dataset)} or None


def in_words(inner: Inner, answer: Answer) -> str:
    """What a subquery gave, in words, for the notes of the whole answer."""
    values = [cell for row in answer.rows for cell in row.values()]
    shown = ", ".join(map(str if inner.shown else _shown, values[:10])) + (", …" if len(values) > 10 else "")
    return (
        f"asked first{f', as question {answer.entry}' if answer.entry else ''}: {inner.text}; what it reported is "
        f"{'used with its interval' if inner.shown else 'a constant of the rest'}: {shown or 'no value'}"
    )


def expected_in_words(inner: Inner, values: Sequence[Value], known: bool) -> str:
    """What a preview knows or supposes about the value of a subquery, in words."""
    numbers = (each.value if isinstance(each, Known) else each for each in values[:10])
    shown = ", ".join(map(number_shown, numbers)) + (", …" if len(values) > 10 else "")
    why = "it was asked before, and reported" if known else "its value is not known yet, and the price supposes"
    return f"asked first: {inner.text}; {why} {shown or 'no value'}"


def _shown(cell: Field) -> str:
    return number_shown(cell.value) if isinstance(cell, (Reported, OneOf)) else number_shown(cell)
