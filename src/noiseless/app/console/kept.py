"""Keeps the question that was typed when a session ends: the sign-in page carries it, and shows it again afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from fastapi import Request

from noiseless.app.console.forms import form_of
from noiseless.app.service.problems import Problem

FIELDS = ("sql", "precision", "amount", "basket")
SAFE = ("GET", "HEAD")


def same_origin(request: Request) -> bool:
    """Whether a request that may change something was sent by a page of this server."""
    if request.method in SAFE:
        return True
    host = request.headers.get("host", "")
    return host != "" and urlsplit(request.headers.get("origin", "")).netloc == host


async def kept(request: Request) -> dict[str, str]:
    """The question of a form that came from a page of this server."""
    if request.method in SAFE or not same_origin(request):
        return {}
    try:
        return question_in(await form_of(request))
    except Problem:
        return {}


def question_in(form: Mapping[str, str]) -> dict[str, str]:
    """The fields of a question, if there is one."""
    found = {name: form[name] for name in FIELDS if form.get(name)}
    return found if "sql" in found or "basket" in found else {}


def place(path: str) -> str:
    """Where to go after signing in. It is always a page of the console."""
    safe = path.startswith("/console/") and "//" not in path and "\\" not in path and path.isprintable()
    return path if safe else "/console"


def page_of(request: Request) -> str:
    """The page that a form came from. A form is not always sent to its own page."""
    sent_to = quote(request.scope["path"])
    return sent_to if request.method in SAFE else place(urlsplit(request.headers.get("referer", "")).path or sent_to)
