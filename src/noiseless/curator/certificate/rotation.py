"""Rotations: each replacement of the signing key is in the ledger, signed by the old key and by the new one.

Anyone who trusts the old key can then trust the new one. The reverse is not safe: the old key may have been replaced
because someone else knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.certificate.certificate import canonical_bytes
from noiseless.curator.certificate.keys import PrivateKey, signature_holds
from noiseless.errors import CertificateError

FORMAT = "noiseless rotation 1"
FIELDS = ("old", "new", "by_old", "by_new")
MOST_KEYS = 1000


def rotation(dataset: str, old: PrivateKey, new: PrivateKey) -> dict[str, str]:
    """The body of the entry that says which key follows."""
    text = _signed(dataset, old.public, new.public)
    return {"old": old.public, "new": new.public, "by_old": old.sign(text), "by_new": new.sign(text)}


def trusted_keys(key: str, dataset: str, rotations: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The key and those that followed it. Refused if a rotation is not signed by both of its keys."""
    found = [key]
    for place, body in enumerate(rotations):
        if place >= MOST_KEYS or not all(isinstance(body.get(name), str) for name in FIELDS):
            raise CertificateError("this is not a list of rotations; ask the custodian for an export of the ledger")
        text = _signed(dataset, body["old"], body["new"])
        if not all(signature_holds(body[name], body[f"by_{name}"], text) for name in ("old", "new")):
            raise CertificateError(
                f"the rotation from key {body['old'][:8]}… is not signed by both keys; ask the custodian for an export"
            )
        if body["old"] == found[-1]:
            found.append(body["new"])
    return tuple(found)


def _signed(dataset: str, old: str, new: str) -> bytes:
    return canonical_bytes({"format": FORMAT, "dataset": dataset, "old": old, "new": new})
