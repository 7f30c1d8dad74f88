"""Which columns of a row are read, and at which codes the values make a difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from noiseless.curator.plan.condition import Condition, columns_read
from noiseless.curator.plan.functions.function import Function


@dataclass(frozen=True, slots=True)
class Read:
    """Some conditions, functions and columns, and the codes at which something that depends on a column changes."""

    conditions: tuple[Condition, ...] = ()
    functions: tuple[Function, ...] = ()
    columns: tuple[str, ...] = ()
    cuts: Mapping[str, Any] | None = None
    """First codes of runs, for labels that are given by code; None for every code."""

    @property
    def names(self) -> frozenset[str]:
        """All columns that are read."""
        named = frozenset(self.columns).union(self.cuts or ())
        return named.union(*map(columns_read, self.conditions), *(each.reads for each in self.functions))
