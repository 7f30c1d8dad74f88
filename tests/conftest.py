"""Settings for every test, and servers that several of them use."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from noiseless.curator.question import reading

settings.register_profile("noiseless", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("noiseless")  # property tests without a clock, so that a slow machine changes nothing

MEMORY = "/dev/shm"
if "TMPDIR" not in os.environ and os.path.isdir(MEMORY) and shutil.disk_usage(MEMORY).free > 4 << 30:
    # hundreds of ledgers that are forced onto a disk would spend a third of the time waiting for it
    os.environ["TMPDIR"] = tempfile.tempdir = MEMORY

os.register_at_fork(after_in_child=gc.freeze)
"""A forked process has none of DuckDB's threads, and would wait for them for ever if it collected a connection that an
earlier test left behind."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """What is imported and collected stays, so it is not searched for garbage: not now, and not in every test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
        gc.set_threshold(20_000, 20, 20)  # to look for garbage more often took a fourteenth of the time


def pytest_unconfigure() -> None:
    """At the end it is, because libraries report what is left over."""
    gc.unfreeze()


def pytest_runtest_setup() -> None:
    """A test may have changed how texts are read."""
    reading.PLANS.clear()


SERVERS = ("spark", "postgres")


def server_of(nodeid: str) -> str | None:
    """Which server a test needs: its name, or the name of its engine, says so."""
    return next((server for server in SERVERS if server in nodeid), None)


class ByServerAndFile(LoadScopeScheduling):  # type: ignore[misc]
    """All tests of a server run in one process, so that it starts once; those of a file too, as they share things."""

    def _split_scope(self, nodeid: str) -> str:
        return server_of(nodeid) or nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByServerAndFile:
    return ByServerAndFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of servers first: they take longest."""
    items.sort(key=lambda item: SERVERS.index(server) if (server := server_of(item.nodeid)) else len(SERVERS))


@pytest.fixture(scope="session")
def postgres():
    """The URL of a real Postgres, as its superuser; in a folder that no other run of the tests tidies up."""
    with TemporaryDirectory(prefix="noiseless", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pgserver  # it warns, when imported, where that is not set

        os.chmod(folder, 0o755)  # Postgres runs as a user of its own
        server = pgserver.postgres_server.get_server(f"{folder}/data")
        yield server.get_uri()
        server.cleanup()
