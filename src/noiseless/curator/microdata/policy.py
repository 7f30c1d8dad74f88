"""A policy against one hypothesis, applied to columns of a released copy instead of cells.

It has its own guarantee, epsilon: how much larger the range is than the part whose reports reveal the side. It does not
bound the number of answers, so the ledger is charged as if the columns were revealed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import ceil, inf, prod
from secrets import token_hex
from typing import Any

import numpy as np

from noiseless.curator.microdata.columns import numbers, quotient
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.errors import SchemaError, TooLargeError
from noiseless.exact.rounding import float_down
from noiseless.privacy.composition.questions import OtherQuestion, Single
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.theory.ranges.boxes import Box

MOST_CODES, MOST_SLICES, CHUNK = 1 << 24, 1 << 16, 1 << 20


@dataclass(frozen=True, slots=True)
class PolicyColumns:
    """The coordinate that a policy changes, and the others that its boundary reads, which are revealed unchanged."""

    policy: Policy
    columns: Mapping[str, Scale]
    hidden: Fraction
    """The share of codes whose report does not reveal their side, counted on the codes and not on the range."""

    @property
    def name(self) -> str:
        """All names together."""
        return ", ".join(self.columns)

    @property
    def box(self) -> Box:
        """The declared ranges."""
        return Box(**{name: (column.low, column.high) for name, column in self.columns.items()})

    @property
    def epsilon(self) -> float:
        """ε: all codes are 1 + ε times the codes whose report reveals the side. It is rounded down."""
        return float_down(self.hidden / (1 - self.hidden)) if self.hidden < 1 else inf

    @property
    def answers(self) -> int:
        """The number of values, because a policy does not bound the number of answers."""
        return prod(column.values for column in self.columns.values())

    @property
    def smallest(self) -> int:
        """1: a report may come from one value alone."""
        return 1

    @property
    def question(self) -> Single:
        """All values that the columns can have."""
        return OtherQuestion(tuple(self.columns), self.answers)

    def outputs(self, codes: Mapping[str, Any]) -> dict[str, Any]:
        """The numbers that the codes stand for. The policy is applied to them in batches."""
        return {
            name: quotient(codes[name].cast("int64"), column.step, column.low, column.high)
            for name, column in self.columns.items()
        }

    def apply(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The reports of a batch."""
        data = {name: np.asarray(batch[name], dtype=np.float64) for name in self.columns}
        return dict(self.policy.apply(data, within=self.box))

    def _boundary(self) -> str:
        """The boundary as text: a polynomial by its coefficients. Other functions never equal an earlier one."""
        known = self.policy.boundary.polynomial
        return f"a function {token_hex(8)}" if known is None else " ".join(map(str, known.coefficients))

    def fields(self) -> dict[str, Any]:
        """What a certificate says about it: epsilon and the error, but no count."""
        return {
            "columns": list(self.columns),
            "policy": type(self.policy).__name__,
            "changes": self.policy.boundary.axis,
            "boundary": self._boundary(),
            "error": str(self.policy.error),
            "epsilon": repr(self.epsilon),
            "charged as": str(self.answers),
        }


def policies_for(schema: Schema, given: Iterable[Policy]) -> tuple[PolicyColumns, ...]:
    """Policies with the columns they need. Refused if these are not private numbers, or are needed twice."""
    found: list[PolicyColumns] = []
    for policy in given:
        if not isinstance(policy, Policy):
            raise SchemaError(f"a {type(policy).__name__} is not a policy; give nl.Collapse, nl.Stretch or nl.Shift")
        names = (policy.boundary.axis, *policy.boundary.others)
        for name in names:
            column = schema.private.get(name)
            if not isinstance(column, Scale) or isinstance(column, Date) or column.apart:
                raise SchemaError(
                    f"the policy needs a private column of numbers {name!r} without separate missing values; "
                    f"declare it so, or leave the policy out"
                )
            if any(name in other.columns for other in found):
                raise SchemaError(f"two policies need column {name!r}; apply one at a time")
        columns = {name: column for name in names if isinstance(column := schema.private[name], Scale)}
        found.append(PolicyColumns(policy, columns, _hidden_share(policy, columns)))
    return tuple(found)


def _hidden_share(policy: Policy, columns: Mapping[str, Scale]) -> Fraction:
    """The share of codes that are hidden: a code on the other side of the boundary has the same report.

    Every code of every slice is given to the policy.

    This counts codes, because a policy may give all codes different reports although points between them share some.
    """
    (axis, first), *others = columns.items()
    slices = prod(column.top + 1 for _, column in others)
    if slices > MOST_SLICES or slices * (first.top + 1) > MOST_CODES:
        raise TooLargeError(
            f"{', '.join(columns)} have too many combinations of codes to try the policy on all of them, more than "
            f"{MOST_CODES}; declare a coarser step"
        )
    box = Box(**{name: (column.low, column.high) for name, column in columns.items()})
    values, hidden = numbers(first), 0
    for chunk in _chunks([range(column.top + 1) for _, column in others], max(1, CHUNK // len(values))):
        known = [{name: column.number(c) for (name, column), c in zip(others, codes, strict=True)} for codes in chunk]
        data = {name: np.repeat([float(each[name]) for each in known], len(values)) for name, _ in others}
        reports = np.asarray(policy.apply({axis: np.tile(values, len(chunk)), **data}, within=box)[axis])
        # the side of a code is exact, although the surface is computed in floats
        starts = [ceil(first.position(policy.boundary.at(**each))) for each in known]
        above = np.arange(len(values))[None, :] >= np.array(starts, dtype=np.float64)[:, None]
        rows = np.stack([np.repeat(np.arange(len(chunk)), len(values)), reports])
        places = np.unique(rows, axis=1, return_inverse=True)[1].reshape(-1)
        both = (np.bincount(places, above.ravel()) > 0) & (np.bincount(places, ~above.ravel()) > 0)
        hidden += int(both[places].sum())
    return Fraction(hidden, slices * len(values))


def _chunks(sides: list[range], size: int) -> Iterator[list[tuple[int, ...]]]:
    """All combinations of the other coordinates' codes, some at a time."""
    combinations = product(*sides)
    while chunk := list(islice(combinations, size)):
        yield chunk
