"""How the checker reports that something is wrong."""

from __future__ import annotations

from typing import Any


class WrongCertificateError(Exception):
    """A certificate that contradicts itself."""


def require(holds: bool, otherwise: str) -> None:
    """Refuse the certificate with this reason, unless the condition holds."""
    if not holds:
        raise WrongCertificateError(otherwise)


def elements(given: Any) -> list[Any]:
    """A list, refused if it is a text or a mapping."""
    require(isinstance(given, list), "something is not a list that should be one")
    return list(given)


def pairs(given: Any) -> list[tuple[Any, Any]]:
    """A list of lists of two."""
    found = [elements(each) for each in elements(given)]
    require(all(len(each) == 2 for each in found), "something is not a pair that should be one")
    return [(one, two) for one, two in found]
