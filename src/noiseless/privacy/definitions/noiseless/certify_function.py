"""The exact count of any function on finite domains, by trying everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError, TooLargeError
from noiseless.privacy.definitions.noiseless.certify import PUBLIC, UNRELATED
from noiseless.privacy.guarantee import Guarantee
from noiseless.privacy.progress import progress
from noiseless.theory.coding import Integers, code_column

MOST_DATASETS = 20_000_000
BLOCK = 1 << 18


def certify_function(
    function: Callable[..., Any], domains: Sequence[Sequence[Any]], limit: int = MOST_DATASETS
) -> Guarantee:
    """The guarantee of a black box: `domains` lists the values each person can have, `function` gives the answers.

    The function is called with one array per person, a long list of datasets at a time, and returns one answer for
    each. All ∏|domain| datasets are tried (with a progress bar on a terminal), so the count is exact.

    >>> certify_function(lambda x, y: (x + y) // 2, [range(3), range(3)]).count
    2
    """
    members = [_members(domain, person) for person, domain in enumerate(domains)]
    if not members:
        raise DomainError("no domains were given; list the values each person can have")
    shape = tuple(len(values) for values in members)
    datasets = prod(shape)
    if datasets > limit:
        raise TooLargeError(
            f"there are {datasets} datasets, more than limit={limit}; coarsen the domains, "
            f"describe the query to nl.certify, or raise limit"
        )
    answers = _all_answers(function, members, shape).reshape(shape)
    counts, cells = zip(*(_along(answers, person) for person in range(len(shape))), strict=True)
    widest = max(shape)
    return Guarantee(
        definition="noiseless privacy",
        count=max(counts),
        exact=True,
        statement=f"all {datasets} datasets were tried: docs/theorems.md#np-def-1",
        assumptions=(UNRELATED, PUBLIC),
        levels=int(answers.max()) + 1,
        smallest_cell=Fraction(min(cells)),
        domain_size=Fraction(widest),
        discrete=True,
    )


def _members(domain: Sequence[Any], person: int) -> NDArray[Any]:
    values = list(dict.fromkeys(domain))
    if not values:
        raise DomainError(f"the domain of person {person} is empty; list at least one value")
    array = np.asarray(values)
    if array.ndim == 1 and array.dtype.kind in "biuf":
        return array
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _all_answers(function: Callable[..., Any], members: list[NDArray[Any]], shape: tuple[int, ...]) -> Integers:
    """The answers on every dataset, in order, coded as integers."""
    parts = []
    for start in progress(range(0, prod(shape), BLOCK), "trying every dataset"):
        places = np.unravel_index(np.arange(start, min(start + BLOCK, prod(shape))), shape)
        columns = [values[place] for values, place in zip(members, places, strict=True)]
        answers = np.asarray(function(*columns))
        if answers.shape[:1] != columns[0].shape or answers.ndim > 2:
            raise InputError(
                "the function must return one answer for each dataset; it is called with one array per person: "
                "wrap a function of single numbers in numpy.vectorize"
            )
        parts.append(answers)
    joined = np.concatenate(parts)
    if joined.ndim == 2:
        return np.unique(joined, axis=0, return_inverse=True)[1].ravel()
    return code_column(joined, "answer").codes


def _along(answers: Integers, person: int) -> tuple[int, int]:
    """The most different answers while one person varies, and the fewest values that share one."""
    rows = np.sort(np.moveaxis(answers, person, -1).reshape(-1, answers.shape[person]), axis=1)
    changes = np.ones((len(rows), rows.shape[1] + 1), dtype=bool)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=changes[:, 1:-1])
    places = np.flatnonzero(changes.ravel())
    gaps = np.diff(places)[(places[:-1] + 1) % changes.shape[1] != 0]
    return int(changes[:, :-1].sum(axis=1).max()), int(gaps.min())
