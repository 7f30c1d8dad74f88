"""How the time of a question grows with the table, on every engine: python -m benchmarks.scale.

Every measurement is a process of its own. Writes SCALE.md and docs/pictures/scale.svg. With `axes` it measures only the
other axes, and leaves the rest of SCALE.md as it is. With a way and a power, as in `"Spark, in flight" 8`, it prints
that measurement alone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log10
from pathlib import Path
from typing import Any

import duckdb

import noiseless as nl
from benchmarks.__main__ import machine
from benchmarks.axes import OTHER_AXES, section
from benchmarks.measure import seconds, shown
from benchmarks.peers.asked import peak_mib
from benchmarks.people import QUESTION, SCHEMA, fresh, write
from benchmarks.plot import log_log

SIZES = {
    "DuckDB, prepared": (5, 6, 7, 8),
    "DuckDB, in flight": (5, 6, 7, 8),
    "Postgres, prepared": (5, 6, 7),
    "Postgres, in flight": (5, 6, 7),
    "Spark, prepared": (5, 6, 7),
    "Spark, in flight": (5, 6, 7, 8),
}
MEMORY = 0.25
"""The share of the file that DuckDB is left, in one more measurement."""
RUNS = 3
SCALE, ROOT = Path(__file__).with_name("SCALE.md"), Path(__file__).parents[1]


def main() -> None:
    match sys.argv[1:]:
        case ["axes"]:
            rows, _, _ = SCALE.read_text(encoding="utf-8").partition(OTHER_AXES)
            _write(rows)
        case [task]:
            print(json.dumps(measure(**json.loads(task))))
        case [way, power]:
            _print_alone(way, int(power))
        case _:
            _write(_rows())


def _print_alone(way: str, power: int) -> None:
    """One line of the table, for DuckDB or Spark."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "people.parquet"
        write(file, 10**power)
        print(_table([_apart(way, power, file, "")]))


def _write(rows: str) -> None:
    found = f"{rows.rstrip()}\n\n{section()}"
    SCALE.write_text(found, encoding="utf-8")
    print(found)


