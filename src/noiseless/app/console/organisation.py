"""Signing in with OpenID Connect: the issuer identifies the person, and its token becomes the cookie.

The authorization code flow with PKCE. A short-lived cookie binds the answer of the issuer to this browser, so that
nobody can be signed in with a link that somebody else made.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated, Any
from urllib.parse import urlencode
from urllib.request import Request as Sent
from urllib.request import urlopen

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from noiseless.app.console.rendering import page
from noiseless.app.console.session import NAME, is_secure
from noiseless.app.service.caller import no_token_needed
from noiseless.app.service.parameters import Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.running import Service
from noiseless.app.service.settings import SignIn
from noiseless.app.service.sign_in import LARGEST, PATIENCE

router = APIRouter(dependencies=[Depends(no_token_needed)])
FLOW, PATH, MINUTES = "noiseless_sign_in", "/console/sign-in", 10
LONGEST_COOKIE = 3900
"""The most characters of a token that browsers keep in a cookie."""


@router.get("/sign-in/issuer")
async def begin(request: Request, service: Running) -> Response:
    """Send the browser to the issuer."""
    said = _said(service)
    state, verifier, nonce = (token_urlsafe(32) for _ in range(3))
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {"response_type": "code", "client_id": said.client, "redirect_uri": _back(request), "scope": said.scope}
    asked |= {"state": state, "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256"}
    mark = "&" if "?" in said.authorize else "?"
    response = RedirectResponse(f"{said.authorize}{mark}{urlencode(asked)}", 303)
    bound = f"{state}.{verifier}.{nonce}"
    more: Any = {"httponly": True, "samesite": "lax", "secure": is_secure(request), "path": PATH}
    response.set_cookie(FLOW, bound, max_age=60 * MINUTES, **more)
    return response


@router.get("/sign-in/back")
async def back(
    request: Request,
    service: Running,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Receive the issuer's answer. Its token becomes the cookie, if it is for this browser and gives a role here."""
    said = _said(service)
    service.rate.take(f"sign-in {request.client and request.client.host}")
    expected, verifier, nonce = [*request.cookies.get(FLOW, "").split("."), "", ""][:3]
    text = None
    if code and expected and hmac.compare_digest(expected.encode(), state.encode()):
        given = await asyncio.to_thread(_exchanged, said, code, verifier, _back(request))
        text = await _session(service, said, given, nonce)
    if text is None:
        return page(request, "sign_in.html", status=401, back="/console", wrong=True, expired=False, kept={})
    response = page(request, "signed_in.html")  # a redirect from elsewhere would come without the strict cookie
    response.set_cookie(NAME, text, httponly=True, samesite="strict", secure=is_secure(request), path="/")
    response.delete_cookie(FLOW, path=PATH)
    return response


def _said(service: Service) -> SignIn:
    said = service.settings.sign_in
    if said is None or not said.in_browser:
        raise Problem(404, "unknown-path", "this server has no issuer for browsers", "sign in with a token")
    return said


def _back(request: Request) -> str:
    """The address of `back` as the browser sees it. The issuer knows which ones are allowed."""
    return f"{'https' if is_secure(request) else 'http'}://{request.headers.get('host', '')}{PATH}/back"


def _exchanged(said: SignIn, code: str, verifier: str, back: str) -> dict[str, Any]:
    """The issuer's tokens for a code; none if it refuses or does not answer."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "client_id": said.client}
    form["code_verifier"] = verifier
    try:
        if said.secret:
            form["client_secret"] = Path(said.secret).read_text(encoding="utf-8").strip()
        asked = Sent(said.token, urlencode(form).encode(), {"Accept": "application/json"})
        with urlopen(asked, timeout=PATIENCE) as response:
            found = json.loads(response.read(LARGEST))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


async def _session(service: Service, said: SignIn, given: dict[str, Any], nonce: str) -> str | None:
    """The token that identifies the browser from now on. The identity token must have been made for this sign-in."""
    identity, access = (str(given.get(name) or "") for name in ("id_token", "access_token"))
    issuer = service.issuer
    claims = None if issuer is None else await asyncio.to_thread(issuer.claims, identity, said.client)
    if claims is None or not nonce or not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        return None
    for text in (access, identity):
        if 0 < len(text) <= LONGEST_COOKIE and await service.issued(text) is not None:
            return text
    return None
