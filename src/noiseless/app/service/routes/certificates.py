"""Certificates, and their verification by anyone with a token."""

from __future__ import annotations

from fastapi import APIRouter, Response

from noiseless.app.service import models
from noiseless.app.service.parameters import Anyone, OfDataset, Running
from noiseless.app.service.routes.asking import recalled
from noiseless.app.service.written import Written
from noiseless.curator.certificate.certificate import Certificate, canonical_bytes
from noiseless.curator.certificate.verify import verify as check
from noiseless.curator.curator import Curator
from noiseless.exact.number import written

router = APIRouter(tags=["certificates"])


@router.get("/datasets/{dataset}/certificates/{entry}", response_model=models.Certificate)
async def certificate(caller: Anyone, of: OfDataset, entry: int, place: int = 0) -> Response:
    """The certificate of the answer to a question of the ledger, as `noiseless verify` reads it."""

    def work(curator: Curator) -> Written:
        answer = recalled(curator, caller, of.shares_questions, entry, place)
        return Written(answer.certificate.to_json().encode())

    return (await of.run(work)).response()


@router.post("/verify")
async def verify(caller: Anyone, service: Running, given: models.ToVerify) -> models.Verified:
    """Recompute the releases, counts and numbers of a certificate, and check its signature. No data are read."""

    def work() -> models.Verified:
        text = canonical_bytes(given.certificate.model_dump()).decode()
        found = check(Certificate.from_json(text), given.key)
        return models.Verified(
            count=written(found.count),
            whole=found.whole,
            signed=found.signed,
            signed_by=found.signed_by,
            trusted=found.trusted,
        )

    return await service.aside.run(work)
