"""Make a fixture of what one version of the code writes: ledger, store, certificates, TOML.

    python tests/curator/formats/make.py COMMIT NUMBER

checks the commit out beside the repository, runs its code with this interpreter and writes the folder NUMBER here. What
cannot be in git as it is (parquet, DuckDB, SQLite) is kept as text: sources as csv, ledgers as SQL, stores as JSON.
Add the line that it prints to README.md. Nothing here may import noiseless but `record`, which runs on the old code.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

HERE = Path(__file__).parent
TABLES = HERE / "tables"
STEPS = {
    "people": [
        ("ask", "SELECT region, AVG(age) FROM people GROUP BY region", {"bits": 2}),
        ("ask", "SELECT AVG(height) FROM people WHERE smoker = 'yes'", {"bits": 3}),
        ("ask", "SELECT COUNT(*) FROM people WHERE age >= 40", {"analyst": "alice"}),
        ("ask", "SELECT COUNT(height), COUNT(*) AS n FROM people WHERE NOT member OR born IS NULL", {}),
        ("ask", "SELECT MEDIAN(height) FROM people", {"bits": 2}),
        ("ask", "SELECT MIN(born) FROM people WHERE region <> 'south'", {"bits": 3}),
        ("ask", "SELECT VAR_POP(age) FROM people", {"bits": 2}),
        ("ask", "SELECT smoker, COUNT(*) FROM people GROUP BY smoker", {}),
        ("ask", "SELECT SUM(height) FROM people WHERE height BETWEEN 160 AND 180.5", {"bits": "2.5"}),
        (
            "batch",
            [
                "SELECT SUM(age) FROM people WHERE region = 'north'",
                "SELECT COUNT(*) FROM people WHERE age < 30",
                "SELECT QUANTILE(height, 0.9) FROM people",
            ],
            {"bits": 1, "analyst": "Zoë"},
        ),
        ("ask", "SELECT AVG(age) FROM people WHERE region = 'Łódź, old'", {"error": 12}),
        ("refine", 10, {"error": 3}),
        ("fail", "SELECT SUM(age) FROM people WHERE region = 'south'", {"bits": 2, "analyst": "alice"}),
        ("release", "people_copy.csv", {"bits": {"age": 1}, "columns": ["age", "smoker"]}),
    ],
    "visits": [
        ("ask", "SELECT ward, AVG(cost) FROM visits GROUP BY ward", {"bits": 6}),
        ("ask", "SELECT SUM(cost) FROM visits", {"bits": 2}),
        ("ask", "SELECT COUNT(*) FROM visits WHERE acute = 'yes' AND cost > 20", {}),
        ("ask", "SELECT acute, COUNT(*) FROM visits GROUP BY acute", {"analyst": "alice"}),
        ("ask", "SELECT AVG(cost) FROM visits WHERE acute = 'no'", {"bits": 6}),
        ("batch", ["SELECT MAX(cost) FROM visits", "SELECT SUM(cost) FROM visits WHERE ward = 'b'"], {"bits": 3}),
        ("fail", "SELECT MIN(cost) FROM visits", {"bits": 2}),
        ("release", "visits_copy.csv", {"bits": {"cost": 1}, "columns": ["cost"]}),
    ],
    "flight": [
        ("ask", "SELECT region, AVG(age) FROM flight GROUP BY region", {"bits": 2}),
        ("ask", "SELECT COUNT(*) FROM flight WHERE age < 50", {}),
        ("release", "flight_copy.csv", {"bits": {"age": 1}}),
    ],
    "sizes": [
        ("ask", "SELECT SUM(weight) FROM sizes", {"bits": 2, "analyst": "alice"}),
        ("ask", "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", {}),
        ("release", "sizes_copy.csv", {"policies": ["weight >= height^2/400, shifted by 20"]}),
    ],
    "groups": [
        ("ask", "SELECT COUNT(*) FROM groups WHERE illness = 'flu' AND ward = 1", {}),
        (
            "release",
            "groups_copy.csv",
            {
                "hierarchies": {"illness": {"none": ["none"], "flu": ["ill"], "cough": ["ill"]}},
                "levels": {"illness": 1},
            },
        ),
    ],
}
"""What is asked of each table, in order: how, what, with what else. A refinement names the step that it refines."""


def bring(name: str, texts: Path, folder: Path) -> Path:
    """The source and its TOML in a folder, as they were when the code of old read them; the path of the TOML."""
    for file in (f"{name}.toml", f"{name}.csv"):
        (folder / file).write_bytes((texts / file).read_bytes())
    if f'source = "{name}.parquet"' in (folder / f"{name}.toml").read_text(encoding="utf-8"):
        csv, parquet = folder / f"{name}.csv", folder / f"{name}.parquet"
        duckdb.execute(f"COPY (SELECT * FROM read_csv('{csv}', nullstr='')) TO '{parquet}' (FORMAT parquet)")
    return folder / f"{name}.toml"


def restore(name: str, texts: Path, folder: Path) -> Path:
    """Ledger and store too; the path of the TOML."""
    toml = bring(name, texts, folder)
    ledger = sqlite3.connect(folder / f"{name}.ledger.sqlite")
    ledger.executescript((texts / f"{name}.ledger.sql").read_text(encoding="utf-8"))
    ledger.close()
    if not (texts / f"{name}.codes.json").exists():
        return toml
    store = duckdb.connect(str(folder / f"{name}.codes.duckdb"))
    for table, kept in json.loads((texts / f"{name}.codes.json").read_text(encoding="utf-8")).items():
        columns = ", ".join(f'"{column}" {kind}' for column, kind in kept["columns"])
        store.execute(f'CREATE TABLE "{table}" ({columns})')
        store.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(kept["columns"]))})', kept["rows"])
    store.close()
    return toml


def keep(name: str, folder: Path, texts: Path) -> None:
    """The ledger and the store as texts."""
    ledger = sqlite3.connect(folder / f"{name}.ledger.sqlite")
    (texts / f"{name}.ledger.sql").write_text("\n".join(ledger.iterdump()) + "\n", encoding="utf-8")
    ledger.close()
    if not (folder / f"{name}.codes.duckdb").exists():
        return
    store = duckdb.connect(str(folder / f"{name}.codes.duckdb"), read_only=True)
    kept = {}
    for (table,) in store.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall():
        described = store.execute(f'DESCRIBE "{table}"').fetchall()
        rows = store.execute(f'SELECT * FROM "{table}" ORDER BY ALL').fetchall()
        kept[table] = {"columns": [[column, kind] for column, kind, *_ in described], "rows": rows}
    store.close()
    write(texts / f"{name}.codes.json", kept)


def rows_of(answer) -> list[dict[str, object]]:
    """The rows of an answer in texts."""
    ends = ("value", "lower", "upper")
    return [
        {
            label: {end: str(getattr(cell, end)) for end in ends} if hasattr(cell, "value") else cell
            for label, cell in row.items()
        }
        for row in answer.rows
    ]


def told(how: str, answer) -> dict[str, object]:
    """What an answer said, in texts; of a copy, what it cost."""
    entry = answer.certificate.content["ledger"]
    return {"entry": entry["entry"], "factor": entry["factor"], "rows": [] if how == "release" else rows_of(answer)}


def take(curator, step, done, folder: Path) -> list:
    """One step of a table; its answers."""
    how, what, options = step
    if how == "ask":
        return [curator.ask(what, **options)]
    if how == "batch":
        return list(curator.batch(what, **options))
    if how == "refine":
        return [curator.refine(done[what][0], **options)]
    return [curator.release(folder / what, **{**options, **policies(options)})]


def policies(options) -> dict[str, list]:
    """The one policy that copies have, where one is named."""
    if "policies" not in options:
        return {}
    import noiseless as nl

    return {"policies": [nl.Shift(nl.Boundary("weight", lambda height: height**2 / 400), error=20)]}


def fail(curator, step) -> list:
    """A question that is charged, and whose process is stopped before it has read the data."""
    try:
        module: Any = import_module("noiseless.curator.asking")
    except ImportError:  # an earlier version
        module = import_module("noiseless.curator.curator")
    whole, module.execute = module.execute, None
    try:
        curator.ask(step[1], **step[2])
    except TypeError:
        pass
    finally:
        module.execute = whole
    return []


def record(name: str, texts: Path) -> None:
    """Everything of one table, by the code that is on the path."""
    import noiseless as nl
    from noiseless.curator.certificate.keys import PrivateKey

    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        toml, key = bring(name, TABLES, folder), folder / "key.pem"
        public, taken, done, certificates = PrivateKey.new(key).public, [], [], {}
        with nl.Curator.open(toml, key=key, analyst="owner") as curator:
            for place, step in enumerate(STEPS[name]):
                if step[0] == "release" and not hasattr(curator, "release"):
                    continue
                done.append(fail(curator, step) if step[0] == "fail" else take(curator, step, done, folder))
                if step[0] == "release":
                    (texts / step[1]).write_bytes((folder / step[1]).read_bytes())
                taken.append([*step, [told(step[0], answer) for answer in done[-1]]])
                signed = {f"{place}.{which}": answer.certificate for which, answer in enumerate(done[-1])}
                certificates |= {step: json.loads(each.to_json()) for step, each in signed.items()}
            left = curator.remaining
        with nl.Curator.open(toml) as curator:
            unsigned = curator.ask(STEPS[name][0][1], **STEPS[name][0][2]).certificate
            certificates["unsigned"] = json.loads(unsigned.to_json())
            assert curator.remaining == left
        for file in (toml, toml.with_suffix(".csv")):
            (texts / file.name).write_bytes(file.read_bytes())
        keep(name, folder, texts)
        known = {"key": public, "remaining": repr(left), "steps": taken}
        write(texts / f"{name}.certificates.json", certificates)
        write(texts / f"{name}.asked.json", known)


def write(path: Path, content: dict[str, object]) -> None:
    """As JSON, one line for each of its parts."""
    lines = [f"{json.dumps(str(name))}: {json.dumps(part, ensure_ascii=False)}" for name, part in content.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def make(commit: str, texts: Path) -> str:
    """The fixture of a commit, of every table that its code can read; the line that says what it is."""
    texts.mkdir(parents=True)
    git = ["git", "-C", str(HERE)]
    with TemporaryDirectory() as temporary:
        tree = f"{temporary}/tree"
        subprocess.run([*git, "worktree", "add", "-q", "--detach", tree, commit], check=True)
        path = {**os.environ, "PYTHONPATH": f"{tree}/src"}
        try:
            for name in STEPS:
                run = subprocess.run(
                    [sys.executable, __file__, "record", name, str(texts)], env=path, capture_output=True, text=True
                )
                if run.returncode:
                    print(f"{commit} cannot make {name}: {run.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                    for file in texts.glob(f"{name}[._]*"):
                        file.unlink()
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", tree], check=True)
    shown = subprocess.run(
        [*git, "show", "-s", "--format=%h | %ci", commit], capture_output=True, text=True, check=True
    )
    return f"| {texts.name} | {shown.stdout.strip()} |"


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2], Path(sys.argv[3]))
    else:
        print(make(sys.argv[1], HERE / sys.argv[2]))
