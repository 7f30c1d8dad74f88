"""Previews, answers and comparisons as fields, for machines: of the command line and of the service."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noiseless import Answer, Answers, Preview
    from noiseless.curator.answer.ways import BatchPreview


def preview_fields(told: Preview, advice: bool = True) -> dict[str, Any]:
    """What a question would cost. Exact numbers are texts."""
    may_be = {"dearest": str(told.dearest), "must_be_left": told.most, "chance": _text(told.chance)}
    may_be |= {"steps": list(told.steps), "shares": list(told.shares), "advice": told.advice if advice else ""}
    may_be |= {"computed": list(told.computed)}
    return {**_price(told), **may_be, "affordable": told.affordable, "rule": told.rule}


def answer_fields(answer: Answer, advice: bool = True) -> dict[str, Any]:
    """An answer with its certificate, and the answers of its subqueries. Advice takes time, and can be left out."""
    from noiseless.curator.certificate.issue import written_rows

    content = answer.certificate.content
    whole = {"content": content, "key": answer.certificate.key, "signature": answer.certificate.signature}
    outcome = {"entry": answer.entry, "outcome": answer.outcome, "coarser": answer.coarser}
    more = {"advice": answer.advice if advice else "", "facts": list(answer.facts)}
    steps = {"computed": list(answer.computed), "before": [answer_fields(each, advice) for each in answer.before]}
    return {**_price(answer), **outcome, **more, **steps, "rows": written_rows(answer.rows), "certificate": whole}


def answers_fields(told: Answers, advice: bool = True) -> dict[str, Any]:
    """The answers of a batch, with what they were charged together."""
    outcome, answers = told[0].outcome, [answer_fields(answer, advice) for answer in told]
    return {"count": str(told.count), "factor": str(told.factor), "outcome": outcome, "answers": answers}


def compared_fields(told: BatchPreview) -> dict[str, Any]:
    """What several questions would cost one by one, as one batch, and as a cross table."""
    ways = [
        {
            "name": way.name,
            "count": str(way.count),
            "factor": str(way.factor),
            "bits": way.bits,
            "dearest": str(way.dearest),
            "must_be_left": way.most,
            "chance": _text(way.chance),
            "affordable": way.affordable,
            "error": _text(way.error),
            "gives_up": way.gives_up,
            "question": way.question,
        }
        for way in told.ways
    ]
    return {
        "questions": list(told.questions),
        "remaining": told.remaining,
        "cheapest": told.cheapest.name,
        "ways": ways,
        "no_cross_table": told.no_cross_table,
    }


def _price(told: Preview | Answer) -> dict[str, Any]:
    return {
        "question": told.question,
        "count": str(told.guarantee.count),
        "bits": told.guarantee.bits,
        "factor": str(told.factor),
        "cost": told.cost,
        "remaining": told.remaining,
    }


def _text(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
