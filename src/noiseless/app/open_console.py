"""`noiseless serve --open`: the console in the browser of this computer, with a token for a day."""

from __future__ import annotations

import time
import webbrowser
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

import typer

NAME: Final = "this computer"
ROLE: Final = "custodian"
DAY = timedelta(days=1)
PATIENCE = 120
"""Seconds until the server must be ready."""
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""Where a server that listens everywhere is reached from this computer."""


def address(host: str, port: int) -> str:
    """Where this computer reaches the server."""
    return f"http://{ANYWHERE.get(host, f'[{host}]' if ':' in host else host)}:{port}"


def signing_in(files: Sequence[Path], server: str) -> str:
    """The page that signs in, with a new token. What is after # stays in the browser: it is neither sent nor logged."""
    from noiseless.app.service.state import states_of
    from noiseless.app.service.tokens import Tokens

    states = states_of(files)
    state, names = states[0]
    token, _ = Tokens(state).add(NAME, ROLE, names, datetime.now(UTC) + DAY)
    for opened, _names in states:
        opened.close()
    return f"{server}/console/sign-in#token={token}"


def open_soon(files: Sequence[Path], server: str) -> None:
    """Open the page when the server is ready. It is also printed, for a computer without a browser."""
    page = signing_in(files, server)
    typer.echo(f"the console, with a {ROLE}'s token that ends in a day: {page}", err=True)
    Thread(target=_opened, args=(page, server), daemon=True).start()


def _opened(page: str, server: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urlopen(f"{server}/ready", timeout=5):
                break
        except (URLError, OSError):
            time.sleep(0.2)
    webbrowser.open(page)
