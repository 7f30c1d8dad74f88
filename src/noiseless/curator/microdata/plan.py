"""What to release: every column with its cells, chosen from bits or errors before any private value is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, prod
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.microdata.columns import (
    Cells,
    CopiedColumn,
    Groups,
    PrivateColumn,
    PublicKeys,
    hierarchy_of,
    levels_of,
    width_for,
)
from noiseless.curator.microdata.cuts import MOST_CUTS, cells_of_prior, cut
from noiseless.curator.microdata.policy import PolicyColumns, policies_for
from noiseless.curator.microdata.prior import Shares, shares_of
from noiseless.curator.microdata.split import split
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetError, SchemaError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.exact.rounding import significant
from noiseless.privacy.definitions.hypothesis.policy import Policy

Hierarchies = Mapping[str, Mapping[Any, Any]]


LISTS = "columns= is a list of names; grids= and together= are lists of groups of names; policies= is a list"


def _listed(given: Any) -> tuple[Any, ...]:
    """The elements of a list. A single text is refused."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise SchemaError(LISTS)
    return tuple(given)


def _is_name(given: object) -> bool:
    return isinstance(given, str)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the custodian asks for. None means that a setting is not given."""

    bits: Number | Mapping[Any, Number] | None = None
    error: Mapping[str, Number] | None = None
    hierarchies: Hierarchies | None = None
    levels: Mapping[str, int] | None = None
    columns: Iterable[str] | None = None
    grids: Iterable[tuple[str, str]] = ()
    together: Iterable[tuple[str, ...]] = ()
    policies: Iterable[Policy] = ()
    intervals: bool = False
    sort: bool = True
    cuts: Mapping[str, Iterable[Any]] | None = None
    constant: bool = False
    prior: Mapping[str, Any] | None = None
    weights: Mapping[str, Number] | None = None

    def __post_init__(self) -> None:
        for name in ("error", "hierarchies", "levels", "cuts", "weights"):
            if getattr(self, name) is not None and not isinstance(getattr(self, name), Mapping):
                raise BudgetError(
                    f"{name}= is given by column, as in {name}={{'height': …}}; on the command line as height=…"
                )
        if not all(isinstance(each, Mapping) for each in (self.hierarchies or {}).values()):
            raise SchemaError("a hierarchy lists the groups above every value; write {'flu': ['respiratory', 'ill']}")
        for name in ("grids", "together", "policies"):
            object.__setattr__(self, name, _listed(getattr(self, name)))
        if self.columns is not None:
            object.__setattr__(self, "columns", _listed([self.columns] if _is_name(self.columns) else self.columns))
        groups = [_listed(group) for group in (*self.grids, *self.together)]
        if not all(_is_name(name) for name in (*(self.columns or ()), *(name for group in groups for name in group))):
            raise SchemaError(LISTS)


@dataclass(frozen=True, slots=True)
class CopyPlan:
    """The columns of the released copy."""

    columns: tuple[CopiedColumn, ...]
    policies: tuple[PolicyColumns, ...]
    grids: tuple[tuple[str, str], ...]
    together: tuple[tuple[str, ...], ...]
    intervals: bool
    schema: Schema
    sort: bool = True

    @property
    def constant(self) -> list[str]:
        """The columns in which every row would show the same value."""
        return [column.name for column in self.private if column.answers == 1]

    @property
    def private(self) -> tuple[PrivateColumn, ...]:
        """The columns that reveal something private."""
        return tuple(column for column in self.columns if not isinstance(column, PublicKeys))

    @property
    def answers(self) -> int:
        """How many different rows one row can become: the product over its columns, with all values of policies."""
        return prod(column.answers for column in (*self.private, *self.policies))

    @property
    def released(self) -> list[str]:
        """The private columns that are in the copy."""
        return [column.name for column in self.private] + [name for each in self.policies for name in each.columns]

    def outputs(self, dataset: Dataset, codes: Any) -> dict[str, Any]:
        """All columns of the copy, as expressions over the codes."""
        made: dict[str, Any] = {}
        for column in self.columns:
            made |= column.outputs(codes[dataset.field(column.name)], self.intervals)
        for each in self.policies:
            made |= each.outputs({name: codes[dataset.field(name)] for name in each.columns})
        return made

    def applied(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that policies change, for a batch of rows."""
        return {name: values for each in self.policies for name, values in each.apply(batch).items()}


