"""A memoryless uncertain channel: each input may cause any of several outputs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from noiseless.errors import ChannelError
from noiseless.theory.coding import is_missing
from noiseless.theory.information.joint_range import joint_range
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.variable import Variable, as_variable


class Channel:
    """Inputs, outputs, and which output each input can cause.

    Built from a mapping input → possible outputs, from a boolean matrix with a row per input and a column per
    output (numpy or scipy sparse), or from two variables of a space. Outputs that no input causes are dropped.

    >>> noisy = Channel({"a": {"x", "y"}, "b": {"y"}, "c": {"z"}})
    >>> noisy.is_deterministic, noisy.confusable("a", "b"), noisy.confusable("a", "c")
    (False, True, False)
    """

    __slots__ = ("_inputs", "_matrix", "_outputs")

    def __init__(self, source: Any, report: Variable | tuple[Variable, ...] | None = None) -> None:
        if report is not None:
            inputs, outputs, matrix = _from_variables(source, report)
        elif isinstance(source, Mapping):
            inputs, outputs, matrix = _from_mapping(source)
        else:
            matrix = _boolean(source)
            inputs, outputs = tuple(range(matrix.shape[0])), tuple(range(matrix.shape[1]))
        self._keep(inputs, outputs, matrix)

    @property
    def inputs(self) -> tuple[Hashable, ...]:
        """The inputs, in the order of the matrix rows."""
        return self._inputs

    @property
    def outputs(self) -> tuple[Hashable, ...]:
        """The outputs, in the order of the matrix columns."""
        return self._outputs

    @property
    def matrix(self) -> Any:
        """Sparse boolean matrix (csr): entry (x, y) says that input x can come out as y."""
        return self._matrix

    @classmethod
    def of(cls, inputs: tuple[Hashable, ...], outputs: tuple[Hashable, ...], matrix: Any) -> Channel:
        """A channel with named inputs and outputs from a sparse boolean matrix."""
        channel = object.__new__(cls)
        channel._keep(inputs, outputs, matrix)
        return channel

    def _keep(self, inputs: tuple[Hashable, ...], outputs: tuple[Hashable, ...], matrix: Any) -> None:
        matrix = matrix.tocsr().astype(bool)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        matrix.sort_indices()
        if not inputs:
            raise ChannelError("the channel has no inputs; give at least one")
        silent = np.flatnonzero(np.diff(matrix.indptr) == 0)
        if len(silent):
            raise ChannelError(f"input {inputs[silent[0]]!r} has no output; give every input at least one")
        heard = np.flatnonzero(np.bincount(matrix.indices, minlength=matrix.shape[1]))
        if len(heard) < matrix.shape[1]:
            matrix = matrix[:, heard]
            outputs = tuple(outputs[y] for y in heard)
        self._inputs, self._outputs, self._matrix = inputs, outputs, matrix

    @property
    def is_deterministic(self) -> bool:
        """Whether every input has exactly one output."""
        return bool(self.matrix.nnz == len(self.inputs))

    @property
    def confusability(self) -> Any:
        """The graph on the inputs with an edge where two share a possible output: sparse, symmetric, no loops."""
        counts = self.matrix.astype(np.int64)
        graph = (counts @ counts.T).tocoo()
        edges = graph.row != graph.col
        ones = np.ones(np.count_nonzero(edges), dtype=bool)
        return type(self.matrix)((ones, (graph.row[edges], graph.col[edges])), shape=graph.shape)

    def confusable(self, first: Hashable, second: Hashable) -> bool:
        """Whether two inputs share a possible output."""
        row = {x: self.matrix[[self._place(x)]] for x in (first, second)}
        return bool((row[first].multiply(row[second])).nnz)

    def outputs_of(self, x: Hashable) -> FiniteRange:
        """⟦Y|x⟧: the outputs that an input can cause."""
        return FiniteRange(self.outputs[y] for y in self.matrix[[self._place(x)]].indices.tolist())

    def inputs_of(self, y: Hashable) -> FiniteRange:
        """⟦X|y⟧: the inputs that can cause an output."""
        if y not in self.outputs:
            raise ChannelError(f"{y!r} is not an output of this channel; see .outputs")
        rows = self.matrix[:, [self.outputs.index(y)]].tocoo().row
        return FiniteRange(self.inputs[x] for x in sorted(rows.tolist()))

    def _place(self, x: Hashable) -> int:
        try:
            return self.inputs.index(x)
        except ValueError:
            raise ChannelError(f"{x!r} is not an input of this channel; see .inputs") from None

    def __mul__(self, other: object) -> Channel:
        """Both channels side by side; the confusability graph is the strong product of theirs.

        >>> both = Channel({0: {0, 1}, 1: {1}}) * Channel({"a": {"x"}})
        >>> both.inputs
        ((0, 'a'), (1, 'a'))
        """
        if not isinstance(other, Channel):
            return NotImplemented
        from scipy.sparse import kron

        return Channel.of(
            tuple((x, u) for x in self.inputs for u in other.inputs),
            tuple((y, v) for y in self.outputs for v in other.outputs),
            kron(self.matrix, other.matrix, format="csr"),
        )

    def restricted_to(self, places: Iterable[int]) -> Channel:
        """The same channel with only the inputs at these places."""
        kept = list(places)
        return Channel.of(tuple(self.inputs[x] for x in kept), self.outputs, self.matrix[kept])

    def __repr__(self) -> str:
        kind = "deterministic" if self.is_deterministic else "uncertain"
        return f"Channel({len(self.inputs)} inputs → {len(self.outputs)} outputs, {kind})"


def as_channel(channel: object) -> Channel:
    """The channel, or an error that says how to make one."""
    if not isinstance(channel, Channel):
        raise ChannelError(f"a {type(channel).__name__} is not a channel; make one with Channel(…)")
    return channel


Parts = tuple[tuple[Hashable, ...], tuple[Hashable, ...], Any]


def _from_mapping(outputs_of: Mapping[Hashable, Iterable[Hashable]]) -> Parts:
    from scipy.sparse import coo_array

    for x, outputs in outputs_of.items():
        if is_missing(x):
            raise ChannelError(f"input {x!r} is a missing value and equals nothing; name it, as in 'missing'")
        if isinstance(outputs, (str, bytes)) or not isinstance(outputs, Iterable):
            raise ChannelError(f"input {x!r} must map to a set of outputs; write {{{outputs!r}}} for a single one")
    try:
        pairs = [(row, y) for row, ys in enumerate(outputs_of.values()) for y in dict.fromkeys(ys)]
    except TypeError:
        raise ChannelError("an output cannot be hashed, such as a list; use tuples instead") from None
    if any(is_missing(y) for _, y in pairs):
        raise ChannelError("an output is a missing value (None or NaN) and equals nothing; name it, as in 'missing'")
    place = {y: column for column, y in enumerate(dict.fromkeys(y for _, y in pairs))}
    rows, columns = [row for row, _ in pairs], [place[y] for _, y in pairs]
    shape = (len(outputs_of), max(len(place), 1))
    return (
        tuple(outputs_of),
        tuple(place),
        coo_array((np.ones(len(pairs), dtype=bool), (rows, columns)), shape=shape),
    )


def _from_variables(x: Any, y: Any) -> Parts:
    from scipy.sparse import coo_array

    x, y = as_variable(x), as_variable(y)
    joint = joint_range(x, y)
    ones = np.ones(joint.size, dtype=bool)
    return tuple(x.range), tuple(y.range), coo_array((ones, (joint.x, joint.y)), shape=(x.size, y.size))


def _boolean(source: Any) -> Any:
    from scipy.sparse import csr_array, issparse

    if isinstance(source, np.ma.MaskedArray):
        raise ChannelError("a masked matrix leaves open whether an output is possible; fill it with true or false")
    if not issparse(source) and not isinstance(source, (np.ndarray, list, tuple)):
        raise ChannelError(
            f"cannot read a channel from a {type(source).__name__}; give a mapping input → outputs, "
            f"a boolean matrix, or two variables of a space"
        )
    try:
        matrix: Any = csr_array(source) if issparse(source) else np.asarray(source)
    except ValueError:
        raise ChannelError("the rows of the matrix differ in length; give one column per output") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ChannelError(
            f"a matrix of shape {matrix.shape} is not a channel; give a row per input, a column per output"
        )
    entries = matrix.data if issparse(matrix) else matrix
    if entries.dtype.kind not in "biuf" or not np.isin(entries, (0, 1)).all():
        raise ChannelError("a channel matrix holds only true and false (or 1 and 0); compare first, as in matrix > 0")
    return csr_array(matrix.astype(bool))
