"""Signing in with a token. A cookie then holds the token: no script can read it, and no other site can send it.

A request that changes something must come from a page of this server. Browsers say so in `Origin`, and the cookie
itself is `SameSite=Strict`, so an attack succeeds only if both protections fail.
"""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from noiseless.app.console.forms import form_of
from noiseless.app.console.kept import place, question_in, same_origin
from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller, no_token_needed
from noiseless.app.service.parameters import Running
from noiseless.app.service.running import Service
from noiseless.app.service.tokens import Tokens

NAME = "noiseless_session"
router = APIRouter(dependencies=[Depends(no_token_needed)])


async def by_cookie(request: Request, dataset: str | None) -> Caller | None:
    """The caller of a signed-in browser: one more way for the service to identify a request."""
    text = request.cookies.get(NAME)
    if text is None or "authorization" in request.headers or not same_origin(request):
        return None
    service: Service = request.app.state.service
    return service.holder(text, dataset) or await service.issued(text)


@router.get("/sign-in")
async def asked(request: Request) -> Response:
    """The sign-in page, with a field for the token."""
    return page(request, "sign_in.html", back="/console", expired=False, kept={})


@router.post("/sign-in")
async def sign_in(request: Request, service: Running) -> Response:
    """Keep a valid token in a cookie until the browser is closed."""
    form = await form_of(request)
    kept = question_in(form) if same_origin(request) else {}
    text, back = form.get("token", "").strip(), form.get("back", "")
    service.rate.take(f"sign-in {request.client and request.client.host}")
    known = any(Tokens(state).holder(text) is not None for state in service.datasets.states.values())
    if not known or not same_origin(request):
        return page(request, "sign_in.html", status=401, back=back, wrong=True, expired=False, kept=kept)
    response: Response = RedirectResponse(place(back), 303)
    if kept:
        response = page(request, "go_on.html", target=place(back), kept=kept)
    response.set_cookie(NAME, text, httponly=True, samesite="strict", secure=is_secure(request), path="/")
    return response


def is_secure(request: Request) -> bool:
    """Whether the browser speaks TLS, perhaps to a proxy."""
    return request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """Forget the token in this browser. It stays valid."""
    response = RedirectResponse("/console/sign-in", 303)
    if same_origin(request):
        response.delete_cookie(NAME, path="/")
    return response
