"""Several questions one by one, as one batch, or as a cross table: what each way costs. No private data are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.answer.ways import BATCH, CROSS_TABLE, ONE_BY_ONE, BatchPreview, Way
from noiseless.curator.asking import Asking
from noiseless.curator.ledger.charge import Price
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.question.crossing import Crossing, crossing
from noiseless.curator.question.question import Question
from noiseless.curator.terms import Terms, listed
from noiseless.errors import InputError, QuestionError
from noiseless.exact.number import exact_number
from noiseless.exact.plural import plural


def compare(asking: Asking, questions: Iterable[str], terms: Terms) -> BatchPreview:
    """The ways of asking some questions, the cheapest first."""
    texts = listed(questions)
    terms.check_names(texts, asking.dataset)
    batch = asking.planning.steps_together(texts, terms)
    ways, why = [_one_by_one(asking, texts, terms), _one_batch(asking, batch)], ""
    try:
        ways.append(_cross_table(asking, batch[-1], terms))
    except InputError as refused:
        why = str(refused)
    order = sorted(ways, key=lambda way: (not way.affordable, way.prices))  # ways with equal prices keep their order
    return BatchPreview(tuple(texts), tuple(order), asking.account.bits_left, why)


def _one_by_one(asking: Asking, texts: list[str], terms: Terms) -> Way:
    """Ask one question after another. Later ones get for free what earlier ones are supposed to have shown."""
    past, supposed, steps, last = asking.account.past(), dict[Any, Any](), list[Question](), list[Question]()
    for text in texts:
        planned = asking.planning.steps(text, terms, past=past.supposing(supposed))
        steps += planned
        last.append(planned[-1])
        if terms.error is not None:
            supposed |= {each: width for step in planned for each, width in step.widths.items() if each.is_count}
    price = asking.account.quote_steps(Purchase.of_questions([step]) for step in steps)
    gives_up = "gives up nothing; each question can follow from the answers before it"
    return _way(ONE_BY_ONE, price, _answers(asking, last), _error(last), gives_up)


def _answers(asking: Asking, questions: Iterable[Question]) -> int:
    """The joint count. Counts multiply; with one row per person, only those of questions about the same public cell."""
    found: dict[int, int] = {}
    for question in questions:
        cells = {cell for release in question.widths for cell in release.part.cells}
        count = asking.prices.count(question.widths)
        for cell in cells if asking.dataset.schema.rows == 1 else [0]:
            found[cell] = found.get(cell, 1) * count
    return max(found.values(), default=1)


def _one_batch(asking: Asking, steps: list[list[Question]]) -> Way:
    price = asking.account.quote_steps(map(Purchase.of_questions, steps))
    count = asking.prices.joint([question.widths for question in steps[-1]])
    gives_up = "gives up choosing: all questions are fixed before the first answer is seen"
    return _way(BATCH, price, count, _error(steps[-1]), gives_up)


def _cross_table(asking: Asking, asked: list[Question], terms: Terms) -> Way:
    if isinstance(terms.error, Mapping) or isinstance(terms.bits, Mapping):
        raise QuestionError("give one error= or bits= for all numbers to compare with a cross table")
    found = crossing([question.plan for question in asked], asking.dataset, means=terms.error is not None)
    steps = asking.planning.steps(found.text, _terms_of_cells(terms, found))
    price = asking.account.quote_steps(Purchase.of_questions([step]) for step in steps)
    error = _error(steps[-1:])
    adding = "you add them up" if error == 0 else "you combine them, and their errors with them"
    gives_up = f"gives up finer conditions: it has {plural(found.cells, 'cell')}, {found.division}; {adding}"
    return _way(CROSS_TABLE, price, asking.prices.count(steps[-1].widths), error, gives_up, found.text)


def _terms_of_cells(terms: Terms, found: Crossing) -> Terms:
    """The same terms for every cell. If they are in bits, add the bits that tell which cell a row is in."""
    if terms.bits is None or isinstance(terms.bits, Mapping):
        return terms
    bits = exact_number(terms.bits, "bits") + (found.cells - 1).bit_length()
    return Terms(bits=bits, max_bits=terms.max_bits, analyst=terms.analyst)


def _way(name: str, price: Price, count: int, error: Any, gives_up: str, text: str = "") -> Way:
    return Way(name, count, price.grown, price.dearest, price.chance, price.affordable, error, gives_up, text)


def _error(questions: Iterable[Question]) -> Any:
    """The largest error of any number. None if one depends on private data."""
    errors = [error for each in questions for row in each.expected() for error in row["errors"].values()]
    return None if None in errors else max(errors, default=0)
