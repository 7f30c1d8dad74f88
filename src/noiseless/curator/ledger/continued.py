"""Continuing a dataset under a wider schema or a lower budget: what was spent stays spent.

An added private column starts with its whole range. If public columns or keys are added, public cells are split, and
every piece inherits what was spent on the whole cell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from noiseless.curator.dataset.dataset import Dataset, keys_of
from noiseless.curator.dataset.snapshot import OLD_SCHEMA, changed_error
from noiseless.curator.ledger.compact import repeated
from noiseless.curator.question.price import MOST_CELLS, Prices
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Column, Schema
from noiseless.exact.rounding import bits_down
from noiseless.privacy.composition.sequence import EVERYBODY


def widens(old: Schema, new: Schema) -> bool:
    """Whether a schema says everything that another one said, and possibly more."""
    same_people = (old.unit, old.rows, old.order_by) == (new.unit, new.rows, new.order_by)
    return same_people and all(_kept(column, new.columns.get(name)) for name, column in old.columns.items())


def _kept(old: Column, new: Column | None) -> bool:
    if not isinstance(old, Public) or not isinstance(new, Public):
        return old == new
    return old.other == new.other and bool(old.keys) == bool(new.keys) and set(old.keys) <= set(new.keys)


def continuation(known: Mapping[str, Any], dataset: Dataset, budget: int) -> Mapping[str, Any] | None:
    """What the ledger must record before it continues, or None if nothing changed. Refused if it cannot continue."""
    declared = dataset.snapshot.schema
    old = Declaration.parse(known["schema"]).schema
    if not widens(old, dataset.schema):
        what = "the schema differs from the one that the ledger began with by more than additions"
        raise changed_error(what, OLD_SCHEMA)
    if budget > (most := int(known.get("granted", known["budget"]))):
        has = f"{bits_down(most):g} bits that the ledger {'has' if 'granted' in known else 'began with'}"
        raise changed_error(f"the declared budget is larger than the {has}", "declare that one again")
    if known["schema"] == declared and int(known["budget"]) == budget and "cells" in known:
        return None
    olds, names = _old_cells(old, dataset), Prices(dataset).names()
    cells = sorted(set(olds), key=lambda cell: _codes(old, cell))
    places = {cell: place for place, cell in enumerate(cells)}
    origin = [places[cell] for cell in olds]
    celled = dataset.schema.rows == 1 and 0 < len(cells) <= MOST_CELLS
    before = [json.dumps(list(cell), ensure_ascii=False) for cell in cells] if celled else [EVERYBODY]
    altered = [name for name, column in old.public.items() if dataset.schema.public[name].keys != column.keys]
    same = before == names and origin == list(range(len(cells))) and not altered
    return {
        "budget": str(budget),
        "schema": declared,
        "before": before,
        "cells": names,
        "from": [] if same else repeated(map(str, origin)),
        "altered": altered,
    }


def _old_cells(old: Schema, dataset: Dataset) -> list[tuple[Any, ...]]:
    """For every public cell, the keys that its people had under the old schema."""
    found = []
    for cell in dataset.cells:
        keys = keys_of(dataset, cell)
        found.append(tuple(_old_key(column, keys[name], name) for name, column in old.public.items()))
    return found


def _old_key(column: Public, key: Any, name: str) -> Any:
    if key in column.keys:
        return key
    if column.other is None:
        raise changed_error(
            f"public column {name!r} has rows with the key {key!r}, which was not declared when the ledger began"
        )
    return column.other


def _codes(schema: Schema, cell: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(column.keys.index(key) for column, key in zip(schema.public.values(), cell, strict=True))
