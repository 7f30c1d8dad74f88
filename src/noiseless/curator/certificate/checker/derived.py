"""Derived columns: their functions read only columns of the table, and their rounding is not too small."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.bounds import bounds_of
from noiseless.curator.certificate.checker.columns import Column, Schema, read_schema
from noiseless.curator.certificate.checker.conditions import read_condition
from noiseless.curator.certificate.checker.function_trees import Reader
from noiseless.curator.certificate.checker.functions import Function
from noiseless.curator.certificate.checker.shape import check_shape
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require


def read_whole_schema(text: Any) -> Schema:
    """The schema, with the functions of its derived columns."""
    schema = read_schema(text)
    own = {name: column for name, column in schema.columns.items() if name not in schema.functions}
    for name, written in schema.functions.items():
        function = Reader(own, read_condition).read(_tree(written))
        private = [each for each in function.reads if not own[each].public]
        require(bool(private), "a derived column reads no private column")
        _check(function, schema.columns[name], own)
    return schema


def _tree(written: str) -> Any:
    try:
        tree = json.loads(written)
    except (ValueError, RecursionError):
        tree = None
    if tree is None:
        raise WrongCertificateError("the function of a derived column cannot be read")
    check_shape(tree)
    return tree


def _check(function: Function, column: Column, columns: dict[str, Column]) -> None:
    """Check that numbers keep their rounding, and that other values are among the declared ones.

    Clamping adds no error.
    """
    found = bounds_of(function, columns)
    if not column.scale:
        require(found.low >= 0 and found.high <= column.top, "a derived column can have a value that is not declared")
        return
    require(
        (function.kind == "date") == (column.kind == "date"), "a derived column is of another kind than its function"
    )
    on_grid = found.pitch is not None and _whole((found.low - column.low) / column.step, found.pitch / column.step)
    wide = column.low <= found.true[0] and found.true[1] <= column.high
    needed = (found.slack if wide else Fraction(0)) + (0 if on_grid else column.step / 2)
    require(column.rounding >= needed, "a derived column can be further from the truth than is said")


def _whole(*numbers: Fraction) -> bool:
    return all(number.denominator == 1 for number in numbers)
