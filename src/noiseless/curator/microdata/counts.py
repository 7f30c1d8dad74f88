"""How many rows of a released copy are in each of its cells, kept beside the store, so that deductions can use them.

They say nothing that the copy does not say. Their SHA-256 is in the ledger, as the answer to the copy, so that a file
that was changed is noticed and not used. A copy of codes in flight has none, because the table may have changed between
writing and counting.

Source: theory §13: docs/deduce.md
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.partition import Axis, Labels, Partition
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.microdata.columns import PrivateColumn
from noiseless.curator.microdata.plan import CopyPlan
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.release import Released
from noiseless.curator.schema.schema import Private

PIECE, PIECES = 52, 5
"""A SHA-256 is written to the ledger as integers: the bits of each, and how many there are."""
MOST_GROUPS = 2_000_000
"""No counts are kept of copies that may have more different rows than this."""
Counts = dict[str, NDArray[np.int64]]
"""For each cell with rows: its public cell, the label of each column, and its rows. Then the keys of public cells."""
NAMES = ("public", "labels", "counts", "keys")


@dataclass(frozen=True, slots=True)
class Kept:
    """The partitions of copies whose counts are there and unchanged, and what is said about the others."""

    partitions: tuple[Partition, ...] = ()
    notes: tuple[str, ...] = ()


def keep(plan: CopyPlan, copy: CopiedRows, dataset: Dataset, account: Account, charge: Charge, analyst: str) -> None:
    """Count the rows of a copy, keep the counts and note their SHA-256 in the ledger, if codes are prepared."""
    most = plan.answers * len(dataset.cells)
    if not dataset.engine.prepares or not plan.private or plan.policies or most > MOST_GROUPS:
        return
    counts = counted(plan, dataset)
    digest = digest_of(copy.written, counts)
    known = account.released({copy: 1}).get((copy, 1))
    if known in (None, _pieces(digest)):
        dataset.engine.keep_beside(digest, _as_bytes(counts))
        account.commit(charge, analyst, [((copy, 1), _pieces(digest))])


def kept(dataset: Dataset, account: Account) -> Kept:
    """What is known from the cells of released copies. No private data are read."""
    found, notes = list[Partition](), list[str]()
    for question, written, released in account.copies():
        digest = _joined(released)
        counts, own = _read(written, dataset.engine.kept_beside(digest))
        axes = None if counts is None else axes_of(written, dataset)
        if counts is None:
            why = "are missing or cannot be read; release the same copy again, which is free"
        elif own != digest:
            why = "were changed; release the same copy again, which is free"
        elif axes is None or counts["keys"].tolist() != [list(cell) for cell in dataset.cells]:
            why = "are those of an earlier schema"
        else:
            everywhere = frozenset(range(len(dataset.cells)))
            public, labels, numbers = (counts[name] for name in NAMES[:3])
            found.append(Partition(axes, public, labels, numbers, everywhere, question))
            continue
        notes.append(f"nothing is deduced from the copy of question {question}: its counts {why}")
    return Kept(tuple(found), tuple(notes))


def counted(plan: CopyPlan, dataset: Dataset) -> Counts:
    """The rows of every cell, from prepared codes."""
    fields = [dataset.field(name) for name, column in dataset.schema.public.items() if column.keys]
    private = [column.first_sql(dataset.field(column.name)) for column in plan.private]
    listed = ", ".join([*fields, *private])
    rows = dataset.engine.run(f"SELECT {listed}, COUNT(*) FROM {dataset.engine.codes_for(listed)} GROUP BY {listed}")
    places = {cell: place for place, cell in enumerate(dataset.cells)}
    axes = [labels_of(column) for column in plan.private]
    found: dict[tuple[int, ...], int] = {}
    for *codes, number in rows:
        public = places[tuple(int(code) for code in codes[: len(fields)])]
        own = codes[len(fields) :]
        labels = (int(axis[-1 if code is None else int(code)]) for axis, code in zip(axes, own, strict=True))
        key = (public, *labels)
        found[key] = found.get(key, 0) + int(number)
    table = np.array([(*key, number) for key, number in sorted(found.items())], np.int64)
    table = table.reshape(len(found), len(plan.private) + 2)
    keys = np.array(dataset.cells, np.int64).reshape(len(dataset.cells), len(fields))
    return {"public": table[:, 0], "labels": table[:, 1:-1], "counts": table[:, -1], "keys": keys}


def labels_of(column: PrivateColumn) -> Labels:
    """The cell of every value: codes in order, then missing values if they are kept separate."""
    return _labelled(column.places, column.column)


def _labelled(places: list[int], column: Private) -> Labels:
    return np.array([*places, *([max(places) + 1] if column.apart else [])], np.int64)


def axes_of(written: str, dataset: Dataset) -> tuple[Axis, ...] | None:
    """The axes of a copy, from its entry in the ledger. None if they do not fit the schema any more."""
    axes = []
    for fields in json.loads(written)["columns"]:
        column = dataset.schema.private.get(fields["column"])
        if column is None:
            return None
        labels = _labels_in(fields, column)
        if len(labels) != column.values:
            return None
        axes.append(Axis((fields["column"],), labels))
    return tuple(axes)


def _labels_in(fields: dict[str, Any], column: Private) -> Labels:
    codes = np.arange(column.top + 1)
    if "cells from" in fields:
        places = np.searchsorted([int(first) for first in fields["cells from"]], codes, side="right") - 1
    elif "cells of" in fields:
        places = codes // int(fields["cells of"])
    else:
        order = list(dict.fromkeys(fields["groups"]))
        places = np.array([order.index(label) for label in fields["groups"]])
    return _labelled(places.tolist(), column)


def digest_of(written: str, counts: Counts) -> str:
    """The SHA-256 of the description of a copy and its counts."""
    digest = sha256(written.encode())
    for name in NAMES:
        digest.update(f"|{name} {counts[name].shape}|".encode())
        digest.update(np.ascontiguousarray(counts[name], "<i8").tobytes())
    return digest.hexdigest()


def _pieces(digest: str) -> Released:
    number = int(digest, 16)
    return tuple(number >> PIECE * place & (1 << PIECE) - 1 for place in range(PIECES))


def _joined(pieces: Released) -> str:
    return f"{sum(piece << PIECE * place for place, piece in enumerate(pieces)):064x}"


def _as_bytes(counts: Counts) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **counts)  # type: ignore[arg-type]
    return file.getvalue()


@lru_cache(maxsize=4)
def _read(written: str, data: bytes | None) -> tuple[Counts | None, str]:
    """The arrays of a file with their SHA-256. None if it is missing or is another file."""
    try:
        with np.load(BytesIO(data or b""), allow_pickle=False) as found:
            counts = {name: np.asarray(found[name], np.int64) for name in NAMES}
    except Exception:  # a damaged file is like a missing one
        return None, ""
    return counts, digest_of(written, counts)
