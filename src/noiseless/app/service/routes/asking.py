"""Questions: what they would cost, and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from fastapi import APIRouter, Request, Response

from noiseless.app.carried import MEDIA
from noiseless.app.fields import answer_fields, answers_fields, compared_fields, preview_fields
from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.once import IdempotencyKey, once
from noiseless.app.service.parameters import Asker, OfDataset, OfTable
from noiseless.app.service.problems import Problem
from noiseless.app.service.written import ARROW, JSON, Written, as_arrow, as_json, as_objects, preferred
from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.certificate.certificate import DEDUCTION_FORMAT
from noiseless.curator.curator import Curator

router = APIRouter(tags=["questions"])
OFFERED = (JSON, ARROW, MEDIA)
OBJECTS: dict[str, Any] = {MEDIA: {"schema": {"type": "object", "description": "for the client, nl.connect"}}}
ALSO_OBJECTS: dict[int | str, dict[str, Any]] = {200: {"content": OBJECTS, "description": "the price"}}
ALSO_ARROW: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {ARROW: {"schema": {"type": "string", "format": "binary"}}, **OBJECTS},
        "description": "the answer",
    }
}


@router.post("/datasets/{dataset}/preview", response_model=models.Preview, responses=ALSO_OBJECTS)
async def preview(caller: Asker, of: OfDataset, asked: models.ToPreview, request: Request) -> Response:
    """What a question would cost and how certain its answer would be. Free: no private data are read."""
    media = preferred(request, (JSON, MEDIA))

    def work(curator: Curator) -> Written:
        price = curator.preview(asked.sql, **asked.arguments(), analyst=caller.name)
        return as_objects(price) if media == MEDIA else as_json(_preview(price, asked.advice))

    return (await of.run(work)).response()


@router.post("/datasets/{dataset}/preview_batch", response_model=models.Ways, responses=ALSO_OBJECTS)
async def preview_batch(caller: Asker, of: OfDataset, asked: models.ToPreviewTogether, request: Request) -> Response:
    """What several questions would cost one by one, as one batch, and as a cross table. Free."""
    media = preferred(request, (JSON, MEDIA))

    def work(curator: Curator) -> Written:
        ways = curator.preview_batch(asked.questions, **asked.arguments(), analyst=caller.name)
        return as_objects(ways) if media == MEDIA else as_json(compared_fields(ways))

    return (await of.run(work)).response()


@router.post("/datasets/{dataset}/ask", response_model=models.Answer, responses=ALSO_ARROW)
async def ask(
    caller: Asker, of: OfDataset, asked: models.ToAsk, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Answer a question truthfully. It is charged before the data are read; repeating it is free."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        answer = curator.ask(asked.sql, **asked.arguments(), analyst=caller.name)
        return written(answer, media, seen_by(curator, caller, of.shares_questions), asked.advice)

    return await once(request, of, caller, idempotency_key, asked, lambda: of.run(work))


@router.post("/datasets/{dataset}/deduce", response_model=models.Answer, responses=ALSO_ARROW)
async def deduce(caller: Asker, of: OfDataset, asked: models.ToDeduce, request: Request) -> Response:
    """What already follows about a question from everything released before. Free: no private data are read."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        answer = curator.deduce(asked.sql, dialect=asked.dialect)
        return written(answer, media, seen_by(curator, caller, of.shares_questions))

    return (await of.run(work)).response()


