"""A finite sample space: one row per sample, one column per uncertain variable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from noiseless.errors import SpaceError, UnknownVariableError
from noiseless.theory.coding import Column, JointColumn, code_column, join_columns
from noiseless.theory.series import SMALL_INTEGERS, as_series
from noiseless.theory.variable import Variable


class Space:
    """The samples ω of a finite Ω, and the uncertain variables, which are functions on it.

    Built from a mapping of columns, a list of records, or a pandas, polars or pyarrow table. Which samples
    exist matters, how often they are listed does not: nothing here is random.

    >>> space = Space({"number": [1, 2, 3, 4, 5, 6]})
    >>> space = space.derive(even=lambda number: number % 2 == 0)
    >>> space["number"].given(even=True)
    {2, 4, 6}
    """

    __slots__ = ("_columns", "_omega", "_samples")

    def __init__(self, data: Any) -> None:
        self._columns: dict[str, Column] = {
            name: code_column(values, name) for name, values in _named_columns(data).items()
        }
        self._samples = _common_length(self._columns)
        self._omega = object()

    @property
    def omega(self) -> object:
        """What spaces over the same samples share."""
        return self._omega

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(self._columns)

    def __getitem__(self, names: str | tuple[str, ...]) -> Variable:
        """The variable of this name, or several as one variable whose values are tuples."""
        wanted = names if isinstance(names, tuple) else (names,)
        if not wanted:
            raise UnknownVariableError("no variable was named; write space['X'] or space['X', 'Y']")
        if len(set(wanted)) < len(wanted):
            raise SpaceError(f"{wanted} names a variable twice; name each variable once")
        return Variable(self, wanted, join_columns([self._column(name) for name in wanted]))

    def derive(self, **functions: Callable[..., Any]) -> Space:
        """The same samples with more variables, each a function of those its parameters name.

        The function is called once for each combination of values that occurs, not once per sample.

        >>> dice = Space({"number": range(1, 7)}).derive(parity=lambda number: number % 2)
        >>> dice["parity"].range
        {0, 1}
        """
        derived = object.__new__(Space)
        derived._samples, derived._omega = self._samples, self._omega
        derived._columns = dict(self._columns)
        for name, function in functions.items():
            if name in derived._columns:
                raise SpaceError(f"{name!r} is already a variable of this space; choose another name")
            derived._columns[name] = derived._map(function, name)
        return derived

    def _map(self, function: Callable[..., Any], name: str) -> Column:
        joint = join_columns([self._column(parameter) for parameter in self._parameters(function, name)])
        values = joint[np.arange(joint.size)]
        arguments = values if isinstance(joint, JointColumn) else zip(values, strict=True)
        image = code_column([function(*argument) for argument in arguments], name)
        return Column(image.codes[joint.codes], image.values)

    def _parameters(self, function: Callable[..., Any], name: str) -> list[str]:
        """The variables a function reads; a parameter with a default may be something else."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        named = [p.name for p in parameters if p.default is p.empty or p.name in self._columns]
        variadic = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)
        if not named or variadic:
            raise SpaceError(
                f"the function for {name!r} does not name the variables it reads; write it as lambda X, Y: …"
            )
        return named

    def _column(self, name: str) -> Column:
        if name not in self._columns:
            raise UnknownVariableError(f"no variable {name!r} in this space; use one of {', '.join(self.names)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return self._samples

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {column.size}" for name, column in self._columns.items())
        return f"Space({len(self)} samples; values per variable: {sizes})"


def _named_columns(data: Any) -> dict[str, Any]:
    if isinstance(data, Mapping):
        columns = {name: _column_values(name, data[name]) for name in _checked_names(data)}
    elif isinstance(data, Sequence) and not isinstance(data, str):
        columns = _from_records(data)
    else:
        columns = _from_frame(data)
    if not columns:
        raise SpaceError("the space has no variables; give at least one named column")
    return columns


def _checked_names(names: Iterable[Any]) -> list[str]:
    names = list(names)
    if unnamed := [name for name in names if not isinstance(name, str)]:
        raise SpaceError(f"the name {unnamed[0]!r} is not a text; rename the column")
    if len(set(names)) < len(names):
        raise SpaceError("the table has two columns of one name; rename one of them")
    return names


def _column_values(name: Any, values: Any) -> Any:
    if isinstance(values, (str, bytes, Mapping, set, frozenset)) or not isinstance(values, Iterable):
        raise SpaceError(f"column {name!r} must list one value per sample, in order; a {_kind(values)} does not")
    if isinstance(nw.from_native(values, eager_only=True, pass_through=True), nw.DataFrame):
        raise SpaceError(f"column {name!r} is a whole table; give one of its columns")
    series = as_series(values)
    return values if series is None else _series_values(series, name)


def _from_records(records: Sequence[Any]) -> dict[str, Any]:
    if not records:
        raise SpaceError("the space has no samples; an uncertain variable needs at least one")
    if not all(isinstance(record, Mapping) for record in records):
        raise SpaceError(
            "the list does not hold records; give records such as {'X': 1, 'Y': 2}, or a mapping of columns"
        )
    names = _checked_names(records[0])
    if any(record.keys() != records[0].keys() for record in records):
        raise SpaceError(f"the records are ragged: the first has {names}, another has other names; fill the gaps")
    return {name: list(map(itemgetter(name), records)) for name in names}


def _from_frame(data: Any) -> dict[str, Any]:
    try:
        frame = nw.from_native(data, eager_only=True)
        names = _checked_names(frame.columns)
    except DuplicateError:
        raise SpaceError("the table has two columns of one name; rename one of them") from None
    except TypeError:
        raise SpaceError(
            f"cannot read a space from a {_kind(data)}; give a mapping of columns, a list of records, "
            f"or a pandas, polars or pyarrow table"
        ) from None
    return {name: _series_values(frame[name], name) for name in names}


def _series_values(series: nw.Series[Any], name: str) -> Any:
    """The content of a column, as an array or a list of Python objects with the table's equality."""
    kind = series.dtype
    if series.null_count() == 0 and (kind == nw.Boolean or kind.is_float() or kind in SMALL_INTEGERS):
        return series.to_numpy()
    if kind == nw.Duration or (isinstance(kind, nw.Datetime) and kind.time_zone is None):
        return series.to_numpy()
    if isinstance(kind, nw.Datetime):
        series = series.dt.convert_time_zone("UTC")  # local times repeat once a year
    values = series.to_list()
    if kind.is_temporal() and series.n_unique() != len(set(values)):
        raise SpaceError(f"column {name!r} has times closer than a microsecond; cast it to integers")
    return values


def _common_length(columns: Mapping[str, Column]) -> int:
    lengths = {name: len(column.codes) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise SpaceError(f"the columns are ragged ({shown}); every variable needs one value per sample")
    (length,) = set(lengths.values())
    if length == 0:
        raise SpaceError("the space has no samples; an uncertain variable needs at least one")
    return length


def _kind(value: object) -> str:
    return type(value).__name__
