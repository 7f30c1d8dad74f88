"""A certificate: everything about an answer that its count follows from, in canonical JSON, signed by the custodian."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rfc8785

from noiseless.errors import CertificateError

FORMAT = "noiseless certificate 1"


@dataclass(frozen=True, slots=True)
class Certificate:
    """The content, the public key and the signature, both in hexadecimal; empty where the custodian has no key."""

    content: Mapping[str, Any]
    key: str = ""
    signature: str = ""

    @property
    def signed(self) -> bool:
        """Whether there is a signature at all."""
        return bool(self.signature)

    def to_json(self) -> str:
        """As canonical JSON (RFC 8785)."""
        return canonical_bytes({"content": self.content, "key": self.key, "signature": self.signature}).decode()

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """The certificate that `to_json` wrote."""
        try:
            whole = json.loads(text)
            if set(whole) == {"content", "key", "signature"} and isinstance(whole["content"], dict):
                return cls(whole["content"], str(whole["key"]), str(whole["signature"]))
        except (ValueError, TypeError, RecursionError):
            pass
        raise CertificateError("this is no certificate: content, key and signature in JSON are needed")

    def signed_text(self) -> bytes:
        """What the signature is of."""
        return canonical_bytes(self.content)


def canonical_bytes(content: Mapping[str, Any]) -> bytes:
    """The one text of a content."""
    try:
        return bytes(rfc8785.dumps(content))
    except (rfc8785.CanonicalizationError, RecursionError, UnicodeError):
        pass
    raise CertificateError("the content is not canonical JSON: it holds a number or a text that has no one form")
