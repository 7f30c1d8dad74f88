"""Forms with files (multipart/form-data), so that files can be sent without scripts."""

from __future__ import annotations

from email.message import Message
from email.parser import BytesHeaderParser

from fastapi import Request

from noiseless.app.service.problems import Problem

FORM = "multipart/form-data"
MOST_PARTS = 100


async def parts_of(request: Request) -> dict[str, bytes]:
    """The bytes of every field, or of its file. If a field is sent twice, the last one counts."""
    said = Message()
    said["content-type"] = request.headers.get("content-type", "")
    boundary = said.get_param("boundary")
    if said.get_content_type() != FORM or not isinstance(boundary, str) or not boundary.isascii():
        raise Problem(415, "unsupported-media-type", "the body is not a form of this type", f"send it as {FORM}")
    pieces = (b"\r\n" + await request.body()).split(b"\r\n--" + boundary.encode())
    if len(pieces) > MOST_PARTS + 2 or not pieces[-1].startswith(b"--"):
        raise Problem(422, "malformed", "the form cannot be read", "send it again from the page")
    found: dict[str, bytes] = {}
    for piece in pieces[1:-1]:
        head, _, content = piece.partition(b"\r\n\r\n")
        name = BytesHeaderParser().parsebytes(head.lstrip()).get_param("name", header="content-disposition")
        found[str(name)] = content
    return found


async def texts_and_files(request: Request, *files: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """The fields that are texts, and those that are files."""
    parts = await parts_of(request)
    try:
        texts = {name: content.decode() for name, content in parts.items() if name not in files}
    except UnicodeDecodeError:
        raise Problem(422, "malformed", "a field is not text", "send the form again from the page") from None
    return texts, {name: parts.get(name, b"") for name in files}
