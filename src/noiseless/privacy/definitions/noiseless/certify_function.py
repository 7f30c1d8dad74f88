"""The exact count of any function on finite domains, by trying everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError, TooLargeError
from noiseless.privacy.domain import Codes, Values, members
from noiseless.privacy.guarantee.assumptions import PUBLIC, UNRELATED
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.pictures.progress import progress
from noiseless.privacy.queries.reachable import most_and_fewest
from noiseless.theory.coding import Integers, code_column

MOST_DATASETS = 20_000_000
BLOCK = 1 << 18


def certify_function(function: Callable[..., Any], domains: Sequence[Any], limit: int = MOST_DATASETS) -> Guarantee:
    """The guarantee of a black box: `domains` has the values each person can have (a list, Codes or Values).

    The function is called with one array per person, for many datasets at a time, and returns one answer for each. All
    ∏|domain| datasets are tried (with a progress bar on a terminal), so the count is exact.

    >>> certify_function(lambda x, y: (x + y) // 2, [range(3), range(3)]).count
    2
    """
    values = [_members(domain, person) for person, domain in enumerate(domains)]
    if not values:
        raise DomainError("domains is empty; list the values that each person can have")
    shape = tuple(map(len, values))
    datasets = prod(shape)
    if datasets > limit:
        raise TooLargeError(
            f"there are {datasets} datasets, more than limit={limit}; coarsen the domains, "
            f"describe the query to nl.certify, or raise limit"
        )
    answers = _all_answers(function, values, shape).reshape(shape)
    rows = (np.moveaxis(answers, person, -1).reshape(-1, size) for person, size in enumerate(shape) if size > 1)
    reaches = [(*most_and_fewest(varied), varied.shape[1]) for varied in rows]
    cell, size = min(((cell, size) for _, cell, size in reaches), key=lambda pair: pair[0] / pair[1], default=(1, 1))
    return Guarantee(
        definition="noiseless privacy",
        count=max((count for count, _, _ in reaches), default=1),
        exact=True,
        statement=f"all {datasets} datasets were tried: docs/theorems.md#np-def-1",
        assumptions=(UNRELATED, PUBLIC),
        levels=int(answers.max()) + 1,
        smallest_cell=Fraction(cell),
        domain_size=Fraction(size),
        discrete=True,
    )


def _listed(domain: Any) -> list[Any]:
    if isinstance(domain, Codes):
        return list(range(domain.points))
    return list(members(domain) if isinstance(domain, Values) else dict.fromkeys(domain))


def _members(domain: Any, person: int) -> NDArray[Any]:
    values = _listed(domain)
    if not values:
        raise DomainError(f"the domain of person {person} is empty; list at least one value")
    if set(map(type, values)) in ({int}, {float}, {bool}) and (array := np.asarray(values)).tolist() == values:
        return array
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _all_answers(function: Callable[..., Any], domains: list[NDArray[Any]], shape: tuple[int, ...]) -> Integers:
    """The answers on every dataset, in order, coded as integers; answers that are equal in Python count as one."""
    known: dict[Any, int] = {}
    parts = []
    for start in progress(range(0, prod(shape), BLOCK), "trying every dataset"):
        places = np.unravel_index(np.arange(start, min(start + BLOCK, prod(shape))), shape)
        columns = [values[place] for values, place in zip(domains, places, strict=True)]
        block = code_column(_one_each(function(*columns), len(columns[0])), "answer")
        different = block[np.arange(block.size)]
        parts.append(np.array([known.setdefault(answer, len(known)) for answer in different])[block.codes])
    return np.concatenate(parts)


def _one_each(answers: Any, datasets: int) -> Any:
    """The answers as a list or array with one entry for each dataset; rows of numbers become tuples."""
    if isinstance(answers, np.ndarray) and answers.ndim == 2:
        answers = list(map(tuple, answers.tolist()))
    listed = isinstance(answers, (list, tuple)) or (isinstance(answers, np.ndarray) and answers.ndim == 1)
    if not listed or len(answers) != datasets:
        raise InputError(
            "the function did not return one answer for each dataset; it is called with one array per person: "
            "wrap a function of single numbers in numpy.vectorize"
        )
    return answers
