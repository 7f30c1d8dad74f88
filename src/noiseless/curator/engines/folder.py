"""Private folders for unfinished files: mode 0700, and removed even if their process was killed.

A folder holds a file that its process keeps locked. The next process that makes a folder of the same name removes those
whose lock is free, because their processes are gone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

ALIVE, TOKEN = "alive", r"\.[a-z0-9_]{8}\.part"
OLDER = r"\.(?P<process>[0-9]+)\.[0-9a-f]{8}\.part(\.wal)?"
"""Files that an earlier version of noiseless left beside a store."""


class PrivateFolder:
    """A private folder, beside the file to be made or in the folder for temporary files."""

    def __init__(self, beside: str | Path | None = None) -> None:
        parent = Path(tempfile.gettempdir()) if beside is None else Path(beside).absolute().parent
        name = "noiseless" if beside is None else Path(beside).name
        _tidy(parent, name)
        made = tempfile.mkdtemp(prefix=f"{name}.", suffix=".new", dir=parent)
        self._lock = _locked(f"{made}/{ALIVE}")
        self.path = Path(made.removesuffix(".new") + ".part")
        os.rename(made, self.path)  # a folder with this name is always locked
        self.remove = weakref.finalize(self, _remove_own, self.path, self._lock, os.getpid())

    def file(self, name: str) -> str:
        """The path of a file in it."""
        return str(self.path / name)


_SPILLED: dict[int, PrivateFolder] = {}


def spill() -> str:
    """The folder where databases of this process spill when memory runs out. It is removed with the process."""
    process = os.getpid()
    if process not in _SPILLED:
        _SPILLED.clear()  # a forked process would have the folder of its parent
        _SPILLED[process] = PrivateFolder()
    return _SPILLED[process].file("spill")


def _tidy(parent: Path, name: str) -> None:
    """Remove folders that dead processes left."""
    with contextlib.suppress(OSError):
        for entry in list(_left(parent, name)):
            if entry.is_dir(follow_symlinks=False):
                lock = _locked(f"{entry.path}/{ALIVE}", make=False)
                if lock is not None:
                    _remove(Path(entry.path), lock)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _left(parent: Path, name: str) -> Iterator[os.DirEntry[str]]:
    own, older = re.compile(re.escape(name) + TOKEN), re.compile(re.escape(name) + OLDER)
    with os.scandir(parent) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if own.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_uid == os.getuid():
                    yield entry
            elif (found := older.fullmatch(entry.name)) and not Path(f"/proc/{found['process']}").exists():
                yield entry


def _locked(path: str, make: bool = True) -> int | None:
    """The file, locked until it is closed; None if another process holds the lock."""
    import fcntl

    try:
        file = os.open(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL if make else 0), 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _remove_own(path: Path, lock: int | None, process: int) -> None:
    if os.getpid() == process:
        _remove(path, lock)


def _remove(path: Path, lock: int | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        with contextlib.suppress(OSError):
            os.close(lock)
