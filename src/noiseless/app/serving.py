"""`noiseless serve`: the curator over HTTP. It stands between the command line and the service."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from noiseless.app.cli.printing import plainly
from noiseless.app.demo_served import demo_served
from noiseless.app.open_console import address, open_soon

LOOPBACK = "127.0.0.1"


def serve(
    schemas: Annotated[list[Path] | None, typer.Argument(help="The schema files, such as people.toml.")] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen on. To serve other computers, put a proxy with TLS in front."),
    ] = (LOOPBACK),
    port: Annotated[int, typer.Option(help="The port.", min=0, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="The number of worker processes.", min=1, max=64)] = 1,
    key: Annotated[Path | None, typer.Option(help="The custodian's key file. Default: yours, if you have one.")] = None,
    answer_every: Annotated[
        str | None,
        typer.Option(help="Send answers only at multiples of this time, such as 200ms, to hide durations."),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(help="A folder whose tables custodians may declare and serve. No other file can be opened."),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve the table of the demo, and print a token and a question to send.")
    ] = False,
    open_console: Annotated[
        bool, typer.Option("--open", help="Open the console in this computer's browser, with a token for a day.")
    ] = False,
    log_questions: Annotated[
        bool, typer.Option("--log-questions", help="Write the texts of questions to the log.")
    ] = False,
) -> None:
    """Answer questions over HTTP, for people and programs with a token: noiseless keys add."""
    from noiseless.app.service.settings import ENVIRONMENT, Settings
    from noiseless.errors import MissingExtraError, SourceError

    with plainly():
        try:
            import uvicorn

            from noiseless.app.service.served import check
        except ImportError as absent:
            raise MissingExtraError(f"{absent.name} is not installed; pip install 'noiseless[service]'") from None
        if demo == bool(schemas):
            raise SourceError("there is nothing to serve; name the schema files, or give --demo alone")
        if tables is not None and not tables.is_dir():
            raise SourceError(f"--tables {str(tables)!r} is not a folder; name one")
        if open_console and port == 0:
            raise SourceError("--open needs to know the port; give --port a number above 0")
        files = schemas or []
        if demo:
            schema, key = demo_served(port)
            files = [schema]
        settings = Settings.read(
            files,
            key=check(files, key),
            workers=workers,
            tables=None if tables is None else str(tables.resolve()),
            answer_every=answer_every,
            log_questions=log_questions or None,
        )
        if open_console:
            open_soon(files, address(host, port))
    os.environ[ENVIRONMENT] = settings.write()
    typer.echo(f"serving on http://{host}:{port}; the API is described at http://{host}:{port}/docs", err=True)
    typer.echo(f"the console, for people: http://{host}:{port}/console", err=True)
    uvicorn.run(
        "noiseless.app.console.console:from_environment",
        factory=True,
        http="noiseless.app.service.heads:Punctual",
        host=host,
        port=port,
        workers=workers,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=settings.farewell,
    )
