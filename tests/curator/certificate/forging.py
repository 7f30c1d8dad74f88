"""Certificates to forge: tables, questions, every way to change one field, and the seal renewed afterwards."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

import noiseless as nl
from noiseless.curator.certificate.certificate import canonical_bytes

SCHEMA = nl.Schema(
    age=nl.Integer(0, 100),
    pay=nl.Integer(-20, 60, missing="apart"),
    height=nl.Real(1, 2, step="0.25"),
    born=nl.Date("1990-01-01", "1990-01-31", missing="apart"),
    ill=nl.Category("no", "flu", "cold", missing="unknown"),
    well=nl.Boolean(missing="apart"),
    region=nl.Public("n", "s", "e"),
    year=nl.Public(2023, 2024),
    open=nl.Public(True, False),
)
N = 60
TABLE = pa.table(
    {
        "age": [17 * k % 101 for k in range(N)],
        "pay": [None if k % 9 == 0 else 7 * k % 81 - 20 for k in range(N)],
        "height": [1 + k % 9 / 8 for k in range(N)],
        "born": [None if k % 7 == 0 else date(1990, 1, 1) + timedelta(days=k % 31) for k in range(N)],
        "ill": [["no", "flu", "cold", None][k % 4] for k in range(N)],
        "well": [[True, False, None][k % 3] for k in range(N)],
        "region": [["n", "s"][k % 2] for k in range(N)],
        "year": [[2023, 2024][k % 3 == 0] for k in range(N)],
        "open": [k % 5 != 0 for k in range(N)],
    }
)


def opened(**options: Any) -> nl.Curator:
    """The table with a budget for everything."""
    return nl.Curator.open(TABLE, SCHEMA, budget=9000, table="t", store=":memory:", **options)


def resealed(content: dict[str, Any]) -> nl.Certificate:
    """As somebody would who knows how the id is made."""
    rest = {name: value for name, value in content.items() if name != "id"}
    return nl.Certificate({**rest, "id": hashlib.sha256(canonical_bytes(rest)).hexdigest()})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field and every element."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from places(inner, (*path, name))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def put(content: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The content with something else at a place."""
    other = copy.deepcopy(content)
    at(other, path[:-1])[path[-1]] = value
    return other


def instead(value: Any) -> Iterator[Any]:
    """Other values: numbers up and down and spelled otherwise, lists with an element dropped, doubled or moved."""
    match value:
        case str() if value.lstrip("-").isdigit():
            yield from (str(int(value) + 1), str(int(value) - 1), f"0{value}", f"{value}.0", f"-{value}", "")
        case str() if len(value) in (32, 64) and set(value) <= set("0123456789abcdef"):
            yield from (value[:-1] + ("0" if value[-1] != "0" else "1"), value[:-1], value.upper(), "")
        case str():
            yield from (f"{value} ", f"x{value}", "")
        case bool():
            yield from (not value, str(value), None)
        case None:
            yield from ("", "1", [], False)
        case list():
            yield from _other_lists(value)
        case dict():
            yield from ({**value, "more": "1"}, {}, [])
            for name in value:
                yield {other: inner for other, inner in value.items() if other != name}


def _other_lists(value: list[Any]) -> Iterator[Any]:
    yield from ([*value, "x"], [*value, []], {}, "")
    for place in range(len(value)):
        yield [*value[:place], *value[place + 1 :]]
        yield [*value[:place], value[place], *value[place:]]
        if place and value[place] != value[place - 1]:
            yield [*value[: place - 1], value[place], value[place - 1], *value[place + 1 :]]


def forged(content: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The content with one field changed, in every way, and where."""
    for path in places(content):
        for other in instead(at(content, path)) if path else ():
            if other != at(content, path) or type(other) is not type(at(content, path)):
                yield path, put(content, path, other)
        if path and isinstance(at(content, path[:-1]), dict):
            without = copy.deepcopy(content)
            del at(without, path[:-1])[path[-1]]
            yield path, without
