"""Whether a certificate can be believed: its counts, and who signed it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from noiseless.curator.certificate.certificate import COPY_FORMAT, FORMAT, Certificate
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts, check_file
from noiseless.curator.certificate.keys import signature_holds
from noiseless.errors import CertificateError
from noiseless.exact.number import written


@dataclass(frozen=True, slots=True, repr=False)
class Verified:
    """A certificate that holds. `trusted` says that it was signed by the key that was asked for.

    An unsigned one agrees with itself, but anybody can write such a certificate: see `signed`.
    """

    certificate: Certificate
    count: int
    signed_by: str
    trusted: bool

    @property
    def signed(self) -> bool:
        """Whether the custodian vouches for what cannot be computed: that these numbers are those of the table."""
        return self.certificate.signed

    def __repr__(self) -> str:
        if not self.signed:
            by = "not signed, so anybody may have written it"
        else:
            by = "signed by the key you trust" if self.trusted else f"signed by {self.signed_by}: compare that key"
        return f"Verified: at most {written(self.count)} answers per person; {by}"

    @property
    def whole(self) -> bool:
        """Whether all that can be computed was: of format 1 only the counts of what a certificate names."""
        return self.certificate.content["format"] in (FORMAT, COPY_FORMAT)


def verify(certificate: Certificate | str | Path, key: str | None = None, file: str | Path | None = None) -> Verified:
    """Derive the releases, counts and numbers anew and check the signature; refused with what is wrong.

    `file` is the released copy, if the certificate is of one: it must be the one that was certified, and every value in
    it one that the certificate allows. `key` is the custodian's public key in hexadecimal; without it the signature
    must hold, but you must know yourself whose it is.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.from_json(_text(certificate))
    try:
        count = check_counts(certificate.content)
        _check_signature(certificate)
        _check_key(certificate, key)
        if file is not None:
            _check_file(certificate, Path(file))
    except WrongCertificateError as wrong:
        raise CertificateError(f"the certificate is wrong: {wrong}") from None
    return Verified(certificate, count, certificate.key, key is not None)


def _check_signature(certificate: Certificate) -> None:
    if certificate.signed and not signature_holds(certificate.key, certificate.signature, certificate.signed_text()):
        raise CertificateError(
            "the signature does not fit the certificate: something in it was changed; ask the custodian for the "
            "original"
        )
    if bool(certificate.key) != certificate.signed:
        raise CertificateError("the certificate has only one of key and signature; ask the custodian for the original")


def _check_key(certificate: Certificate, key: str | None) -> None:
    if key is not None and not re.fullmatch("[0-9a-f]{64}", key.strip().lower()):
        raise CertificateError(
            "the key to trust must be a public key of 64 hexadecimal digits, as `noiseless keys show` prints it"
        )
    if key is not None and (not certificate.signed or certificate.key != key.strip().lower()):
        raise CertificateError(
            "the certificate was signed with another key than the one given; ask the custodian which key is theirs"
        )


def _text(given: str | Path) -> str:
    """The certificate itself, or the file it is in."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given
    try:
        return Path(given).read_text(encoding="utf-8")
    except (OSError, TypeError, ValueError):
        pass
    raise CertificateError(f"cannot read the file {str(given)[:80]!r}; name a certificate")


def _check_file(certificate: Certificate, file: Path) -> None:
    """That a file is the released copy, by its SHA-256, and that all of it is what the certificate allows."""
    certified = certificate.content.get("sha256")
    if not isinstance(certified, str) or not certified:
        raise CertificateError("this is the certificate of an answer, not of a copy; leave out the file")
    try:
        with file.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        raise CertificateError(f"cannot read the file {str(file)!r}") from None
    if found != certified:
        raise CertificateError(
            f"{str(file)!r} is not the file that was certified, or was changed since; ask for the original"
        )
    check_file(certificate.content, file)
