"""Pages from templates. A strict policy allows nothing but this server's own styles and scripts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

import noiseless
from noiseless.app.console.navigation import menu
from noiseless.exact.number import written
from noiseless.exact.readable import bits_left_shown, bits_shown, number_shown

if TYPE_CHECKING:
    from noiseless.curator.answer.answer import Answer

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
MOST_DIGITS = 12
STYLES = re.compile(r' style="([a-z-]+):([a-z]+)"')


@cache
def environment() -> Environment:
    """The templates, in which every text is escaped."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"bits": bits_shown, "bits_left": bits_left_shown, "drawn": drawn, "charted": charted}
    found.filters |= {"certain": certain, "count": count_shown}
    found.globals |= {"version": noiseless.__version__, "menu": menu, "query": query}
    return found


def page(request: Request, template: str, status: int = 200, **shown: Any) -> Response:
    """Render a page. Its template knows who is signed in, and which dataset and which view the page is about."""
    caller = getattr(request.state, "caller", None)
    dataset, path = request.path_params.get("dataset"), quote(request.scope["path"])
    name = quote(dataset or "", safe="")
    issuer = (said := request.app.state.service.settings.sign_in) is not None and said.in_browser
    places = {"home": f"/console/d/{name}", "api": f"/datasets/{name}"}
    shown.setdefault("view", request.query_params.get("view"))
    text = (
        environment()
        .get_template(template)
        .render(caller=caller, issuer=issuer, dataset=dataset, path=path, **places, **shown)
    )
    return Response(text, status, HEADERS, "text/html; charset=utf-8")


def query(**given: Any) -> str:
    """The part of an address from ? on, without empty values."""
    kept = {name: value for name, value in given.items() if value}
    return f"?{urlencode(kept)}" if kept else ""


def certain(error: Any) -> str:
    """The error of a preview in words."""
    if error is None:
        return "depends on private data"
    return "exact" if error == 0 else f"± {number_shown(error, 'upper')}"


def count_shown(count: int) -> str:
    """A count. A long one is a power of two."""
    text = written(count)
    return text if len(text) <= MOST_DIGITS else f"2^{count.bit_length()}"


def charted(answer: Answer) -> Markup:
    """The charts of an answer that has groups."""
    from noiseless.app.console.charts import charts

    return Markup("".join(charts(answer)))


def drawn(answer: Answer) -> Markup:
    """The rows of an answer with their pictures, as in notebooks. The policy allows classes, and no styles."""
    from noiseless.curator.answer.drawn_html import rows_html

    return Markup(STYLES.sub(r' class="\1-\2"', rows_html(answer)))
