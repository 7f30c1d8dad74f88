"""The API on one page. The page needs no script, and nothing from other servers."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from noiseless.app.service.caller import no_token_needed

router = APIRouter(include_in_schema=False, dependencies=[Depends(no_token_needed)])
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
STYLE = """:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace }
section { border-top: 1px solid; padding: .5rem 0 }
h2 { margin-top: 2.5rem }
h3 { margin: .5rem 0; font-weight: 600 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; border-bottom: 1px solid #8884 }
"""


@router.get("/docs")
async def page(request: Request) -> Response:
    """All paths, what they take, and what they give."""
    document = request.app.openapi()
    body = "".join(_parts(document))
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>noiseless: the API</title>'
    html = (
        f'<!doctype html><html lang="en"><head>{head}<link rel="stylesheet" href="docs/style.css"></head><body>{body}'
    )
    return Response(
        f"{html}</body></html>", media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY}
    )


@router.get("/docs/style.css")
async def style() -> Response:
    """How the page looks."""
    return Response(STYLE, media_type="text/css")


def _parts(document: dict[str, Any]) -> Iterator[str]:
    yield f"<h1>noiseless {escape(document['info']['version'])}</h1><p>{escape(document['info']['description'])} "
    yield 'For programs: <a href="openapi.json">openapi.json</a>. Send a token in the header '
    yield "<code>Authorization: Bearer …</code>. Whatever spends takes an <code>Idempotency-Key</code>.</p>"
    group = ""
    for path, operations in document["paths"].items():
        for method, said in operations.items():
            if (tag := said["tags"][0]) != group:
                group = tag
                yield f"<h2>{escape(tag)}</h2>"
            yield from _operation(path, method, said, document["components"]["schemas"])


def _operation(path: str, method: str, said: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    roles = ", ".join(said.get("x-roles", ["no token needed"]))
    yield f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>"
    yield f"<p>{escape(said.get('description', ''))} <small>({escape(roles)})</small></p>"
    rows = [
        (f"{each['name']} ({each['in']})", each.get("description", _type(each["schema"])), each.get("required", False))
        for each in said.get("parameters", ())
    ]
    content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    if (name := content.get("schema", {}).get("$ref", "").rpartition("/")[2]) in schemas:
        needed = schemas[name].get("required", ())
        for field, each in schemas[name].get("properties", {}).items():
            rows.append((field, each.get("description", _type(each)), field in needed))
    if rows:
        yield "<table>"
        for field, words, required in rows:
            yield f"<tr><th><code>{escape(field)}</code>{' *' if required else ''}</th><td>{escape(words)}</td></tr>"
        yield "</table>"
    yield "</section>"


def _type(schema: dict[str, Any]) -> str:
    """The type of a field in a word."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each) for each in schema["anyOf"] if each.get("type") != "null"))
    return str(schema.get("type", schema.get("$ref", "").rpartition("/")[2] or "anything"))
