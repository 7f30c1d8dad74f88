"""How the checker says that something does not fit."""

from __future__ import annotations


class WrongCertificateError(Exception):
    """A certificate that contradicts itself."""


def require(holds: bool, otherwise: str) -> None:
    """Refuse the certificate, with the reason, unless something holds."""
    if not holds:
        raise WrongCertificateError(otherwise)
