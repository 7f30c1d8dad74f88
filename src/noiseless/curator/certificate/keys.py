"""The custodian's Ed25519 key, in a file that only its owner can read and that is never inside a project."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from noiseless.errors import KeyFileError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ENVIRONMENT = "NOISELESS_KEY"


def default_path() -> Path:
    """The path of the key: NOISELESS_KEY, or a file in the user's configuration folder."""
    named = os.environ.get(ENVIRONMENT)
    folder = Path(os.environ.get("XDG_CONFIG_HOME", "~/.config")).expanduser() / "noiseless"
    return Path(named).expanduser() if named else folder / "key.pem"


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """A key that signs."""

    _key: Ed25519PrivateKey

    @classmethod
    def new(cls, path: str | Path) -> PrivateKey:
        """Make a key and store it in a new file of mode 0600."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        file = Path(path).expanduser()
        _check_place(file)
        if file.exists():
            raise KeyFileError(f"{str(file)!r} exists already; replace it with `noiseless keys rotate`")
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = cls(Ed25519PrivateKey.generate())
        pem = key._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(pem)
        return key

    @classmethod
    def rotate(cls, path: str | Path, record: Callable[[Path], None] | None = None) -> PrivateKey:
        """Replace the key with a new one. The old key is kept beside it, so that what it signed can still be verified.

        `record` is given the file of the new key before it replaces the old one. If anything fails on the way, rotate
        again: the same new key is used.
        """
        file = Path(path).expanduser()
        following = file.with_name(f"{file.stem}.next{file.suffix}")
        if file.exists() or not following.exists():  # otherwise only the last step remains
            cls.read(file)
            if not following.exists():
                cls.new(following)
            if record is not None:
                record(following)
            moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
            file.rename(file.with_name(f"{file.stem}.{moment}{file.suffix}"))
        following.rename(file)
        return cls.read(file)

    @classmethod
    def read(cls, path: str | Path) -> PrivateKey:
        """Read a key from a file that only its owner can read."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        file = Path(path).expanduser()
        _check_place(file)
        if not file.is_file():
            raise KeyFileError(f"the key file {str(file)!r} does not exist; make one with `noiseless keys new`")
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise KeyFileError(
                f"other users can read the key {str(file)!r}; run chmod 600 on it, and rotate the key if someone may "
                f"have"
            )
        try:
            key = load_pem_private_key(file.read_bytes(), password=None)
        except (ValueError, TypeError, OSError):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyFileError(
                f"{str(file)!r} does not hold an Ed25519 key in PEM format; make one with `noiseless keys new`"
            )
        return cls(key)

    @property
    def public(self) -> str:
        """The public key in hexadecimal."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: bytes) -> str:
        """The signature in hexadecimal."""
        return self._key.sign(text).hex()


def signature_holds(public: str, signature: str, text: bytes) -> bool:
    """Whether the owner of a public key signed this text."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key, signed = bytes.fromhex(public), bytes.fromhex(signature)
        Ed25519PublicKey.from_public_bytes(key).verify(signed, text)
    except (InvalidSignature, ValueError):
        return False
    return (key.hex(), signed.hex()) == (public, signature)  # accept only one spelling of each


def _check_place(file: Path) -> None:
    for folder in file.absolute().parents:
        if (folder / ".git").exists() or (folder / "pyproject.toml").exists():
            raise KeyFileError(
                f"{str(file)!r} is inside the project {str(folder)!r}; keep keys outside projects, so that they "
                f"are never shared"
            )
