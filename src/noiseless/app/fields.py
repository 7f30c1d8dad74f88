"""Previews, answers and comparisons as fields, for the JSON of the command line and of the service."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noiseless import Answer, Answers, Preview
    from noiseless.curator.answer.ways import BatchPreview


def preview_fields(preview: Preview, advice: bool = True) -> dict[str, Any]:
    """What a question would cost. Exact numbers are texts."""
    may_be = {"dearest": str(preview.dearest), "must_be_left": preview.most, "chance": _text(preview.chance)}
    may_be |= {"steps": list(preview.steps), "shares": list(preview.shares), "advice": preview.advice if advice else ""}
    may_be |= {"computed": list(preview.computed)}
    return {**_price(preview), **may_be, "affordable": preview.affordable, "rule": preview.rule}


def answer_fields(answer: Answer, advice: bool = True) -> dict[str, Any]:
    """An answer with its certificate, and the answers of its subqueries. Advice takes time, and can be left out."""
    from noiseless.curator.certificate.issue import written_rows

    content = answer.certificate.content
    whole = {"content": content, "key": answer.certificate.key, "signature": answer.certificate.signature}
    outcome = {"entry": answer.entry, "outcome": answer.outcome, "coarser": answer.coarser}
    more = {"advice": answer.advice if advice else "", "facts": list(answer.facts)}
    steps = {"computed": list(answer.computed), "before": [answer_fields(each, advice) for each in answer.before]}
    return {**_price(answer), **outcome, **more, **steps, "rows": written_rows(answer.rows), "certificate": whole}


def answers_fields(together: Answers, advice: bool = True) -> dict[str, Any]:
    """The answers of a batch, with what they were charged together."""
    outcome, answers = together[0].outcome, [answer_fields(answer, advice) for answer in together]
    return {"count": str(together.count), "factor": str(together.factor), "outcome": outcome, "answers": answers}


def compared_fields(compared: BatchPreview) -> dict[str, Any]:
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
        for way in compared.ways
    ]
    return {
        "questions": list(compared.questions),
        "remaining": compared.remaining,
        "cheapest": compared.cheapest.name,
        "ways": ways,
        "no_cross_table": compared.no_cross_table,
    }


def _price(priced: Preview | Answer) -> dict[str, Any]:
    return {
        "question": priced.question,
        "count": str(priced.guarantee.count),
        "bits": priced.guarantee.bits,
        "factor": str(priced.factor),
        "cost": priced.cost,
        "remaining": priced.remaining,
    }


def _text(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
