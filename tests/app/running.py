"""Runs commands in separate processes, each forked from one that has loaded everything, so that they start at once.

Arguments, streams, environment and exit codes are those of a new process. Some tests start a real one: if it matters
how Python itself begins, or that the script is installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

SERVER = get_context("forkserver")
SERVER.set_forkserver_preload(
    [
        "noiseless.app.cli.main",
        "noiseless.curator.curator",
        "noiseless.curator.opening",
        "noiseless.curator.certificate.verify",
        "ibis.backends.duckdb",
        "ibis.formats.pandas",
        "ibis.formats.pyarrow",
        "pandas",
        "pyarrow.parquet",
    ]
)


def run(
    *words: object, environment: Mapping[str, str] | None = None, encoding: str = "utf-8", before: str = ""
) -> CompletedProcess[bytes]:
    """Run a command: what it writes, and its exit code. `before` is called first; `encoding` is the terminal's."""
    given = [word if isinstance(word, bytes) else str(word) for word in words]
    with TemporaryDirectory() as folder:
        written = [Path(folder, name) for name in ("out", "err")]
        environment = dict(os.environ if environment is None else environment)
        process = SERVER.Process(target=_command, args=(given, os.getcwd(), environment, written, encoding, before))
        process.start()
        process.join()
        assert process.exitcode is not None
        return CompletedProcess(given, process.exitcode, *(path.read_bytes() for path in written))


def _command(
    words: list[str | bytes], here: str, environment: dict[str, str], written: list[Path], encoding: str, before: str
) -> None:
    os.chdir(here)
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in enumerate([Path(os.devnull), *written]):
        opened = os.open(path, os.O_RDONLY if stream == 0 else os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, stream)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(stream, mode, encoding=encoding, errors=errors, closefd=False)
        for stream, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
    )
    sys.argv = ["noiseless", *map(os.fsdecode, words)]
    exec(before, {})
    from noiseless.app.cli.main import app

    app()
