"""Settings for every test, and servers that several of them use."""

import os
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

settings.register_profile("noiseless", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("noiseless")  # property tests without a clock, so that a slow machine changes nothing


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
