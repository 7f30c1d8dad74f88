"""Tests, collected once; for every mistake a process of its own runs those that reach it, the quickest first."""

from __future__ import annotations

import ast
import builtins
import gc
import os
import signal
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.mutants.mutate import Mutant, watched

FORK = get_context("fork")
PATIENCE = 8
"""A test may take so many times as long as with the right code, and so many seconds; later a mistake is noticed."""
BROKEN, NOTICED = 1, 7
"""How a process ends: 1 is what Python says of an exception, here one outside of all tests."""
PYTEST = ["-qq", "-s", "--assert=plain", "--tb=native", "-p", "no:cacheprovider"]
PYTEST += ["-o", "addopts=--import-mode=importlib --strict-markers"]

HEAVY = ["duckdb", "pyarrow", "pandas", "sqlglot", "narwhals", "rich", "ibis", "ibis.backends.duckdb"]
HEAVY += ["ibis.formats.pandas", "ibis.formats.pyarrow", "pyarrow.parquet", "pyarrow.dataset", "pyarrow.csv"]
"""Imported once, before every mistake has a process of its own."""


class Trial:
    """A plugin of pytest that runs the tests of some modules again and again, each time with another mistake."""

    def __init__(
        self, modules: list[str], workers: int, longest: float, judge: Callable[[Callable[..., Any]], None]
    ) -> None:
        self._modules, self._workers, self._longest, self._judge = modules, workers, longest, judge
        self._failed = self.broken = False
        self._lines: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """A failure need not be made small."""
        settings.register_profile("mutants", settings(), phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Of a test, or of what is done before or after it."""
        self._failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running the tests once."""
        session.items[:] = [item for item in session.items if "postgres" not in getattr(item, "fixturenames", ())]
        self._session = session
        for name in HEAVY:
            import_module(name)
        self._files = {str(import_module(f"noiseless.{name}").__file__): name for name in self._modules}
        self._functions = self._found()
        self._caches = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
        gc.freeze()
        here, there = FORK.Pipe(duplex=False)
        process = FORK.Process(target=self._reach, args=(there,))
        process.start()
        there.close()
        try:
            self._lines, self._seconds = here.recv()
        except EOFError:
            self.broken = True
            return True
        self._judge(self._noticed)
        gc.unfreeze()
        return True

    def _found(self) -> dict[tuple[str, str, int], list[FunctionType]]:
        found = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename in self._files:
                code = each.__code__
                found[self._files[code.co_filename], code.co_qualname, code.co_firstlineno].append(each)
        return found

    def _reach(self, there: Any) -> None:
        """Which tests come to which lines, and how long they take; nothing is sent if one fails."""
        _quiet(tempfile.mkdtemp())
        for place, (file, module) in enumerate(self._files.items()):
            call = f"reached_{place}"
            setattr(builtins, call, partial(self._at, module))
            self._swap(module, watched(Path(file), call))
        for item, after in _pairs(self._session.items):
            self._test, start = item.nodeid, time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self._seconds[item.nodeid] = time.monotonic() - start
        if not self._failed:
            there.send((self._lines, self._seconds))
        os._exit(0)

    def _at(self, module: str, line: int) -> None:
        self._lines[module, line].add(self._test)

    def _noticed(self, mutants: list[Mutant]) -> Iterator[tuple[Mutant, bool]]:
        """Every mistake with whether a test noticed; one that takes for ever is noticed."""
        waiting, running = list(reversed(mutants)), {}
        while waiting or running:
            while waiting and len(running) < self._workers:
                mutant = waiting.pop()
                items = self._reaching(mutant)
                folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
                process = FORK.Process(target=self._run, args=(mutant, items, folder.name))
                process.start()
                running[process.sentinel] = process, mutant, folder
            for sentinel in wait(list(running)):
                process, mutant, folder = running.pop(sentinel)
                process.join()
                folder.cleanup()
                if process.exitcode == BROKEN:
                    raise RuntimeError(f"it could not be tried: {mutant.key}")
                yield mutant, process.exitcode != 0

    def _reaching(self, mutant: Mutant) -> list[pytest.Item]:
        tests = self._lines.get((mutant.module, mutant.statement), ())
        quick = {test for test in tests if self._seconds[test] <= self._longest}
        items = [item for item in self._session.items if item.nodeid in quick]
        files: dict[Any, float] = defaultdict(float)
        for item in items:
            files[item.path] += self._seconds[item.nodeid]
        return sorted(items, key=lambda item: (files[item.path], self._seconds[item.nodeid]))

    def _run(self, mutant: Mutant, items: list[pytest.Item], folder: str) -> None:
        _quiet(folder)
        self._swap(mutant.module, mutant.tree)
        for item, after in _pairs(items):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * (1 + self._seconds[item.nodeid]))  # which ends the process
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._failed:
                os._exit(NOTICED)
        os._exit(0)

    def _swap(self, module: str, tree: ast.Module) -> None:
        """The functions of a module do what another text of it says, and nothing that they did is remembered."""
        for code in _codes(compile(tree, "", "exec")):
            for function in self._functions.get((module, code.co_qualname, code.co_firstlineno), ()):
                function.__code__ = code.replace(co_filename=function.__code__.co_filename)
        for cache in self._caches:
            cache.cache_clear()


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _pairs(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=False)


def _quiet(folder: str) -> None:
    """Nothing is printed, and files are made where they are removed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    tempfile.tempdir = os.environ["TMPDIR"] = folder
