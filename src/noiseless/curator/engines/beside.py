"""Small files kept beside a store, in a folder of its name."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

SUFFIX = ".copies"


def folder_of(store: str) -> Path:
    """The folder of a store."""
    return Path(f"{store}{SUFFIX}")


def write_beside(store: str, name: str, data: bytes) -> bool:
    """Write a file that only its owner can read. It has its name once it is complete."""
    folder = folder_of(store)
    folder.mkdir(mode=0o700, exist_ok=True)
    number, made = mkstemp(dir=folder, prefix=".")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(made, folder / name)
        return True
    except BaseException:
        with suppress(OSError):
            os.unlink(made)
        raise


def read_beside(store: str, name: str) -> bytes | None:
    """The file, if it is there."""
    try:
        return (folder_of(store) / name).read_bytes()
    except OSError:
        return None
