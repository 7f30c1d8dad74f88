"""The pages of the documentation, so that every promise links to its explanation, even without a network."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, Request, Response
from markupsafe import Markup

from noiseless.app.console.rendering import page
from noiseless.app.service.caller import no_token_needed
from noiseless.app.service.problems import Problem

if TYPE_CHECKING:
    from markdown_it.token import Token

router = APIRouter(dependencies=[Depends(no_token_needed)])
HERE = Path(__file__)
PLACES = (HERE.parent / "documents", HERE.parents[4] / "docs")
"""Where the pages are: in an installed package, or in a clone of the repository."""
NAME = re.compile(r"[a-z_]{1,60}")
ANCHOR = re.compile(r"[^\w -]")


@router.get("/docs/{name}")
async def document(request: Request, name: str) -> Response:
    """A page of the documentation."""
    text = read(name)
    if text is None:
        raise Problem(404, "unknown-page", "the documentation has no such page here", "read docs/ in the repository")
    title = text.partition("\n")[0].lstrip("# ")
    return page(request, "document.html", title=title, text=Markup(html(text)))


@cache
def read(name: str) -> str | None:
    """The text of a page; None if there is none of this name."""
    if not NAME.fullmatch(name):
        return None
    found = (place / f"{name}.md" for place in PLACES)
    return next((file.read_text(encoding="utf-8") for file in found if file.is_file()), None)


@cache
def html(text: str) -> str:
    """The page without pictures and without links that lead out of the documentation. HTML in it is shown as text."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    for place, token in enumerate(tokens):
        token.attrs.pop("style", None)  # the alignment of a column, but the content policy allows no styles
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[place + 1].content))
        for each in token.children or ():
            _in_place(each)
    return (
        str(reader.renderer.render(tokens, reader.options, {}))
        .replace("<table>", '<div class="wide"><table>')
        .replace("</table>", "</table></div>")
    )


def _in_place(token: Token) -> None:
    """Keep the links to other pages, and remove all others. Replace a picture with its description."""
    if token.type == "image":
        token.type, token.tag, token.content = "text", "", f"[picture: {token.content}]"
    elif token.type == "link_open":
        target, _, part = str(token.attrGet("href") or "").partition("#")
        known = target == "" or (target.endswith(".md") and read(target[:-3]) is not None)
        token.attrs.clear()
        if known:
            token.attrSet("href", f"{target[:-3]}{'#' if part else ''}{part}")


def _anchor(heading: str) -> str:
    """The name of a heading in links."""
    return ANCHOR.sub("", heading.lower()).strip().replace(" ", "-")
