"""Data as they were declared: inside the domain, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.privacy.domain import Codes, Domain, Values
from noiseless.privacy.mechanisms.binning import float_not_above, float_not_below
from noiseless.privacy.mechanisms.quantizer import Outside, missing_error
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.query import Query


def within_domain(query: Query | Histogram, values: NDArray[Any], outside: Outside) -> NDArray[Any]:
    """The values, every one of them in the declared domain."""
    if isinstance(query, Histogram):
        return _listed(values, query.values)
    if _has_missing(values):
        raise missing_error()
    if isinstance(query.domain, Values):
        return _listed(values, query.domain.members)
    if isinstance(query.domain, Codes) and any(value != int(value) for value in values.tolist()):
        raise DomainError("a value is not an integer; codes are integers from 0 to the top")
    if outside == "clamp":
        return _clamped(values, query.domain)
    if len(values) and not (query.domain.low <= min(values.tolist()) and max(values.tolist()) <= query.domain.high):
        raise DomainError(
            f"a value lies outside [{query.domain.low}, {query.domain.high}]; "
            f"declare wider bounds, or pass outside='clamp'"
        )
    return values


def _has_missing(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "f":
        return bool(np.isnan(values).any())
    return any(value is None or value != value for value in values.tolist())


def _clamped(values: NDArray[Any], domain: Domain) -> NDArray[Any]:
    if values.dtype.kind == "f":
        clipped: NDArray[Any] = np.clip(values, float_not_below(domain.low), float_not_above(domain.high))
        return clipped
    clamped = np.empty(len(values), dtype=object)
    clamped[:] = [min(max(value, domain.low), domain.high) for value in values.tolist()]
    return clamped


def _listed(values: NDArray[Any], allowed: Any) -> NDArray[Any]:
    known = set(allowed)
    if not all(value in known for value in values.tolist()):
        raise DomainError("a value is not among those declared; declare it, or map it to one that is")
    return values
