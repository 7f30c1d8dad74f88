"""A peer's environment: made once from its requirements, made again when they change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENVIRONMENTS = Path(".venv/peers")
LIMIT = 1200
"""Seconds that an installation may take."""


def python(name: str) -> Path:
    """The interpreter of a peer; the project's own if the peer has no requirements beside its script.

    Raises a subprocess.SubprocessError where something cannot be installed.
    """
    requirements = Path(__file__).with_name(f"{name}.txt")
    if not requirements.exists():
        return Path(sys.executable)
    folder = ENVIRONMENTS / name
    interpreter, stamp = folder / "bin" / "python", folder / "installed.txt"
    wanted = requirements.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"installing {', '.join(wanted.split())} into {folder} …", file=sys.stderr)
        _run(sys.executable, "-m", "venv", "--clear", folder)
        _run(interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", requirements)
        stamp.write_text(wanted, encoding="utf-8")
    return interpreter


def _run(*command: str | Path) -> None:
    subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=True)
