"""The gate of CI: no ratio to a raw library, measured in the same run, may double against the one in gate.toml.

`make gate` measures for less than a minute; `make gate-renew` writes the ratios of this machine. Both sides take turns
and the best of each counts, so that the machine and its noise cancel. What looks too slow is measured again, up to
three times in all: noise passes, a mistake stays.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count, product
from pathlib import Path
from time import perf_counter

import duckdb
import sqlglot

import noiseless as nl
from benchmarks.people import QUESTION, SCHEMA, fresh, write

COMMITTED = Path(__file__).with_name("gate.toml")
DOUBLED, ATTEMPTS = 2.0, 3
SECONDS = 1.0
"""How long the two sides of a measure take turns."""
LEAST = 5
"""How often at least."""
BUDGET = 9000
HEAD = "# Ratios to raw libraries, made by `make gate-renew`; `make gate` fails if one has doubled.\n"
Work = Callable[[], object]
Ratio = Callable[[], float]


def main() -> None:
    with measures() as found:
        if "--renew" in sys.argv:
            ratios = {name: min(measured(), measured()) for name, measured in found.items()}
            COMMITTED.write_text(HEAD + "".join(f'"{name}" = {ratio:.2f}\n' for name, ratio in ratios.items()))
            print(COMMITTED.read_text(), end="")
            return
        slower = list(doubled(found, committed()))
    if slower:
        print("These ratios have doubled: find out why, or renew them with `make gate-renew` and say why.")
        print("\n".join(f"  {line}" for line in slower))
        sys.exit(1)


def committed() -> dict[str, float]:
    """The ratios to compare with."""
    return {name: float(ratio) for name, ratio in tomllib.loads(COMMITTED.read_text(encoding="utf-8")).items()}


def doubled(found: Mapping[str, Ratio], before: Mapping[str, float]) -> Iterator[str]:
    """What is too slow in every attempt."""
    for name, measured in found.items():
        limit = DOUBLED * before[name]
        ratios: list[float] = []
        while len(ratios) < ATTEMPTS and not (ratios and ratios[-1] <= limit):
            ratios.append(measured())
        line = f"{name}: {min(ratios):.2f}×, was {before[name]:.2f}×"
        print(line, flush=True)
        if ratios[-1] > limit:
            yield line


def in_turn(ours: Work, raw: Work) -> float:
    """The ratio of the best of each; a first run of each does not count."""
    ours(), raw()
    best, rounds, end = [float("inf")] * 2, 0, perf_counter() + SECONDS
    while rounds < LEAST or perf_counter() < end:
        for side, work in enumerate((ours, raw)):
            start = perf_counter()
            work()
            best[side] = min(best[side], perf_counter() - start)
        rounds += 1
    return best[0] / best[1]


@contextmanager
def measures() -> Iterator[dict[str, Ratio]]:
    """Each ratio by its name; what they need is opened once."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pairs = dict([*_grouped(stack, home), *_opened(home), *_previewed(stack, home), *_recorded(stack, home)])
        yield {name: lambda pair=pair: in_turn(*pair) for name, pair in pairs.items()}  # type: ignore[misc]


Named = Iterator[tuple[str, tuple[Work, Work]]]


def _grouped(stack: ExitStack, home: Path) -> Named:
    connection = duckdb.connect()
    for power, how, prepare in ((5, "prepared", None), (6, "in flight", False)):
        source = home / f"people{power}.parquet"
        write(source, 10**power)
        plain = QUESTION.replace("people", f"'{source}'")
        curator = stack.enter_context(nl.Curator.open(source, SCHEMA, 100, table="people", prepare=prepare))
        yield (
            f"new grouped AVG, 10^{power} rows, {how}, to raw DuckDB on the file",
            (
                lambda curator=curator: fresh(curator).ask(QUESTION, bits=1),  # type: ignore[misc]
                lambda plain=plain: connection.execute(plain).fetchall(),  # type: ignore[misc]
            ),
        )


def _opened(home: Path) -> Named:
    source, number = home / "people6.parquet", count()

    def loaded() -> None:
        with duckdb.connect(str(home / f"raw{next(number)}.duckdb")) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT * FROM '{source}'")

    yield "open 10^6 rows, to CREATE TABLE AS", (lambda: nl.Curator.open(source, SCHEMA, 100).close(), loaded)


def _previewed(stack: ExitStack, home: Path) -> Named:
    source = home / "people5.parquet"
    curator = stack.enter_context(nl.Curator.open(source, SCHEMA, BUDGET, table="people"))

    def parsed() -> None:
        sqlglot.parse_one(QUESTION, dialect="duckdb")

    yield "preview of a grouped mean, to its parse by sqlglot", (lambda: curator.preview(QUESTION, bits=1), parsed)
    conditions = count(1)

    def previewed() -> None:
        curator.preview(f"SELECT COUNT(*) FROM people WHERE age < 50 AND height < 150.{next(conditions)}")

    yield "preview of a new condition, to a parse by sqlglot", (previewed, parsed)


def _recorded(stack: ExitStack, home: Path) -> Named:
    """A question about few rows, with its two entries, against two plain inserts into SQLite."""
    source = home / "few.parquet"
    write(source, 10)
    ledger, store = home / "ledger.sqlite", home / "codes.duckdb"
    curator = stack.enter_context(nl.Curator.open(source, SCHEMA, BUDGET, ledger=ledger, store=store, table="people"))
    plain = sqlite3.connect(home / "plain.sqlite")
    stack.callback(plain.close)
    plain.execute("CREATE TABLE entries (entry TEXT)")
    ages = product(range(101, 121), range(100))

    def asked() -> None:
        top, low = next(ages)
        assert curator.ask(f"SELECT AVG(height) FROM people WHERE age BETWEEN {low} AND {top}", bits=2).factor > 1

    def inserted() -> None:
        for _ in range(2):
            plain.execute("INSERT INTO entries VALUES (?)", ["x" * 1000])
            plain.commit()

    yield "ask and record on disk, to two inserts by sqlite3", (asked, inserted)


if __name__ == "__main__":
    main()
