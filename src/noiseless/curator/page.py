"""One self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import isfinite
from typing import Any

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2631; }
h1 { font-size: 1.6rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100%; font-size: .95rem }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d5d8dc; vertical-align: middle }
code { background: #f4f6f7; padding: .1rem .3rem; border-radius: 3px } small { color: #566573 }
.yes { color: #1e8449 } .no { color: #b03a2e }
"""


def page(title: str, sections: Iterable[tuple[str, str]]) -> str:
    """A page with a title and sections; each section is a heading and its HTML."""
    body = "".join(f"<h2>{escape(heading)}</h2>{html}" for heading, html in sections)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def table_of(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A plain table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def finite(fields: Any) -> Any:
    """The same value with texts in place of numbers that JSON does not have."""
    if isinstance(fields, dict):
        return {name: finite(value) for name, value in fields.items()}
    if isinstance(fields, (list, tuple)):
        return [finite(value) for value in fields]
    return str(fields) if isinstance(fields, float) and not isfinite(fields) else fields
