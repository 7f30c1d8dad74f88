"""Verifying a certificate in the browser: everything in it is computed again, and nothing is read from a table."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.parameters import Anyone, Running
from noiseless.curator.certificate.verify import verify
from noiseless.errors import NoiselessError

router = APIRouter()


@router.get("/verify")
async def empty(request: Request, caller: Anyone) -> Response:
    """A field for a certificate."""
    return page(request, "verify.html", found=None, wrong=None, given="", key="")


@router.post("/verify")
async def verified(request: Request, caller: Anyone, service: Running) -> Response:
    """What was verified, in words, or what is wrong."""
    form = await form_of(request)
    text, key = form.get("certificate", "").strip(), form.get("key", "").strip()
    found, wrong = None, None
    try:
        found = await service.aside.run(lambda: verify(text if text.startswith("{") else "{}", key or None))
    except NoiselessError as refused:
        wrong = str(refused)
    return page(request, "verify.html", found=found, wrong=wrong, given=text, key=key)
