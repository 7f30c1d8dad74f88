"""Questions on the command line: each an argument, or in a file of SQL, separated by semicolons."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

SUFFIX = ".sql"


def questions_in(given: Iterable[str]) -> list[str]:
    """The questions, in their order. An argument that ends in .sql is a file of them."""
    return [question for each in given for question in (_in_file(Path(each)) if each.endswith(SUFFIX) else [each])]


def _in_file(path: Path) -> list[str]:
    from noiseless.curator.sql.statements import statements_in

    return [statement for _, statement in statements_in(path)]
