"""Certificates, and their verification by anyone with a token."""

from __future__ import annotations

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from noiseless.app.service import models
from noiseless.app.service.parameters import Anyone, OfTable, Running
from noiseless.app.service.routes.asking import recalled
from noiseless.app.service.served import FOREVER
from noiseless.app.service.written import Written
from noiseless.curator.certificate.certificate import Certificate, canonical_bytes
from noiseless.curator.certificate.exported import Export
from noiseless.curator.certificate.verify import verify as check
from noiseless.curator.curator import Curator
from noiseless.exact.number import written

router = APIRouter(tags=["certificates"])


@router.get("/datasets/{dataset}/certificates/{entry}", response_model=models.Certificate)
async def certificate(caller: Anyone, of: OfTable, entry: int, place: int = 0) -> Response:
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


class ToVerifyExport(models.Given):
    """An export of a ledger with its certificates, and the key to trust."""

    export: str = Field(min_length=1, description="the lines of the file that GET …/export or noiseless export wrote")
    key: str | None = Field(None, description="the custodian's public key, 64 hexadecimal digits")


class VerifiedExport(BaseModel):
    """What was verified about an export: every entry, every charge, every certificate, and the signature of its end."""

    dataset: str
    entries: int
    certificates: int
    uncertified: list[int] = Field(description="questions without a certificate here, such as copies")
    signed: bool
    signed_by: str
    trusted: bool


@router.post("/verify/export")
async def verify_export(caller: Anyone, service: Running, given: ToVerifyExport) -> VerifiedExport:
    """Check a whole ledger: no entry was changed or left out, all charges add up, and all certificates are right."""
    return await service.audits.run(lambda: export_verified(given.export, given.key), FOREVER)


def export_verified(text: str, key: str | None) -> VerifiedExport:
    """Verify the text of an export. Refused with a message that says what is wrong."""
    export = Export.read(text.splitlines())
    return VerifiedExport(
        entries=export.verify(key),
        dataset=export.dataset,
        certificates=len(export.certificates),
        uncertified=list(export.uncertified),
        signed=bool(export.signature),
        signed_by=export.key,
        trusted=key is not None,
    )
