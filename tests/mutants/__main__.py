"""Make small mistakes in the code that counts, and list those that no test notices.

    python -m tests.mutants [--only MODULE …] [--lines A-B] [--sample N --seed S] [--workers 2]
        [--quick] [--longest SECONDS] [--tests PATH …]

Nothing in the checkout is changed: every mistake is made in the memory of a process of its own, which runs those
tests of `plan.py` that reach it. Survivors that change nothing are listed in `equivalent.txt` with the reason.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from math import inf
from pathlib import Path

import pytest

from tests.mutants.mutate import Mutant, mutants
from tests.mutants.plan import TESTS
from tests.mutants.trial import PYTEST, Trial

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src/noiseless"


def file_of(module: str) -> Path:
    return SOURCE / f"{module.replace('.', '/')}.py"


def files_in(stages: list[list[str]]) -> list[str]:
    """The tests of some stages that there are."""
    return list(dict.fromkeys(path for stage in stages for path in stage if (ROOT / path).exists()))


def modules(only: list[str]) -> list[tuple[str, list[list[str]]]]:
    """The modules that are tried, with their tests."""
    found = []
    for name, tests in TESTS.items():
        package = SOURCE / name.replace(".", "/")
        files = [f"{name}.{file.stem}" for file in sorted(package.glob("[!_]*.py"))] if package.is_dir() else [name]
        found += [(module, tests) for module in files]
    return [(module, tests) for module, tests in found if not only or any(module.endswith(each) for each in only)]


def equivalent() -> set[str]:
    lines = (Path(__file__).parent / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    return {line.rsplit(" | ", 1)[0] for line in lines if line and not line.startswith("#")}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="a module, such as curator.question.price or price")
    parser.add_argument("--lines", help="only mistakes in these lines, such as 40-60")
    parser.add_argument("--sample", type=int, help="only so many mistakes of each module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tests", action="append", help="these tests, in place of those of the plan")
    parser.add_argument("--longest", type=float, default=inf, help="leave out tests that take more seconds than this")
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
    known, survivors, rows = equivalent(), [], []
    groups: dict[tuple[str, ...], list[str]] = {}
    for module, tests in modules(given.only):
        groups.setdefault(tuple(given.tests or files_in(tests[:1] if given.quick else tests)), []).append(module)

    def judge(noticed) -> None:
        for module in group:
            made = chosen(module, given)
            tried = [mutant for mutant in made if mutant.key not in known]
            counts = Counter(made=len(made), equivalent=len(made) - len(tried))
            for mutant, seen in noticed(tried):
                counts["caught" if seen else "survived"] += 1
                if not seen:
                    survivors.append(mutant)
                    print(f"survived: {mutant.key}   (line {mutant.line})", flush=True)
            rows.append((module, counts))
            print("  ".join([module, *(f"{name} {counts[name]}" for name in HEADS)]), flush=True)

    for files, group in groups.items():
        trial = Trial(group, given.workers, given.longest, judge)
        pytest.main([*PYTEST, *files], plugins=[trial])
        if trial.broken:
            print(f"the tests of {', '.join(group)} fail without any mistake; mend them first")
            return 2
    print(f"\n{'module':40}" + "".join(f"{name:>12}" for name in HEADS))
    for module, counts in rows:
        print(f"{module:40}" + "".join(f"{counts[name]:>12}" for name in HEADS))
    for mutant in survivors:
        print(f"{mutant.module}:{mutant.line} in {mutant.function}: - {mutant.before}   + {mutant.after}")
    return 1 if survivors else 0


HEADS = ("made", "caught", "survived", "equivalent")

if __name__ == "__main__":
    sys.exit(main())
