"""Data as declared: values outside the domain are refused or clamped."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError
from noiseless.privacy.domain import Codes, Domain, Values
from noiseless.privacy.quantizers.binning import ceiling_of, float_not_above, float_not_below, floor_of
from noiseless.privacy.quantizers.containers import number_of
from noiseless.privacy.quantizers.quantizer import Outside, missing_error
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.query import Query
from noiseless.theory.coding import is_missing


def within_domain(query: Query | Histogram, values: NDArray[Any], outside: Outside) -> NDArray[Any]:
    """The values, all in the declared domain: floats, or exact numbers as Fractions."""
    if outside not in ("raise", "clamp"):
        raise InputError(f"outside={outside!r} is not valid; use 'raise' or 'clamp'")
    if isinstance(query, Histogram):
        return _listed(values, query.values)
    if values.dtype.kind == "f" and values.dtype.itemsize <= 8 and not isinstance(query.domain, (Codes, Values)):
        return _floats(values.astype(np.float64, copy=False), query.domain, outside)
    if values.dtype.kind in "iu" and not isinstance(query.domain, Values) and _all_inside(values, query.domain):
        return values
    exact = np.empty(len(values), dtype=object)
    exact[:] = [_number(value, query.domain, outside) for value in values.tolist()]
    return exact


def _floats(values: NDArray[np.float64], domain: Domain, outside: Outside) -> NDArray[np.float64]:
    """Floats of an interval. The float nearest to a bound means the bound, and is moved inside."""
    if np.isnan(values).any():
        raise missing_error()
    if outside == "raise" and not np.all((values >= floor_of(domain.low)) & (values <= ceiling_of(domain.high))):
        raise outside_domain(domain)
    return np.clip(values, float_not_below(domain.low), float_not_above(domain.high))


def _all_inside(values: NDArray[Any], domain: Domain) -> bool:
    return not len(values) or (domain.low <= int(values.min()) and int(values.max()) <= domain.high)


def _number(value: Any, domain: Domain, outside: Outside) -> Fraction:
    if is_missing(value):
        raise missing_error()
    if isinstance(value, bool) and isinstance(domain, Codes):
        value = int(value)
    number = number_of(value)
    if isinstance(domain, Values):
        if number not in domain.members:
            raise DomainError("a value is not declared; declare it, or map it to a declared one")
    elif not domain.low <= number <= domain.high:
        if outside == "raise":
            raise outside_domain(domain)
        number = min(max(number, domain.low), domain.high)
    if isinstance(domain, Codes) and Fraction(number).denominator != 1:
        raise DomainError("a value is not an integer; give codes, which are integers from 0 to top")
    return Fraction(number)


def outside_domain(domain: Domain) -> DomainError:
    """The error names what was declared, not the value."""
    return DomainError(
        f"a value lies outside [{domain.low}, {domain.high}]; declare wider bounds, or pass outside='clamp'"
    )


def _listed(values: NDArray[Any], allowed: Iterable[Hashable]) -> NDArray[Any]:
    known = set(allowed)
    if not all(isinstance(value, Hashable) and value in known for value in values.tolist()):
        raise DomainError("a value is not declared; declare it, or map it to a declared one")
    return values
