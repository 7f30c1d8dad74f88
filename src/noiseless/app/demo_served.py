"""The demo's table behind a server: `make serve` prints a token and a question to send."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

PEOPLE = 100_000
QUESTION = "SELECT region, AVG(height) FROM people GROUP BY region"


def demo_served(port: int) -> tuple[Path, Path]:
    """Write the demo's table, a key and a token. Returns the schema file and the key file."""
    from noiseless.app.demo.people import People
    from noiseless.app.service.state import states_of
    from noiseless.app.service.tokens import Tokens
    from noiseless.curator.certificate.keys import PrivateKey

    folder = Path(tempfile.mkdtemp(prefix="noiseless-serve-"))
    schema = People.made(PEOPLE).write(folder)
    key = PrivateKey.new(folder / "key.pem")
    [(state, names)] = states_of([schema])
    token, _ = Tokens(state).add("ada", "analyst", names)
    state.close()
    typer.echo(f"a table of {PEOPLE} synthetic people in {folder}, with a token that ends with this folder:\n")
    typer.echo(f"TOKEN={token}")
    typer.echo(
        f"curl -s -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' "
        f'-d \'{{"sql": "{QUESTION}", "error": 0.5}}\' http://127.0.0.1:{port}/datasets/people/ask\n'
    )
    typer.echo(f'in Python: nl.connect("http://127.0.0.1:{port}", token="{token}", key="{key.public}")')
    typer.echo(f"in a browser: http://127.0.0.1:{port}/console/sign-in#token={token}")
    return schema, folder / "key.pem"
