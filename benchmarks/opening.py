"""Opening and asking along other axes than rows: many keys, many columns, a large text file, sorted copies, in flight.

Ours and the raw baseline take turns, so that both meet the same noise.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import duckdb

import noiseless as nl
from benchmarks.measure import Row, compared, seconds
from benchmarks.people import PEOPLE, QUESTION, SCHEMA, fresh, write

KEYED, COLUMNS, LARGE = 1_000_000, 300, 10_000_000
BY_KEY = "SELECT region, AVG(height) FROM people GROUP BY region"
PEAK = """
import sys
{work}
print(next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
"""Not by getrusage, which counts what the parent held when it forked."""
OPENED = """
import noiseless as nl
from benchmarks.people import SCHEMA
nl.Curator.open(sys.argv[1], SCHEMA, 100).close()
"""
LOADED = """
import duckdb
duckdb.connect(sys.argv[1] + ".raw.duckdb").execute(f"CREATE TABLE t AS SELECT * FROM '{sys.argv[1]}'")
"""


def rows() -> list[Row]:
    nl.Curator  # noqa: B018 (imported before anything is measured)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        return [
            *_keys(home, 10**4),
            *_keys(home, 10**5),
            *_columns(home),
            *_text(home),
            *_copy(home),
            *_flight(home),
            *_again(home),
        ]


def _in_turn(ours: Callable[[], object], raw: Callable[[], object], repeat: int = 3) -> tuple[float, float]:
    times = [(seconds(ours, repeat=1), seconds(raw, repeat=1)) for _ in range(repeat)]
    return min(first for first, _ in times), min(second for _, second in times)


def _loaded(source: Path) -> Callable[[], object]:
    """The same file copied into a new DuckDB file."""
    number = count()

    def load() -> None:
        with duckdb.connect(str(source.with_suffix(f".{next(number)}.duckdb"))) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT * FROM '{source}'")

    return load


def _keys(home: Path, keys: int) -> Iterator[Row]:
    source = home / f"people{keys}.parquet"
    made = f"100 + 150 * (hash(i) / 1.9e19) AS height, 'k' || hash(i + 7) % {keys} AS region"
    duckdb.sql(f"COPY (SELECT {made} FROM range({KEYED}) t(i)) TO '{source}'")
    schema = nl.Schema(
        height=nl.Real(100, 250, step="0.1"), region=nl.Public(*(f"k{number}" for number in range(keys)))
    )

    def opened() -> nl.Curator:
        return nl.Curator.open(source, schema, 100, table="people")

    ours, raw = _in_turn(lambda: opened().close(), _loaded(source))
    yield compared(f"open {keys:,} public keys, {KEYED:,} rows", ours, raw, "CREATE TABLE AS", "≤ 2 s; 5 s for 10^5")
    connection, plain = duckdb.connect(), BY_KEY.replace("people", f"'{source}'")
    with opened() as curator:
        ours, raw = _in_turn(lambda: fresh(curator).ask(BY_KEY, bits=2), lambda: connection.execute(plain).fetchall())
    yield compared(f"ask for the means of {keys:,} keys", ours, raw, "raw DuckDB", "≤ 100 ms; 1 s for 10^5")


def wide(source: Path, columns: int) -> nl.Schema:
    """A parquet file of 10^5 rows with so many columns, and its schema."""
    made = ", ".join(f"1000 * (hash(i * {columns} + {place}) / 1.9e19) AS v{place}" for place in range(columns))
    duckdb.sql(f"COPY (SELECT {made} FROM range(100_000) t(i)) TO '{source}'")
    return nl.Schema({f"v{place}": nl.Real(0, 1000 + place, step="0.5") for place in range(columns)})


def _columns(home: Path) -> Iterator[Row]:
    source = home / "wide.parquet"
    schema = wide(source, COLUMNS)
    ours, raw = _in_turn(lambda: nl.Curator.open(source, schema, 100).close(), _loaded(source))
    yield compared(f"open {COLUMNS} private columns, 100,000 rows", ours, raw, "CREATE TABLE AS", "≤ 1.4×")


def _text(home: Path) -> Iterator[Row]:
    source = home / "people.csv"
    duckdb.sql(f"COPY ({PEOPLE.format(rows=LARGE)}) TO '{source}' (HEADER)")
    ours, raw = _in_turn(lambda: nl.Curator.open(source, SCHEMA, 100).close(), _loaded(source))
    yield compared(f"open a csv file of {LARGE:,} rows", ours, raw, "CREATE TABLE AS, not strict", "≤ 1.6×")
    mine, theirs = (_peak(work, source) for work in (OPENED, LOADED))
    yield Row("… its peak memory", f"{mine:.0f} MiB", f"{theirs:.0f} MiB", f"{mine / theirs:.2g}×", "≤ 500 MiB")


def _peak(work: str, source: Path) -> float:
    """The most memory of a process that does nothing else."""
    command = [sys.executable, "-c", PEAK.format(work=work), str(source)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(told.split()[-1])  # DuckDB may draw a progress bar before it


def _copy(home: Path) -> Iterator[Row]:
    source, out = home / "people.parquet", home / "out.parquet"
    write(source, LARGE)

    def copied() -> None:
        out.unlink(missing_ok=True)
        curator.release(out, bits=10)

    def plain() -> None:
        duckdb.sql(f"COPY (SELECT height, age, smoker, region FROM '{source}') TO '{home}/raw.parquet'")

    with nl.Curator.open(source, SCHEMA, 100) as curator:
        ours, raw = _in_turn(copied, plain)
    yield compared(f"sorted copy of {LARGE:,} rows, 10 bits", ours, raw, "plain COPY, not sorted", "≤ 3.4×")


def _flight(home: Path) -> Iterator[Row]:
    for power in (6, 7):
        source, connection = home / f"flight{power}.parquet", duckdb.connect()
        write(source, 10**power)
        plain = QUESTION.replace("people", f"'{source}'")
        with nl.Curator.open(source, SCHEMA, 100, table="people", prepare=False) as curator:
            ours, raw = _in_turn(
                lambda curator=curator: fresh(curator).ask(QUESTION, bits=1),  # type: ignore[misc]
                lambda connection=connection, plain=plain: connection.execute(plain).fetchall(),  # type: ignore[misc]
                repeat=9,
            )
        yield compared(f"ask in flight, 10^{power} rows, 10 groups", ours, raw, "raw DuckDB", "≤ 1.3×")


def _again(home: Path) -> Iterator[Row]:
    """A new question whose sums an earlier question computed: here the mean of everybody after those of groups."""
    source, connection, whole = home / "flight7.parquet", duckdb.connect(), "SELECT AVG(height) FROM people"
    with nl.Curator.open(source, SCHEMA, 100, table="people") as curator:
        fresh(curator).ask(QUESTION, bits=1)
        kept = curator._dataset.engine.kept
        ours, raw = _in_turn(
            lambda: fresh(curator, kept=kept).ask(whole, bits=1),
            lambda: connection.execute(whole.replace("people", f"'{source}'")).fetchall(),
            repeat=9,
        )
    yield compared("ask what follows from kept sums, 10^7 rows", ours, raw, "raw DuckDB", "")