@router.post("/datasets/{dataset}/batch", response_model=models.Answers, responses=ALSO_ARROW)
async def batch(
    caller: Asker, of: OfDataset, asked: models.ToAskTogether, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Answer several questions that are counted together, which is often much cheaper than one after another."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        answers = curator.batch(asked.questions, **asked.arguments(), analyst=caller.name)
        return written(answers, media, seen_by(curator, caller, of.shares_questions), asked.advice)

    return await once(request, of, caller, idempotency_key, asked, lambda: of.run(work))


@router.post("/datasets/{dataset}/refine", response_model=models.Answer, responses=ALSO_ARROW)
async def refine(
    caller: Asker, of: OfTable, asked: models.ToRefine, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Narrow the intervals of an earlier answer. Only the difference is charged."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        known = recalled(curator, caller, of.shares_questions, asked.entry, asked.place)
        finer = curator.refine(known, error=asked.error, max_bits=asked.max_bits, analyst=caller.name)
        return written(finer, media, seen_by(curator, caller, of.shares_questions))

    return await once(request, of, caller, idempotency_key, asked, lambda: of.run(work))


@router.get("/datasets/{dataset}/questions/{entry}", response_model=models.Answer, responses=ALSO_ARROW)
async def recall(caller: Asker, of: OfTable, entry: int, request: Request, place: int = 0) -> Response:
    """Repeat the answer to a question of the ledger, by its number, for free. `place` chooses one of a batch."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        answer = recalled(curator, caller, of.shares_questions, entry, place)
        return written(answer, media, seen_by(curator, caller, of.shares_questions))

    return (await of.run(work)).response()


def recalled(curator: Curator, caller: Caller, shared: bool, entry: int, place: int) -> Answer:
    """An answer of the ledger, if the caller may see the question."""
    if not seen_by(curator, caller, shared)(entry):
        raise unknown_question_error(entry)
    return curator.recall(entry, place)


def unknown_question_error(entry: int) -> Problem:
    """The error for an unknown question. It is the same if another analyst asked the question."""
    return Problem(
        404,
        "unknown-question",
        f"question {entry} is not in the ledger, or another analyst asked it",
        "GET /datasets/{dataset}/ledger lists yours",
    )


class MaySee(Protocol):
    """Whether somebody may see a question, by its number in the ledger of this dataset or view, if one is named."""

    def __call__(self, number: int, of: str = "") -> bool:
        """Whether they may."""


def seen_by(curator: Curator, caller: Caller, shared: bool) -> MaySee:
    """Whether the caller may see a question. Each view counts its own questions."""

    def may_see(number: int, of: str = "") -> bool:
        if caller.role != "analyst" or shared:
            return True
        ledgers = {each.dataset: each for each in (curator, *curator.views.values())}
        ledger = ledgers.get(of or curator.dataset)
        found = ledger.asked(number + 1, 1)[1] if ledger is not None and number > 0 else []
        return bool(found) and found[0].number == number and found[0].first.analyst == caller.name

    return may_see


def written(answered: Answer | Answers, media: str, may_see: MaySee, advice: bool = False) -> Written:
    """An answer, or the answers of a batch, in the format that the request prefers."""
    if media == MEDIA:
        return as_objects(_without_proofs(answered, may_see))
    fields = answer_fields(answered, advice) if isinstance(answered, Answer) else answers_fields(answered, advice)
    for each in fields.get("answers", [fields]):
        _withhold(each, may_see)
    return as_json(fields) if media == JSON else as_arrow(answered.to_arrow(), fields)


def _without_proofs(answered: Answer | Answers, may_see: MaySee) -> Any:
    """The same objects, without the proofs that show questions of other analysts."""
    if isinstance(answered, Answers):
        return replace(answered, answers=tuple(_without_proofs(each, may_see) for each in answered))
    before = tuple(_without_proofs(each, may_see) for each in answered.before)
    withheld = _shows_others(answered.certificate.content, answered.facts, may_see)
    certify: Any = (lambda: None) if withheld else answered.certify
    return replace(answered, before=before, certify=certify)


def _withhold(fields: dict[str, Any], may_see: MaySee) -> None:
    """Leave out a proof that shows questions of other analysts: the certificate of a deduction lists its facts."""
    if _shows_others(fields["certificate"]["content"], fields["facts"], may_see):
        fields["certificate"] = None
    for each in fields["before"]:
        _withhold(each, may_see)


def _shows_others(content: Mapping[str, Any], facts: Iterable[int], may_see: MaySee) -> bool:
    """Whether a certificate lists questions that the caller may not see."""
    return content["format"] == DEDUCTION_FORMAT and not all(may_see(each, content["dataset"]) for each in facts)


def _preview(price: Preview, advice: bool) -> dict[str, Any]:
    rows = [
        {
            "keys": row["keys"],
            "errors": {name: None if each is None else str(each) for name, each in row["errors"].items()},
        }
        for row in price.rows
    ]
    return {**preview_fields(price, advice), "rows": rows}
