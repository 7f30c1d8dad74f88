"""Verifying a certificate, or a whole ledger, in the browser. Everything is computed again; no table is read."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from noiseless.app.console.forms import FORM, form_of
from noiseless.app.console.rendering import page
from noiseless.app.console.uploads import texts_and_files
from noiseless.app.service.parameters import Anyone, Running
from noiseless.app.service.routes.certificates import export_verified
from noiseless.app.service.running import Service
from noiseless.app.service.served import FOREVER
from noiseless.curator.certificate.exported import FORMAT
from noiseless.curator.certificate.verify import verify
from noiseless.errors import NoiselessError

router = APIRouter()
LONGEST_SHOWN = 200_000
"""The most characters of an input that the page shows again. A ledger is longer, so it is not shown."""


@router.get("/verify")
async def empty(request: Request, caller: Anyone) -> Response:
    """A field for a certificate, and one for a file."""
    return _page(request)


@router.post("/verify")
async def verified(request: Request, caller: Anyone, service: Running) -> Response:
    """What was verified, in words, or what is wrong."""
    texts, files = await _given(request)
    file = files["file"].decode(errors="replace").strip()
    text, key = file or texts.get("certificate", "").strip(), texts.get("key", "").strip()
    shown: dict[str, Any] = {"given": text if len(text) <= LONGEST_SHOWN else "", "key": key}
    try:
        shown |= await _verified(service, text, key or None)
    except NoiselessError as refused:
        shown["wrong"] = str(refused)
    return _page(request, **shown)


async def _verified(service: Service, text: str, key: str | None) -> dict[str, Any]:
    if FORMAT in text[:200]:
        return {"ledger": await service.audits.run(lambda: export_verified(text, key), FOREVER)}
    return {"found": await service.aside.run(lambda: verify(text if text.startswith("{") else "{}", key))}


async def _given(request: Request) -> tuple[dict[str, str], dict[str, bytes]]:
    """What a form sent, with a file or without."""
    if request.headers.get("content-type", "").startswith(FORM):
        return await form_of(request), {"file": b""}
    return await texts_and_files(request, "file")


def _page(request: Request, **shown: Any) -> Response:
    usual: dict[str, Any] = {"found": None, "ledger": None, "wrong": None, "given": "", "key": ""}
    return page(request, "verify.html", **{**usual, **shown})
