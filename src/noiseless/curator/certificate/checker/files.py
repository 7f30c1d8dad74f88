"""A released file: the certificate must allow its columns, its rows and every value in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

from noiseless.curator.certificate.checker.columns import read_schema
from noiseless.curator.certificate.checker.numbers import rational, whole
from noiseless.curator.certificate.checker.order import Order
from noiseless.curator.certificate.checker.values import Anything, Bounds, Cells, CutCells, Groups, Rule
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

Fields = Mapping[str, Any]
FORMAT_1 = "noiseless microdata certificate 1"
"""In this format, only names and numbers of rows are compared. It does not say how values were rounded."""
BATCH, BLOCK = 1 << 16, 1 << 22
"""Rows of parquet and bytes of csv that are read at a time."""


def check_values(content: Fields, file: Path) -> int:
    """Check a file batch by batch, so that files of any length fit into memory. Returns the number of rows."""
    rules, rows = rules_of(content), 0
    looked_at = content["format"] != FORMAT_1
    names = [name for rule in rules for name in rule.names]
    csv = file.name.lower().endswith(".csv")
    comparable = takewhile(lambda rule: rule.ordered(csv), rules)
    order = Order([name for rule in comparable for name in rule.names] if content.get("sort") else [])
    with _opened(file, csv, rules) as batches:
        for batch in batches:
            require(batch.schema.names == names, "the file has other columns than were certified")
            rows += batch.num_rows
            for rule in rules if looked_at else []:
                rule.check(batch)
            order.check(batch)
    require(rows == whole(content["rows"]), "the file has another number of rows than was certified")
    return rows


def rules_of(content: Fields) -> list[Rule]:
    """What each column of the file may hold, in the order of the file."""
    columns, rules = read_schema(content["schema"]).columns, list[Rule]()
    for fields in content["columns"]:
        name = fields["column"]
        column = columns[name]
        if "cells from" in fields:
            values = [rational(value) for value in fields.get("values", [])]
            starts = [whole(first) for first in fields["cells from"]]
            rules.append(CutCells(name, column, starts, content["intervals"], values))
        elif column.scale:
            rules.append(Cells(name, column, whole(fields["cells of"]), content["intervals"]))
        elif not column.public:
            rules.append(Groups(name, fields["groups"], column))
        elif column.keys:
            rules.append(Groups(name, [str(key) for key in column.keys], column))
        else:
            rules.append(Anything(name))
    for fields in content.get("policies", []):
        rules += [Bounds(name, columns[name], fields["error"]) for name in fields["columns"]]
    return rules


@contextmanager
def _opened(file: Path, csv: bool, rules: Iterable[Rule]) -> Iterator[Iterable[Any]]:
    import pyarrow

    try:
        yield _csv(file, rules) if csv else _parquet(file)
    except (pyarrow.ArrowException, OSError):
        raise WrongCertificateError("the file cannot be read as the certified format") from None


def _parquet(file: Path) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(file) as opened:
        yield from opened.iter_batches(batch_size=BATCH)


def _csv(file: Path, rules: Iterable[Rule]) -> Iterator[Any]:
    import pyarrow
    from pyarrow import csv

    kinds = {"number": pyarrow.float64(), "date": pyarrow.date32(), "text": pyarrow.string()}
    types = {name: kinds[rule.kind] for rule in rules for name in rule.names}
    options = csv.ConvertOptions(
        column_types=types, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    reading, parsing = csv.ReadOptions(block_size=BLOCK), csv.ParseOptions(newlines_in_values=True)
    with csv.open_csv(file, reading, parsing, options) as opened:
        yield from opened
