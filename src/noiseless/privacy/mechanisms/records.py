"""Data as declared: values outside the domain are refused or clamped."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError
from noiseless.privacy.domain import Codes, Domain, Values
from noiseless.privacy.quantizers.binning import ceiling_of, float_not_above, float_not_below, floor_of
from noiseless.privacy.quantizers.containers import number_of, unpack
from noiseless.privacy.quantizers.quantizer import Outside, missing_error
from noiseless.privacy.queries.bounded import Bounded
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.own_domains import OwnDomains
from noiseless.privacy.queries.query import Query
from noiseless.theory.coding import is_missing
from noiseless.theory.ranges.interval import Interval


def within_domain(query: Query | Histogram, values: NDArray[Any], outside: Outside) -> NDArray[Any]:
    """The values, all in the declared domain: floats, or exact numbers as Fractions."""
    _known(outside)
    if isinstance(query, Histogram):
        return _listed(values, query.values)
    if isinstance(query, OwnDomains):
        return _each_in_their_own(values, query.domains, outside)
    assert query.domain is not None
    return _all_in(values, query.domain, outside)


def computed_value(query: Bounded, data: Any, outside: Outside) -> Fraction:
    """The value of a query that is declared by its bounds, computed here or given as the data, and checked."""
    _known(outside)
    if query.function is not None and not isinstance(data, Mapping) and hasattr(data, "__len__"):
        right_number(query.n, len(data))
    values = unpack(query.evaluate(data))[0]
    if len(values) != 1:
        raise DomainError(
            "the query's value is not one number; give the value, or declare function=, which computes it from the data"
        )
    value = Fraction(_all_in(values, Interval(query.low, query.high), outside)[0])
    if query.step is not None and ((value - query.low) / query.step).denominator != 1:
        raise DomainError(
            f"the query's value is not on the declared grid of step={query.step}; give it as an integer, a Fraction or "
            f"a Decimal, or declare no step"
        )
    return value


def _known(outside: Outside) -> None:
    if outside not in ("raise", "clamp"):
        raise InputError(f"outside={outside!r} is not valid; use 'raise' or 'clamp'")


def right_number(declared: int, given: int) -> None:
    """Refuse data about a number of people that was not declared."""
    if declared != given:
        raise DomainError(
            f"the query was declared for n={declared} people, and the data have another number; give one value for each"
        )


def _each_in_their_own(values: NDArray[Any], domains: Sequence[Domain], outside: Outside) -> NDArray[Any]:
    right_number(len(domains), len(values))
    places: dict[Domain, list[int]] = {}
    for place, domain in enumerate(domains):
        places.setdefault(domain, []).append(place)
    checked = np.empty(len(values), dtype=object)
    for domain, own in places.items():
        checked[own] = _all_in(values[own], domain, outside)
    return checked


def _all_in(values: NDArray[Any], domain: Domain, outside: Outside) -> NDArray[Any]:
    if values.dtype.kind == "f" and values.dtype.itemsize <= 8 and not isinstance(domain, (Codes, Values)):
        return _floats(values.astype(np.float64, copy=False), domain, outside)
    if values.dtype.kind in "iu" and not isinstance(domain, Values) and _all_inside(values, domain):
        return values
    exact = np.empty(len(values), dtype=object)
    exact[:] = [_number(value, domain, outside) for value in values.tolist()]
    return exact


def _floats(values: NDArray[np.float64], domain: Domain, outside: Outside) -> NDArray[np.float64]:
    """Floats of an interval. The float nearest to a bound means the bound, and is moved inside."""
    if np.isnan(values).any():
        raise missing_error()
    if outside == "raise" and not np.all((values >= floor_of(domain.low)) & (values <= ceiling_of(domain.high))):
        raise outside_domain_error(domain)
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
            raise outside_domain_error(domain)
        number = min(max(number, domain.low), domain.high)
    if isinstance(domain, Codes) and Fraction(number).denominator != 1:
        raise DomainError("a value is not an integer; give codes, which are integers from 0 to top")
    return Fraction(number)


def outside_domain_error(domain: Domain) -> DomainError:
    """The error names what was declared, not the value."""
    return DomainError(
        f"a value lies outside [{domain.low}, {domain.high}]; declare wider bounds, or pass outside='clamp'"
    )


def _listed(values: NDArray[Any], allowed: Iterable[Hashable]) -> NDArray[Any]:
    known = set(allowed)
    if not all(isinstance(value, Hashable) and value in known for value in values.tolist()):
        raise DomainError("a value is not declared; declare it, or map it to a declared one")
    return values
