"""Bounds on the size of the numbers in an answer and on the calculations, checked before anything is charged.

Intervals are calculated exactly, so their fractions grow with every + − * /. The bound is on the bits of numerator
and denominator, in the worst case over everything that can be released.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.plan import Aggregate, Arithmetic, Combination, Comparison, Constant, Expression, Plan, Test
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.errors import QuestionError

MOST_DIGITS = 400
"""The most digits of a constant before the point, and after it: more than any double has."""
MOST_BITS, MOST_NODES = 10_000, 1000
OF_A_RELEASE = 512
"""More bits than any count, sum of codes or sum of squares has."""


@dataclass(frozen=True, slots=True)
class Size:
    """The most bits of numerator and denominator, and the number of calculations."""

    top: int
    bottom: int
    nodes: int = 1


def check_constant(number: Fraction, written: str) -> Fraction:
    """Refuse a constant that is too long."""
    if abs(number) > 10**MOST_DIGITS or number.denominator > 10**MOST_DIGITS:
        raise QuestionError(
            f"{written[:30]!r} has more than {MOST_DIGITS} digits before or after the point; write a shorter number"
        )
    return number


def check_sizes(plan: Plan, schema: Schema) -> None:
    """Refuse a question whose calculations would take too long."""
    roots: list[Expression | Test] = [item.expression for item in plan.items]
    roots += [plan.having] if plan.having is not None else []
    roots += [expression for expression, _ in plan.order]
    sizes: dict[int, Size] = {}
    nodes = 0
    for root in roots:
        nodes += _size(root, schema, sizes).nodes
        if nodes > MOST_NODES:
            raise QuestionError(f"the question has more than {MOST_NODES} calculations; ask in parts")


def sizes_of(plan: Plan, schema: Schema) -> dict[str, Size]:
    """The sizes of the columns that stages are about."""
    return {item.label: _size(item.expression, schema, {}) for item in plan.items}


def _size(node: Expression | Test, schema: Schema, known: dict[int, Size]) -> Size:
    """The size of a node. A named expression is counted at every use, but computed once."""
    if id(node) not in known:
        known[id(node)] = _found(node, schema, known)
    return known[id(node)]


def _found(node: Expression | Test, schema: Schema, known: dict[int, Size]) -> Size:
    match node:
        case Aggregate("COUNT"):
            return Size(64, 1)
        case Aggregate():
            bits = OF_A_RELEASE + 8 * _bits(schema, node)
            return Size(bits, bits)
        case Constant(value) if isinstance(value, Fraction):
            return Size(abs(value.numerator).bit_length(), value.denominator.bit_length())
        case Arithmetic():
            return combined_size(node.operation, _size(node.left, schema, known), _size(node.right, schema, known))
        case Comparison():
            sides = _size(node.left, schema, known), _size(node.right, schema, known)
            return Size(0, 0, 1 + sum(side.nodes for side in sides))
        case Combination():
            return Size(0, 0, 1 + sum(_size(part, schema, known).nodes for part in node.parts))
        case _:
            return Size(0, 0)


def combined_size(operation: str, left: Size, right: Size) -> Size:
    """The size of the result of + − * or /. Refused if it is too long."""
    match operation:
        case "*":
            top, bottom = left.top + right.top, left.bottom + right.bottom
        case "/":
            top, bottom = left.top + right.bottom, left.bottom + right.top
        case _:
            top, bottom = max(left.top + right.bottom, right.top + left.bottom) + 1, left.bottom + right.bottom
    if max(top, bottom) > MOST_BITS:
        raise QuestionError(
            f"the numbers of the question can grow beyond {MOST_BITS} bits; ask in parts, and calculate with the "
            f"answers"
        )
    return Size(top, bottom, 1 + left.nodes + right.nodes)


def _bits(schema: Schema, node: Aggregate) -> int:
    """The most bits of the bounds and step of what an aggregate is about."""
    if node.of is not None:
        span = node.of.span()
        numbers = [span.low, span.high, span.pitch or span.low]
    else:
        column = None if node.column is None else schema.columns[node.column]
        if not isinstance(column, Scale):
            return 0
        numbers = [column.low, column.high, column.step]
    return max(each.bit_length() for number in numbers for each in (abs(number.numerator), number.denominator))