def plan_copy(dataset: Dataset, wanted: Wanted) -> CopyPlan:
    """Choose the cells of every column. Refused with the reason if that is impossible."""
    schema, policies = dataset.schema, policies_for(dataset.schema, wanted.policies)
    taken = {name for each in policies for name in each.columns}
    names = [name for name in _names(dataset, wanted) if name not in taken]
    per_column, grids = _per_column(dataset, wanted)
    errors, cuts = dict(wanted.error or {}), dict(wanted.cuts or {})
    prior = None if wanted.prior is None else shares_of(schema, wanted.prior)
    _check_wanted(dataset, wanted, names, per_column)
    made: dict[str, PrivateColumn] = {}
    for name in names:
        if name in cuts:
            made[name] = cut(name, schema.private[name], dataset.rounding(name), cuts[name], _declared(prior, name))
        elif name in errors:
            made[name] = _for_error(dataset, name, exact_number(errors[name], f"error of {name}"))
        elif name in per_column:
            made[name] = _for_answers(dataset, wanted, name, per_column[name], prior)
        elif name in (wanted.levels or {}):
            made[name] = _at_level(dataset, wanted, name)
    left = [name for name in names if name not in made]
    if not isinstance(wanted.bits, Mapping) and wanted.bits is not None:
        made |= _shared(dataset, wanted, left, made, prior)
    else:
        made |= {name: _kept(dataset, wanted, name) for name in left}
    columns: list[CopiedColumn] = [made[name] for name in names]
    columns += [PublicKeys(name, column) for name, column in schema.columns.items() if isinstance(column, Public)]
    _check_names([column.name for column in columns] + sorted(taken), columns, wanted)
    belonging = _pairs([*names, *taken], replace(wanted, grids=(*wanted.grids, *grids)))
    return CopyPlan(tuple(columns), policies, *belonging, wanted.intervals, schema, wanted.sort)


def _declared(prior: Shares | None, name: str) -> Shares | None:
    """The prior, if it says something about a column."""
    return prior if prior is not None and name in prior.declared else None


def check_constant(plan: CopyPlan, wanted: Wanted) -> None:
    """Refuse a copy if a total of bits leaves a single cell for some column, unless that was confirmed."""
    total = wanted.bits is not None and not isinstance(wanted.bits, Mapping)
    if total and plan.constant and not wanted.constant:
        raise BudgetError(
            f"bits={wanted.bits} in all are too few for {', '.join(map(repr, plan.constant))}: every row would show "
            f"the "
            f"same value; give more bits, or bits for each column, leave it out with columns=, or confirm with "
            f"constant=True"
        )


def _check_wanted(dataset: Dataset, wanted: Wanted, names: list[str], per_column: Mapping[str, int]) -> None:
    """Refuse settings for columns that are not in the copy, and two settings for one column."""
    _check_weights(wanted)
    errors = dict(wanted.error or {})
    by_column = (wanted.hierarchies, wanted.levels, wanted.cuts, wanted.weights)
    for name in (*per_column, *errors, *(name for each in by_column for name in each or {})):
        if name not in names:
            raise SchemaError(
                f"{name!r} is not a private column of the copy; its private columns are {', '.join(names) or 'none'}"
            )
    if both := sorted(set(per_column) & set(errors)):
        raise BudgetError(f"{both[0]!r} has both bits and an error; give only one")
    if both := sorted(set(wanted.cuts or {}) & {*per_column, *errors, *(wanted.levels or {})}):
        raise BudgetError(f"{both[0]!r} has cut points as well as bits, an error or a level; give only one")
    if both := sorted(set(wanted.levels or {}) & {*per_column, *errors}):
        raise BudgetError(f"{both[0]!r} has a level as well as bits or an error; give only one")
    if numbers := [name for name in wanted.hierarchies or {} if isinstance(dataset.schema.private[name], Scale)]:
        raise SchemaError(
            f"{numbers[0]!r} is a column of numbers, which cannot have a hierarchy; give bits or an error"
        )
    if wanted.policies and wanted.bits is not None and not isinstance(wanted.bits, Mapping):
        raise BudgetError("a policy promises no count, so a total of bits cannot be kept; give bits for each column")


