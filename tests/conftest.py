"""Settings for every test, and servers that several of them use."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

settings.register_profile("noiseless", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("noiseless")  # property tests without a clock, so that a slow machine changes nothing


SERVERS = ("spark", "postgres")


def server_of(item: pytest.Item) -> str | None:
    """Which server a test asks for, by name or as an engine."""
    chosen = getattr(item, "callspec", None)
    asked = [*getattr(item, "fixturenames", ()), *str(chosen and chosen.params.get("way")).split()]
    return next((server for server in SERVERS if server in asked), None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a server run in one process, so that it starts once, and first, since they take longest.

    All of a file do so too: what a file prepares is prepared once.
    """
    servers = {item: server_of(item) for item in items}
    for item, server in servers.items():
        item.add_marker(pytest.mark.xdist_group(server or str(item.path)))
    items.sort(key=lambda item: SERVERS.index(server) if (server := servers[item]) else len(SERVERS))


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
