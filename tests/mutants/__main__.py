"""Make small mistakes in the code that counts, and list those that no test notices.

    python -m tests.mutants [--only MODULE …] [--lines A-B] [--sample N --seed S] [--workers 2] [--quick]

Nothing in the checkout is changed: every mistake is made in the memory of a process of its own, which then runs the
tests of `plan.py`. Survivors that change nothing are listed in `equivalent.txt` with the reason.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

from tests.mutants.mutate import Mutant, mutants
from tests.mutants.plan import TESTS

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src/noiseless"
PYTEST = [
    "-x",
    "-q",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-o",
    "addopts=--import-mode=importlib --strict-markers",
]
HEAVY = ["pytest", "hypothesis", "numpy", "duckdb", "pyarrow", "pandas", "sqlglot", "sqlalchemy", "narwhals", "rich"]
HEAVY += ["ibis", "ibis.backends.duckdb", "ibis.formats.pandas", "ibis.formats.pyarrow"]
"""Imported once, before every mistake has a process of its own."""


class Mistaken(MetaPathFinder, Loader):
    """Gives out the module with the mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"noiseless.{mutant.module}"
        self.code = compile(mutant.tree, str(file_of(mutant.module)), "exec")

    def find_spec(self, fullname, path=None, target=None):
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module) -> None:
        module.__file__ = str(file_of(self.name.removeprefix("noiseless.")))
        exec(self.code, module.__dict__)


def file_of(module: str) -> Path:
    return SOURCE / f"{module.replace('.', '/')}.py"


def modules(only: list[str]) -> list[tuple[str, list[list[str]]]]:
    """The modules that are tried, with their tests."""
    found = []
    for name, tests in TESTS.items():
        package = SOURCE / name.replace(".", "/")
        files = [f"{name}.{file.stem}" for file in sorted(package.glob("[!_]*.py"))] if package.is_dir() else [name]
        found += [(module, tests) for module in files]
    return [(module, tests) for module, tests in found if not only or any(module.endswith(each) for each in only)]


def run(mutant: Mutant | None, tests: list[list[str]]) -> None:
    """In a process of its own: 0 if all tests are content."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    if mutant is not None:
        sys.meta_path.insert(0, Mistaken(mutant))
    import pytest

    for stage in tests:
        there = [path for path in stage if (ROOT / path).exists()]
        if there and pytest.main([*PYTEST, *there]) != 0:
            os._exit(1)
    os._exit(0)


def outcomes(jobs, workers: int, timeout: float):
    """Every job with whether it was noticed; a mistake that takes for ever is."""
    context, waiting, running = get_context("fork"), list(reversed(jobs)), {}
    while waiting or running:
        while waiting and len(running) < workers:
            mutant, tests = waiting.pop()
            process = context.Process(target=run, args=(mutant, tests))
            process.start()
            running[process.sentinel] = process, mutant, time.monotonic()
        done = wait(list(running), timeout=1)
        for sentinel, (process, mutant, start) in list(running.items()):
            late = time.monotonic() - start > timeout
            if sentinel in done or late:
                if late:
                    process.kill()
                process.join()
                del running[sentinel]
                yield mutant, process.exitcode != 0


def equivalent() -> set[str]:
    lines = (Path(__file__).parent / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    return {line.rsplit(" | ", 1)[0] for line in lines if line and not line.startswith("#")}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="a module, such as curator.price or price")
    parser.add_argument("--lines", help="only mistakes in these lines, such as 40-60")
    parser.add_argument("--sample", type=int, help="only so many mistakes of each module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="only the quickest tests of each module")
    return parser.parse_args()


def chosen(module: str, given: argparse.Namespace) -> list[Mutant]:
    made = list(mutants(module, file_of(module)))
    if given.lines:
        first, last = map(int, given.lines.split("-"))
        made = [mutant for mutant in made if first <= mutant.line <= last]
    if given.sample is not None and given.sample < len(made):
        made = sorted(random.Random(given.seed).sample(made, given.sample), key=lambda mutant: mutant.line)
    return made


def main() -> int:
    given = arguments()
    for name in HEAVY:
        __import__(name)
    known, survivors, rows = equivalent(), [], []
    for module, all_tests in modules(given.only):
        tests, start = all_tests[:1] if given.quick else all_tests, time.monotonic()
        if [noticed for _, noticed in outcomes([(None, tests)], 1, inf)] != [False]:
            print(f"the tests of {module} fail without any mistake; mend them first")
            return 2
        patience = PATIENCE * (time.monotonic() - start) + PATIENCE
        made = chosen(module, given)
        jobs = [(mutant, tests) for mutant in made if mutant.key not in known]
        counts = Counter(made=len(made), equivalent=len(made) - len(jobs))
        for mutant, noticed in outcomes(jobs, given.workers, patience):
            counts["caught" if noticed else "survived"] += 1
            if not noticed:
                survivors.append(mutant)
                print(f"survived: {mutant.key}   (line {mutant.line})", flush=True)
        rows.append((module, counts))
        print("  ".join([module, *(f"{name} {counts[name]}" for name in HEADS)]), flush=True)
    print(f"\n{'module':40}" + "".join(f"{name:>12}" for name in HEADS))
    for module, counts in rows:
        print(f"{module:40}" + "".join(f"{counts[name]:>12}" for name in HEADS))
    for mutant in survivors:
        print(f"{mutant.module}:{mutant.line} in {mutant.function}: - {mutant.before}   + {mutant.after}")
    return 1 if survivors else 0


PATIENCE = 8
"""A mistake may take so many times as long as the right code, and so many seconds; later it counts as noticed."""
HEADS = ("made", "caught", "survived", "equivalent")

if __name__ == "__main__":
    sys.exit(main())
