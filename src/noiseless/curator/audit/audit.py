"""The audit of a published table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf
from pathlib import Path
from typing import Any

import numpy as np

from noiseless.curator.answer.drawn import text_of
from noiseless.curator.audit.against import Against, against
from noiseless.curator.audit.classes import Joint, Table
from noiseless.curator.page import finite
from noiseless.curator.schema.plain import why_no_path
from noiseless.errors import InputError, SourceError
from noiseless.exact.plural import plural

MOST_BREACHES = 20
"""The most classes that are listed, the largest first."""


@dataclass(frozen=True, repr=False)
class Sensitive:
    """What the classes reveal about one sensitive column."""

    name: str
    joint: Joint
    breaches: tuple[dict[str, Any], ...]
    """Classes with a single value, the largest first: their keys and rows."""

    def __repr__(self) -> str:
        return f"{self.name}: {self.in_words}"

    @property
    def in_words(self) -> str:
        """What the worst class says about it."""
        if self.distinct_l > 1:
            return f"at least {self.distinct_l} values remain possible for every person"
        classes = plural(int((self.joint.distinct == 1).sum()), "class", "classes")
        return f"known with certainty for {plural(self.known_rows, 'row')}, in {classes} whose rows are alike"

    @cached_property
    def distinct_l(self) -> int:
        """Distinct ℓ-diversity: the fewest different values in a class."""
        return int(self.joint.distinct.min())

    @cached_property
    def entropy_l(self) -> float:
        """Entropy ℓ-diversity: e to the smallest entropy of a class."""
        return exp(float(self.joint.entropies.min()))

    @cached_property
    def t(self) -> float:
        """t-closeness: the largest distance of a class's values from the whole table's."""
        return float(self.joint.distances.max())

    @cached_property
    def known_rows(self) -> int:
        """The number of rows in classes with a single value."""
        return int(self.joint.sizes[self.joint.distinct == 1].sum())

    @cached_property
    def remaining(self) -> dict[int, int]:
        """For each number of values that remain possible, the number of rows."""
        found, rows = np.unique(np.repeat(self.joint.distinct, self.joint.sizes), return_counts=True)
        return dict(zip(found.tolist(), rows.tolist(), strict=True))


@dataclass(frozen=True, repr=False)
class Audit:
    """What a published table reveals: k-anonymity and related measures, and the non-stochastic ones."""

    table: str
    rows: int
    quasi: tuple[str, ...]
    sizes: Any
    """The rows of each class."""
    sensitive: tuple[Sensitive, ...]
    against: Against | None

    @property
    def k(self) -> int:
        """k-anonymity: the fewest rows in a class."""
        return int(self.sizes.min())

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.sizes)

    @property
    def unique(self) -> int:
        """Unique rows: those alone in their class."""
        return int((self.sizes == 1).sum())

    @property
    def verdict(self) -> str:
        """What an adversary learns in the worst class, in plain words."""
        words = [
            f"Anyone who knows a person's {', '.join(self.quasi)} finds them among {plural(self.k, 'row')} or more."
        ]
        if self.k == 1:
            words = [
                f"{self.unique} of {plural(self.rows, 'row')} {'is' if self.unique == 1 else 'are'} unique: anyone "
                f"who knows "
                f"a person's {', '.join(self.quasi)} finds the row and everything in it."
            ]
        for each in self.sensitive:
            if each.distinct_l == 1:
                words.append(
                    f"For {plural(each.known_rows, 'row')}, in "
                    f"{plural(int((each.joint.distinct == 1).sum()), 'class', 'classes')}, {each.name} is "
                    "known with certainty: all rows of the class have the same value."
                )
            else:
                words.append(f"At least {each.distinct_l} values of {each.name} remain possible for every person.")
        if self.against is not None:
            words.append(_of_original(self.against))
        return " ".join(words)

    def to_json(self) -> str:
        """All numbers, as JSON."""
        return json.dumps(finite(self.fields()), ensure_ascii=False, indent=1, default=str)

    def fields(self) -> dict[str, Any]:
        """All numbers."""
        return {
            "table": self.table,
            "rows": self.rows,
            "quasi": list(self.quasi),
            "classes": self.classes,
            "k": self.k,
            "unique rows": self.unique,
            "sensitive": [
                {
                    "column": each.name,
                    "distinct l": each.distinct_l,
                    "entropy l": each.entropy_l,
                    "t": each.t,
                    "rows known with certainty": each.known_rows,
                    "rows by values that remain possible": {str(n): rows for n, rows in each.remaining.items()},
                    "homogeneous classes": [*each.breaches],
                }
                for each in self.sensitive
            ],
            "against the original": None
            if self.against is None
            else {
                "leakage in bits": self.against.leakage.bits,
                "maximin information in bits": self.against.maximin.bits,
                "smallest cell": self.against.smallest_cell,
                "rows told exactly": self.against.exactly_told,
            },
            "verdict": self.verdict,
        }

    def html(self) -> str:
        """One HTML page with all numbers and pictures."""
        from noiseless.curator.audit.page import audit_page

        return audit_page(self)

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        return text_of(self)

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table("measure", "value")
        figures: list[tuple[str, Any]] = [("rows", self.rows), ("classes", self.classes), ("k", self.k)]
        figures.append(("unique rows", self.unique))
        for each in self.sensitive:
            figures += [(f"distinct ℓ of {each.name}", each.distinct_l), (f"entropy ℓ of {each.name}", each.entropy_l)]
            figures += [(f"t of {each.name}", each.t), (f"rows whose {each.name} is certain", each.known_rows)]
        if self.against is not None:
            figures += [("L0 about the original, bits", self.against.leakage.bits)]
            figures += [("I⋆ with the original, bits", self.against.maximin.bits)]
            figures += [("fewest originals behind a class", self.against.smallest_cell)]
        for name, value in figures:
            table.add_row(Text(name), f"{value:.5g}" if isinstance(value, float) else str(value))
        return Group(table, Text(self.verdict))


def _of_original(found: Against) -> str:
    if found.leakage.ratio == inf:
        return (
            f"For {plural(found.exactly_told, 'row')} a continuous value is revealed exactly: what remains possible "
            f"has no "
            "measure, so the leakage is infinite, whatever k is."
        )
    records = "record of the original remains", "records of the original remain"
    return (
        f"In the worst case the classes leak {found.leakage.bits:.4g} bits about the original: in one of them "
        f"only {plural(found.smallest_cell, *records)} possible."
    )


def audit(
    table: Any,
    quasi: Sequence[str],
    sensitive: str | Sequence[str] = (),
    *,
    original: Any = None,
    continuous: Sequence[str] | None = None,
) -> Audit:
    """Audit a published table: a parquet or csv file, a DuckDB file, or a dataframe.

    `quasi` are the columns that an adversary may know of a person, `sensitive` the ones they want to learn. With the
    `original`, whose rows are in the same order, the table is also measured as a function of it. Columns of floats
    count as continuous, unless `continuous` names others.

    >>> import pandas
    >>> found = audit(pandas.DataFrame({"age": [30, 30, 40, 40], "ill": ["a", "a", "b", "c"]}), ["age"], "ill")
    >>> found.k, found.sensitive[0].distinct_l, found.sensitive[0].known_rows
    (2, 1, 2)
    """
    known, wanted = [quasi] if isinstance(quasi, str) else list(quasi), _listed(sensitive)
    if not known:
        raise InputError(
            "the audit needs a quasi-identifier; name at least one column that an adversary may know of a person"
        )
    if both := sorted(set(known) & set(wanted)):
        raise InputError(f"{both[0]!r} is both quasi and sensitive; remove it from one of them")
    if unknown := sorted(set(continuous or ()) - {*known, *wanted}):
        raise InputError(f"continuous column {unknown[0]!r} is neither quasi nor sensitive; add it to one of them")
    for path in (table, original):
        if isinstance(path, (str, Path)) and (wrong := why_no_path(path)):
            raise SourceError(f"the path of a table {wrong}; name a parquet, csv or DuckDB file")
    released = Table.open(table)
    try:
        released.check(known, "quasi")
        released.check(wanted, "sensitive")
        joints = {name: released.joint(known, name) for name in wanted or known[:1]}
        found = tuple(Sensitive(name, joints[name], _breaches(released, known, joints[name])) for name in wanted)
        map_of = None
        if original is not None:
            before = Table.open(original)
            try:
                map_of = against(released, before, known, wanted, continuous)
            finally:
                before.close()
        sizes = next(iter(joints.values())).sizes
        return Audit(released.name, released.rows, tuple(known), sizes, found, map_of)
    finally:
        released.close()


def _listed(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _breaches(table: Table, quasi: list[str], joint: Joint) -> tuple[dict[str, Any], ...]:
    sizes = joint.sizes
    alone = np.flatnonzero(joint.distinct == 1)
    largest = alone[np.argsort(-sizes[alone], kind="stable")][:MOST_BREACHES]
    keys = table.classes(quasi, largest.tolist())
    return tuple({"class": key, "rows": int(sizes[number])} for key, number in zip(keys, largest.tolist(), strict=True))
