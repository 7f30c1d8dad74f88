"""Whether a certificate can be trusted: its counts, and who signed it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.certificate.certificate import COPY_FORMAT, DEDUCTION_FORMAT, FORMAT, Certificate
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts, check_file
from noiseless.curator.certificate.keys import signature_holds
from noiseless.curator.certificate.rotation import trusted_keys
from noiseless.errors import CertificateError
from noiseless.exact.number import written


@dataclass(frozen=True, slots=True, repr=False)
class Verified:
    """A certificate that was verified. `trusted` says that the key you gave signed it.

    An unsigned certificate is consistent, but anyone could have written it: see `signed`. `count` is computed again. If
    the question has several steps, it is at least the promised one, which also counts the steps that other data would
    have made necessary. Earlier steps may be paid for already.
    """

    certificate: Certificate
    count: int
    signed_by: str
    trusted: bool

    @property
    def signed(self) -> bool:
        """Whether the custodian vouches for what cannot be recomputed: that the numbers come from the table."""
        return self.certificate.signed

    def __repr__(self) -> str:
        if not self.signed:
            by = "not signed, so anyone may have written it"
        else:
            by = "signed by the key you trust" if self.trusted else f"signed by {self.signed_by}; compare that key"
        return f"Verified: at most {written(self.count)} answers per person; {by}"

    @property
    def whole(self) -> bool:
        """Whether everything that can be recomputed was recomputed.

        For format 1, only the counts of named releases were. A deduced answer may have numbers that are stated without
        a proof.
        """
        known = self.certificate.content["format"] in (FORMAT, COPY_FORMAT, DEDUCTION_FORMAT)
        return known and not self.unproved

    @property
    def unproved(self) -> int:
        """How many numbers of a deduced answer are stated without a proof, such as variances."""
        return sum(number[0] == "stated" for number in self.certificate.content.get("numbers", ()))


def verify(
    certificate: Certificate | str | Path,
    key: str | None = None,
    file: str | Path | None = None,
    rotations: Iterable[Mapping[str, Any]] = (),
) -> Verified:
    """Recompute the releases, counts and numbers, and check the signature. Refused with what is wrong.

    `file` is the released copy, if the certificate is about one. It must be the certified file, and the certificate
    must allow every value in it. `key` is the custodian's public key in hexadecimal. Without it the signature must
    still be valid, but you must check yourself whose key it is. With `rotations`, as `Curator.rotations` lists them, a
    key that followed this one is trusted, too.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.from_json(_text(certificate))
    try:
        count = check_counts(certificate.content)
        if {"steps", "centred"} & set(certificate.content):
            count = max(count, int(certificate.content["count"]))
        _check_signature(certificate)
        _check_key(certificate, key, rotations)
        if file is not None:
            _check_file(certificate, Path(file))
    except WrongCertificateError as wrong:
        raise CertificateError(f"the certificate is wrong: {wrong}; ask the custodian for the original") from None
    return Verified(certificate, count, certificate.key, key is not None)


def _check_signature(certificate: Certificate) -> None:
    if certificate.signed and not signature_holds(certificate.key, certificate.signature, certificate.signed_text()):
        raise CertificateError(
            "the signature does not fit the certificate: something in it was changed; ask the custodian for the "
            "original"
        )
    if bool(certificate.key) != certificate.signed:
        raise CertificateError("the certificate has only one of key and signature; ask the custodian for the original")


def _check_key(certificate: Certificate, key: str | None, rotations: Iterable[Mapping[str, Any]]) -> None:
    if key is not None:
        signed_by = certificate.key if certificate.signed else ""
        check_key(signed_by, key, str(certificate.content.get("dataset")), rotations)


def check_key(signed_by: str, trusted: str, dataset: str, rotations: Iterable[Mapping[str, Any]]) -> None:
    """Refuse what was signed neither by the trusted key nor by one that followed it."""
    given = trusted.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", given):
        raise CertificateError(
            "the key to trust must be a public key of 64 hexadecimal digits, as `noiseless keys show` prints it"
        )
    if not signed_by or signed_by not in trusted_keys(given, dataset, rotations):
        raise CertificateError(
            "the certificate was signed with another key than the one given; ask the custodian which key is theirs"
        )


def _text(given: str | Path) -> str:
    """The certificate itself, read from its file if necessary."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given
    try:
        return Path(given).read_text(encoding="utf-8")
    except (OSError, TypeError, ValueError):
        pass
    raise CertificateError(f"cannot read the file {str(given)[:80]!r}; name a certificate")


def _check_file(certificate: Certificate, file: Path) -> None:
    """Check by SHA-256 that a file is the released copy, and that the certificate allows everything in it."""
    certified = certificate.content.get("sha256")
    if not isinstance(certified, str) or not certified:
        raise CertificateError("this is the certificate of an answer, not of a copy; leave out the file")
    try:
        with file.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        raise CertificateError(
            f"cannot read the file {str(file)!r}; check that it exists and that you may read it"
        ) from None
    if found != certified:
        raise CertificateError(
            f"{str(file)!r} is not the file that was certified, or was changed since; ask for the original"
        )
    check_file(certificate.content, file)
