"""A certificate: everything that determines the count of an answer, in canonical JSON, signed by the custodian."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rfc8785

from noiseless.curator.certificate.keys import PrivateKey
from noiseless.errors import CertificateError
from noiseless.exact.readable import printable

FORMAT = "noiseless certificate 2"
COPY_FORMAT = "noiseless microdata certificate 2"
DEDUCTION_FORMAT = "noiseless deduction certificate 1"


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """The content, the public key and the signature, both in hexadecimal and empty if the custodian has no key."""

    content: Mapping[str, Any]
    key: str = ""
    signature: str = ""

    @property
    def signed(self) -> bool:
        """Whether there is a signature."""
        return bool(self.signature)

    def __repr__(self) -> str:
        content = self.content
        about = content.get("question") or f"a copy of {content.get('table', 'an unnamed table')}"
        signed = "with a signature" if self.signed else "not signed"
        count = content.get("count", "an unknown number of")
        return printable(
            f"Certificate of {about}: claims at most {count} answers per person; {signed}, not verified yet"
        )

    def to_json(self) -> str:
        """The certificate as canonical JSON (RFC 8785)."""
        return canonical_bytes({"content": self.content, "key": self.key, "signature": self.signature}).decode()

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """Read what `to_json` wrote. A field that occurs twice, or a number that is not a text, is refused."""
        try:
            whole = json.loads(
                text, object_pairs_hook=_once, parse_int=_refused, parse_float=_refused, parse_constant=_refused
            )
            if set(whole) == {"content", "key", "signature"} and isinstance(whole["content"], dict):
                content, key, signature = whole["content"], whole["key"], whole["signature"]
                if isinstance(key, str) and isinstance(signature, str):
                    return cls(content, key, signature)
        except (ValueError, TypeError, RecursionError):
            pass
        raise CertificateError(
            "this is not a certificate; a certificate is JSON with content, key and signature, each field once and "
            "every number as text"
        )

    def signed_text(self) -> bytes:
        """The bytes that are signed."""
        return canonical_bytes(self.content)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields. Refused if one occurs twice, because readers differ in which of the two they take."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is named twice")
    return fields


def _refused(number: str) -> Any:
    raise ValueError("numbers are written as texts, so that no reader rounds them")


def seal(content: Mapping[str, Any], key: PrivateKey | None) -> Certificate:
    """The certificate of a content, with its id (the SHA-256 of everything else), and signed if there is a key."""
    whole = {**content, "id": hashlib.sha256(canonical_bytes(content)).hexdigest()}
    if key is None:
        return Certificate(whole)
    return Certificate(whole, key.public, key.sign(canonical_bytes(whole)))


def canonical_bytes(content: Mapping[str, Any]) -> bytes:
    """The content as bytes, in the only form that is signed."""
    try:
        return bytes(rfc8785.dumps(content))
    except (rfc8785.CanonicalizationError, RecursionError, UnicodeError):
        pass
    raise CertificateError("the content cannot be written as canonical JSON; use texts, lists and mappings only")
