"""An uncertain variable: a function on the samples of a space."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import SpaceError, UnknownVariableError
from noiseless.theory.coding import AnyColumn, Column, Integers, JointColumn, join_columns
from noiseless.theory.ranges.finite import FiniteRange

if TYPE_CHECKING:
    from noiseless.theory.space import Space


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Variable:
    """One column of a space, or several read as one.

    >>> from noiseless.theory.space import Space
    >>> space = Space({"X": [1, 1, 2], "Y": ["a", "b", "b"]})
    >>> space["X"].given(Y="b"), space["X"].given(Y={"a"})
    ({1, 2}, {1})
    >>> space["X", "Y"].range
    {(1, 'a'), (1, 'b'), (2, 'b')}
    """

    space: Space
    names: tuple[str, ...]
    column: AnyColumn

    @property
    def name(self) -> str:
        """The name, or the names joined by a comma."""
        return ", ".join(self.names)

    @property
    def parts(self) -> list[tuple[Column, str]]:
        """The single columns it is made of, with their names."""
        columns = self.column.parts if isinstance(self.column, JointColumn) else (self.column,)
        return list(zip(columns, self.names, strict=True))

    @property
    def codes(self) -> Integers:
        """For every sample the place of its value in the range."""
        return self.column.codes

    @property
    def size(self) -> int:
        """|⟦X⟧|, the number of values."""
        return self.column.size

    @property
    def range(self) -> FiniteRange:
        """⟦X⟧, the values the variable takes on the samples."""
        return FiniteRange(self.column[np.arange(self.size)])

    def given(self, /, **conditions: Any) -> FiniteRange:
        """⟦X|y⟧, the values still possible once other variables are known.

        A condition names a variable and its value, or a set of values of which one is true. Several conditions hold
        together. An impossible condition is an error.
        """
        occurs = np.zeros(self.size, dtype=bool)
        occurs[self.codes[self._samples(conditions)]] = True
        return FiniteRange(self.column[np.flatnonzero(occurs)])

    def _samples(self, conditions: dict[str, Any]) -> NDArray[np.bool_]:
        samples = np.ones(len(self.codes), dtype=bool)
        own = {name: column for column, name in self.parts}
        for name, value in conditions.items():
            column = own[name] if name in own else self.space[name].column
            samples &= _holds(name, column, value)
        if not samples.any():
            together = ", ".join(f"{name}={value!r}" for name, value in conditions.items())
            raise UnknownVariableError(f"no sample has {together} together; give values that occur jointly")
        return samples

    def __repr__(self) -> str:
        return f"⟦{self.name}⟧ = {self.range!r}"


def joint(*variables: Variable) -> Variable:
    """Several variables of one space read as one, whose range is their joint range ⟦X, Y⟧.

    >>> from noiseless.theory.space import Space
    >>> space = Space({"X": [0, 0, 1], "Y": [0, 1, 1]})
    >>> joint(space["X"], space["Y"]).range
    {(0, 0), (0, 1), (1, 1)}
    """
    return as_variable(variables)


def as_variable(variables: Variable | tuple[Variable, ...]) -> Variable:
    """A tuple of variables as one variable; a variable as itself."""
    if isinstance(variables, Variable):
        return variables
    if (
        not isinstance(variables, tuple)
        or not variables
        or not all(isinstance(variable, Variable) for variable in variables)
    ):
        raise SpaceError(f"{variables!r} is not a variable or a tuple of variables; take them from a space")
    same_samples(*variables)
    named = {column: name for variable in variables for column, name in variable.parts}
    if len(set(named.values())) < len(named):
        raise SpaceError(f"two different variables are called {next(iter(named.values()))!r}; rename one of them")
    widest = max((variable.space for variable in variables), key=lambda space: len(space.names))
    return Variable(widest, tuple(named.values()), join_columns(list(named)))


def same_samples(*variables: Variable) -> None:
    """Refuse variables of different samples: they have no joint range."""
    first, *others = variables
    for other in others:
        if other.space.omega is not first.space.omega:
            raise SpaceError(
                f"{first.name!r} and {other.name!r} are variables of different spaces; "
                f"put them in one space, one row per sample"
            )


def _holds(name: str, column: AnyColumn, value: Any) -> NDArray[np.bool_]:
    try:
        wanted = frozenset(value) if isinstance(value, Set) else frozenset({value})
    except TypeError:
        raise UnknownVariableError(f"{name}={value!r} cannot be a value; give one value or a set of values") from None
    values = column[np.arange(column.size)]
    if unknown := wanted.difference(values):
        raise UnknownVariableError(
            f"{name} never takes the value {next(iter(unknown))!r}; see .range (a set means any of its members)"
        )
    true = np.fromiter(map(wanted.__contains__, values), dtype=bool, count=len(values))
    return true[column.codes]