def _rows() -> str:
    """The part of SCALE.md about rows; draws its curves, too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = list(_measured(folder))
    curves = {
        way: [(10.0 ** each["power"], each["ask"]) for each in found if each["way"] == way and not each["memory"]]
        for way in SIZES
    }
    drawn = log_log(curves, "rows", "seconds", "A grouped mean, asked of a table of so many rows")
    (ROOT / "docs" / "pictures" / "scale.svg").write_text(drawn, encoding="utf-8")
    return (
        "# Scale\n\nMade by `make bench-scale`: `" + QUESTION + "` with `bits=1`, asked end to end, the best of three; "
        "*to raw* is the ratio to the same question without privacy, asked of the same database in turn; *exponent* is "
        "that of the last tenfold, *memory* the peak of the process and of what it started.\n\n"
        + machine("duckdb", "ibis-framework", "psycopg", "pyspark")
        + f"\n\n{_table(found)}"
    )


def _measured(folder: Path) -> Iterator[dict[str, Any]]:
    powers = sorted({power for sizes in SIZES.values() for power in sizes})
    with _postgres(folder) as url:
        for power in powers:
            file = folder / f"p{power}" / "people.parquet"
            file.parent.mkdir()
            print(f"writing 10^{power} rows …", file=sys.stderr)
            write(file, 10**power)
            if power in SIZES["Postgres, prepared"]:
                _load(file, url)
            for way, sizes in SIZES.items():
                if power in sizes:
                    yield _apart(way, power, file, url)
            if power == powers[-1]:
                limit = f"{max(64, int(file.stat().st_size * MEMORY) // 2**20)}MiB"
                yield from (_apart(way, power, file, url, limit) for way in SIZES if "DuckDB" in way)
            shutil.rmtree(file.parent)


def _apart(way: str, power: int, file: Path, url: str, memory: str | None = None) -> dict[str, Any]:
    print(f"measuring {way}, 10^{power} rows …", file=sys.stderr)
    task = json.dumps({"way": way, "power": power, "file": str(file), "url": url, "memory": memory})
    told = subprocess.run([sys.executable, "-m", "benchmarks.scale", task], stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer


def measure(way: str, power: int, file: str, url: str, memory: str | None) -> dict[str, Any]:
    """Open and ask, in this process."""
    started = time.perf_counter()
    with _opened(way, Path(file), url, memory) as curator:
        opened = time.perf_counter() - started
        raw = _raw(way, Path(file), url, curator)
        turns = [(seconds(lambda: fresh(curator).ask(QUESTION, bits=1), 1), seconds(raw, 1)) for _ in range(RUNS)]
        asked, plain = (min(times) for times in zip(*turns, strict=True))
    return {
        "way": way,
        "power": power,
        "memory": memory,
        "open": opened,
        "ask": asked,
        "raw": plain,
        "file": Path(file).stat().st_size / 2**30,
        "peak": peak_mib() / 1024,
    }


def _opened(way: str, file: Path, url: str, memory: str | None) -> nl.Curator:
    prepare = way.endswith("prepared")
    ledger = file.with_name(f"{way}.sqlite") if prepare else None
    if "DuckDB" in way:
        return nl.Curator.open(file, SCHEMA, 100, prepare=prepare, memory=memory)
    if "Postgres" in way:
        return nl.Curator.open(url, SCHEMA, 100, table="people", prepare=prepare, ledger=ledger)
    return nl.Curator.open("local[*]", SCHEMA, 100, table=str(file), prepare=prepare, ledger=ledger)


def _raw(way: str, file: Path, url: str, curator: nl.Curator) -> Callable[[], object]:
    """The question without privacy, to the same database, on the custodian's table."""
    if "DuckDB" in way:
        connection, plain = duckdb.connect(), QUESTION.replace("people", f"'{file}'")
        return lambda: connection.execute(plain).fetchall()
    if "Postgres" in way:
        import psycopg

        server = psycopg.connect(url, autocommit=True)
        return lambda: server.execute(QUESTION).fetchall()
    session: Any = curator._dataset.engine._session  # type: ignore[attr-defined]
    return lambda: session.sql(QUESTION.replace("people", f"parquet.`{file}`")).collect()


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pgserver.postgres_server import get_server

    server = get_server(folder / "postgres")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _load(file: Path, url: str) -> None:
    import psycopg

    csv = file.with_suffix(".csv")
    duckdb.sql(f"COPY (SELECT * FROM '{file}') TO '{csv}' (HEADER false)")
    with psycopg.connect(url, autocommit=True) as connection:
        for table in ("people", "people_codes", "people_codes_checks", "people_codes_noted"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        columns = "person int8, height float8, age int2, smoker boolean, region text"
        connection.execute(f"CREATE TABLE people ({columns})")
        connection.execute(f"COPY people FROM '{csv}' (FORMAT csv)")
        connection.execute("VACUUM ANALYZE people")
    csv.unlink()


def _table(found: list[dict[str, Any]]) -> str:
    lines = ["| engine | rows | file | open | ask | to raw | exponent | memory |", "|---|---|---|---|---|---|---|---|"]
    asks = {(each["way"], each["power"]): each["ask"] for each in found if not each["memory"]}
    for each in sorted(found, key=lambda each: (list(SIZES).index(each["way"]), each["power"], each["memory"] or "")):
        way, power, limit = each["way"], each["power"], each["memory"]
        before = asks.get((way, power - 1))
        exponent = f"{log10(each['ask'] / before):.2f}" if before and not limit else ""
        cells = [
            f"{way}, memory={limit}" if limit else way,
            f"10^{power}",
            f"{each['file']:.2f} GiB",
            shown(each["open"]),
            shown(each["ask"]),
            f"{each['ask'] / each['raw']:.2g}×",
            exponent,
            f"{each['peak']:.2f} GiB",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
