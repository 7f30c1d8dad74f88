"""A consistent copy of everything a custodian must not lose: the schema, the ledger with its head, the codes, the keys.

The ledger is copied while no one can append to it, so that its head matches it. Codes never change once they are
written. Only public keys are copied: people who verify certificates need them, and every copy of a secret key must be
guarded.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import BinaryIO

from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.engines.beside import folder_of
from noiseless.curator.engines.folder import PrivateFolder
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.views import with_views
from noiseless.errors import KeyFileError, LedgerError, SourceError

KEYS = "keys.txt"


def backup(schema: str | Path, to: str | Path, key: Path | None = None) -> list[Path]:
    """Copy everything into a new folder that only its owner can read, and return the files written.

    To restore, copy the files back beside each other. The restored ledger does not know what was asked after the
    backup. Those answers are out, so do not spend that part of the budget again.
    """
    request, folder = Request(schema).declared(), Path(to)
    ledger, file = request.ledger, Path(schema)
    if ledger is None or not str(schema).lower().endswith(".toml"):
        raise SourceError("backup copies a schema file and the files beside it; name the .toml file")
    if "://" in str(ledger):
        raise LedgerError("the ledger is in a database; back it up with the database's own tools")
    if not Path(ledger).is_file():
        raise LedgerError(
            f"the ledger {str(ledger)!r} does not exist yet; run `noiseless check` or ask a question first"
        )
    if folder.exists() or not folder.absolute().parent.is_dir():
        raise SourceError(f"{str(folder)!r} exists already, or its parent folder does not; name a new folder")
    making = PrivateFolder(folder)  # also removes what an interrupted backup left behind
    try:
        part = making.path / "whole"
        part.mkdir(mode=0o700)
        _copy(file, part / file.name)
        journal = DatabaseJournal(ledger, request.name)
        try:
            journal.copy(part / Path(ledger).name)
        finally:
            journal.close()
        for each in (request, *with_views(request)[1]):
            if each.store is not None and Path(each.store).is_file():
                _copy(Path(each.store), part / Path(each.store).name)
                _copy_folder(folder_of(str(each.store)), part)
        _write(part / KEYS, "".join(f"{public}\n" for public in public_keys(key)))
        part.rename(folder)
    finally:
        making.remove()
    return sorted(folder.iterdir())


def public_keys(key: Path | None) -> list[str]:
    """The public keys of the custodian: the current one, then earlier ones, newest first."""
    if key is None or not key.is_file():
        return []
    found = []
    for file in [key, *sorted(key.parent.glob(f"{key.stem}.*{key.suffix}"), reverse=True)]:
        try:
            found.append(PrivateKey.read(file).public)
        except KeyFileError:
            continue
    return found


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as given, _opened(target) as out:
        shutil.copyfileobj(given, out)
        out.flush()
        os.fsync(out.fileno())


def _copy_folder(source: Path, into: Path) -> None:
    """Copy the counts of released copies, if there are any."""
    if source.is_dir():
        target = into / source.name
        target.mkdir(mode=0o700)
        for file in sorted(each for each in source.iterdir() if each.is_file()):
            _copy(file, target / file.name)


def _write(target: Path, text: str) -> None:
    with _opened(target) as out:
        out.write(text.encode())


def _opened(target: Path) -> BinaryIO:
    return os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