def _check_weights(wanted: Wanted) -> None:
    """Weights divide a total of bits, and are above 0."""
    weights = wanted.weights or {}
    if weights and (wanted.bits is None or isinstance(wanted.bits, Mapping)):
        raise BudgetError("weights= divide a total of bits; give bits= as one number, or leave weights= out")
    for name, weight in weights.items():
        if exact_number(weight, f"weight of {name}") <= 0:
            raise BudgetError(f"weight={weight} of {name!r} is not above 0; leave the column out with columns= instead")


def _per_column(dataset: Dataset, wanted: Wanted) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """How many answers each column may have. The bits of a pair, ("north", "east") or "north+east", are split."""
    answers: dict[str, int] = {}
    grids = []
    given = wanted.bits if isinstance(wanted.bits, Mapping) else {}
    for key, bits in given.items():
        whole = answers_within(bits, f"bits of {key}")
        pair = key if isinstance(key, tuple) else tuple(key.split("+")) if "+" in str(key) else ()
        if not pair or key in dataset.schema.private:
            answers[key] = whole
            continue
        sizes = {name: dataset.schema.private[name].values for name in pair if name in dataset.schema.private}
        if len(pair) != 2 or len(sizes) != 2:
            raise SchemaError(f"bits of {key!r}: a grid is a pair of private columns, such as 'north+east'")
        answers |= split(sizes, whole)
        grids.append((str(pair[0]), str(pair[1])))
    return answers, grids


def _names(dataset: Dataset, wanted: Wanted) -> list[str]:
    private = dataset.schema.private
    if wanted.columns is None:
        return list(private)
    names = list(wanted.columns)
    for name in names:
        if name not in private:
            raise SchemaError(f"{name!r} is not a private column; the private columns are {', '.join(private)}")
    if not names or len(set(names)) < len(names):
        raise SchemaError("columns= must name at least one private column, each once")
    return [name for name in private if name in names]


def _scale(dataset: Dataset, name: str, width: int) -> Cells:
    column = dataset.schema.private[name]
    assert isinstance(column, Scale)
    return Cells(name, column, min(width, column.top + 1), dataset.rounding(name))


def _for_error(dataset: Dataset, name: str, error: Fraction) -> PrivateColumn:
    column = dataset.schema.private[name]
    if not isinstance(column, Scale):
        raise BudgetError(f"{name!r} is a category, which cannot have an error; give bits, or a level of its hierarchy")
    least = _scale(dataset, name, 1)
    if error < least.error:
        least_shown = significant(least.error, 6, "upper")
        raise BudgetError(
            f"error={significant(error, 6)} of {name!r} is below {least_shown}, the error of rounding to its step; "
            f"allow more"
        )
    width = floor(2 * (error - least.rounding) / column.step) + 1
    made = _scale(dataset, name, width)
    return made if made.error <= error else _scale(dataset, name, width - 1)


def _for_answers(
    dataset: Dataset, wanted: Wanted, name: str, answers: int, prior: Shares | None = None
) -> PrivateColumn:
    column = dataset.schema.private[name]
    if isinstance(column, Scale):
        if column.apart and answers < 2:
            raise BudgetError(f"the copy shows which values of {name!r} are missing; give it at least 1 bit")
        cells = min(answers - column.apart, column.top + 1)
        if (shares := _declared(prior, name)) is not None and 1 < cells <= MOST_CUTS:
            return cells_of_prior(name, column, dataset.rounding(name), cells, shares)
        return _scale(dataset, name, width_for(column, answers))
    given = (wanted.hierarchies or {}).get(name)
    for level in range((levels_of(name, given) if given is not None else 0) + 1):
        made = _groups(name, column, given, level)
        if made.answers <= answers:
            return made
    raise BudgetError(
        f"{name!r} has {column.values} values, and no level of a declared hierarchy has {answers} groups or fewer; "
        "give it more bits, a hierarchy, or leave it out with columns="
    )


