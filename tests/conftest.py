"""Settings for every test, and servers that several of them use."""

import os

import pytest
from hypothesis import settings

settings.register_profile("noiseless", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("noiseless")  # property tests without a clock, so that a slow machine changes nothing


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """The URL of a real Postgres, as its superuser."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    import pgserver  # it warns, when imported, where that is not set

    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri()
    server.cleanup()
