"""A ledger and its certificates in one file. Anyone who knows the custodian's public key can verify it.

The chain of hashes alone would not show that its end was cut off. So the custodian signs the last entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.certificate.certificate import Certificate, canonical_bytes
from noiseless.curator.certificate.keys import PrivateKey, signature_holds
from noiseless.curator.certificate.rotation import trusted_keys
from noiseless.curator.certificate.verify import check_key, verify
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.errors import CertificateError, LedgerError

FORMAT = "noiseless export 1"


@dataclass(frozen=True, slots=True)
class Export:
    """The entries of a dataset, the certificates of its questions, and the custodian's signature of the last entry."""

    dataset: str
    entries: tuple[Entry, ...]
    certificates: tuple[Certificate, ...]
    uncertified: tuple[int, ...] = ()
    """The numbers of questions without a certificate, such as copies, which come with their own."""
    key: str = ""
    signature: str = ""

    def signed(self, key: PrivateKey | None) -> Export:
        """The same export, with the custodian's signature of its last entry if there is a key."""
        if key is None:
            return self
        text = self._head()
        return Export(self.dataset, self.entries, self.certificates, self.uncertified, key.public, key.sign(text))

    @property
    def rotations(self) -> list[Mapping[str, Any]]:
        """Every replacement of the signing key, with both signatures."""
        return [entry.body for entry in self.entries if entry.kind == "rotate"]

    def write(self) -> Iterator[str]:
        """The lines of the file: what it is, then entries, then certificates."""
        head = {"format": FORMAT, "dataset": self.dataset, "key": self.key, "signature": self.signature}
        yield json.dumps(head | {"uncertified": list(map(str, self.uncertified))})
        for entry in self.entries:
            yield json.dumps({"entry": entry.write()}, ensure_ascii=False)
        for certificate in self.certificates:
            yield json.dumps({"certificate": certificate.to_json()}, ensure_ascii=False)

    @classmethod
    def read(cls, lines: Iterable[str]) -> Export:
        """Read what `write` wrote."""
        entries, certificates = list[Entry](), list[Certificate]()
        try:
            first, *rest = map(json.loads, lines)
            if first["format"] != FORMAT:
                raise ValueError("another format")
            for line in rest:
                if "entry" in line:
                    entries.append(Entry.read(line["entry"]))
                else:
                    certificates.append(Certificate.from_json(line["certificate"]))
            uncertified = tuple(map(int, first["uncertified"]))
            return cls(
                str(first["dataset"]),
                tuple(entries),
                tuple(certificates),
                uncertified,
                str(first["key"]),
                str(first["signature"]),
            )
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            pass
        raise CertificateError(
            "this is not an export of a ledger; ask the custodian for the file that `noiseless export` writes"
        )

    def verify(self, key: str | None = None) -> int:
        """The number of entries, if all of them and all certificates are right. Refused with what is wrong.

        `key` is the custodian's public key; keys that followed it in this ledger are trusted, too.
        """
        if not self.entries or self.entries[0].body.get("id") != self.dataset:
            raise LedgerError("the export is of another dataset than it says; ask the custodian for another")
        found = verify_ledger(self.entries)
        if self.signature and not signature_holds(self.key, self.signature, self._head()):
            raise CertificateError(
                "the last entry of the export is not the one that was signed; ask for another export"
            )
        if key is not None:
            check_key(self.key, key, self.dataset, self.rotations)
        trusted_keys(self.key, self.dataset, self.rotations)
        for certificate in self.certificates:
            self._check(certificate, key)
        return found

    def _check(self, certificate: Certificate, key: str | None) -> None:
        verify(certificate, key, rotations=self.rotations)
        content = certificate.content
        said = [content["ledger"], *content.get("steps", ())]
        pairs = [(each["entry"], each["hash"]) for each in said]
        pairs += [(each["answer"], each["answer_hash"]) for each in said if "answer" in each]
        hashes = {str(entry.number): entry.hash for entry in self.entries}
        if content["dataset"] != self.dataset or any(hashes.get(number) != digest for number, digest in pairs):
            raise CertificateError(
                f"the certificate of entry {content['ledger']['entry']} is not of this ledger; ask for another export"
            )

    def _head(self) -> bytes:
        last = self.entries[-1]
        said = {"format": FORMAT, "dataset": self.dataset, "entry": str(last.number), "hash": last.hash}
        return canonical_bytes(said)


def is_export(path: str | Path) -> bool:
    """Whether a file begins as an export does."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.readline(1000).startswith(f'{{"format": "{FORMAT}"')
    except (OSError, ValueError):
        return False


def read_export(path: str | Path) -> Export:
    """The export in a file."""
    try:
        return Export.read(Path(path).read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        pass
    raise CertificateError(f"cannot read the file {str(path)[:80]!r}; name an export, as `noiseless export` writes it")