def _at_level(dataset: Dataset, wanted: Wanted, name: str) -> PrivateColumn:
    column, level = dataset.schema.private[name], (wanted.levels or {})[name]
    if isinstance(column, Scale) or type(level) is not int or level < 0:
        raise SchemaError(f"level {level!r} of {name!r}: a level is 0, 1, 2, … in the hierarchy of a category")
    return _groups(name, column, (wanted.hierarchies or {}).get(name), level)


def _groups(name: str, column: Category | Boolean, given: Mapping[Any, Any] | None, level: int) -> Groups:
    if given is None and level > 0:
        raise SchemaError(f"{name!r} has no hierarchy; declare one with hierarchies=")
    labels = column.keys if given is None else hierarchy_of(name, column, given, level)
    return Groups(name, column, labels)


def _kept(dataset: Dataset, wanted: Wanted, name: str) -> PrivateColumn:
    column = dataset.schema.private[name]
    if isinstance(column, Scale):
        raise BudgetError(
            f"{name!r} needs bits or an error; give one for each column, or bits= for all together, or leave "
            "it out with columns="
        )
    given = (wanted.hierarchies or {}).get(name)
    return _groups(name, column, given, levels_of(name, given) if given is not None else 0)


def _shared(
    dataset: Dataset, wanted: Wanted, left: list[str], made: Mapping[str, PrivateColumn], prior: Shares | None
) -> dict[str, PrivateColumn]:
    """The total for a person, divided by the rows: categories first, then equal shares of every range."""
    assert wanted.bits is not None
    assert not isinstance(wanted.bits, Mapping)
    total, rows = answers_within(wanted.bits), dataset.schema.rows
    per_row = total if rows == 1 else answers_within(exact_number(wanted.bits, "bits") / rows)
    found = {name: _kept(dataset, wanted, name) for name in left if not isinstance(dataset.schema.private[name], Scale)}
    used = prod(column.answers for column in (*made.values(), *found.values()))
    scales = {name: c for name in left if isinstance(c := dataset.schema.private[name], Scale)}
    available = per_row // used
    if available < prod(1 + column.apart for column in scales.values()):
        raise BudgetError(
            f"bits={wanted.bits} allow {per_row} different rows, and {', '.join([*made, *found]) or 'missing values'} "
            f"already make {used}; generalise by hierarchies=, leave columns out, or give more bits"
        )
    weights = {name: exact_number(weight) for name, weight in (wanted.weights or {}).items()}
    shares = split({name: column.values for name, column in scales.items()}, available, weights)
    return found | {name: _for_answers(dataset, wanted, name, answers, prior) for name, answers in shares.items()}


def _check_names(names: list[str], columns: list[CopiedColumn], wanted: Wanted) -> None:
    """Refuse a copy in which two columns would have the same name."""
    if wanted.intervals:
        names += [f"{c.name}_{end}" for c in columns if isinstance(c, Cells) for end in ("lower", "upper")]
    lowered = [name.lower() for name in names]
    if len(set(lowered)) < len(lowered):
        raise SchemaError(
            "a column already has the name that the end of an interval would get; leave intervals out, or rename it"
        )


def _pairs(names: list[str], wanted: Wanted) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, ...], ...]]:
    grids, together = [tuple(pair) for pair in wanted.grids], tuple(tuple(group) for group in wanted.together)
    for name in (name for group in (*grids, *together) for name in group):
        if name not in names:
            raise SchemaError(f"{name!r} is not a private column of the copy; remove it from grids= or together=")
    if any(len(pair) != 2 for pair in grids):
        raise SchemaError("a grid is a pair of columns, such as grids=[('north', 'east')]")
    return tuple((north, east) for north, east in grids), together
