"""`noiseless keys add, list, revoke`: tokens for the people and programs that use a server."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.printing import plainly, show, show_json

Files = Annotated[
    list[Path], typer.Option("--dataset", help="The schema file of a dataset, such as people.toml. May be repeated.")
]


def add(
    name: Annotated[str, typer.Argument(help="Who gets the token: the name of the analyst in the ledger.")],
    dataset: Files,
    role: Annotated[str, typer.Option(help="custodian, analyst or auditor.")] = "analyst",
    quota: Annotated[str | None, typer.Option(help="The bits that this analyst may spend of each dataset.")] = None,
    project: Annotated[str | None, typer.Option(help="A project of which this analyst is a member.")] = None,
    project_quota: Annotated[
        str | None, typer.Option(help="The bits that the members of the project may spend together.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="The last day, such as 2027-12-31, or a number of days, such as 90d.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a token. It is shown once; only its SHA-256 is stored."""
    from noiseless.app.service.quotas import Quotas
    from noiseless.app.service.state import states_of
    from noiseless.app.service.tokens import Tokens
    from noiseless.errors import InputError

    with plainly():
        checked, until = _role(role), _until(expires)
        if project_quota is not None and project is None:
            raise InputError("--project-quota needs --project; name the project")
        for state, names in states_of(dataset):
            for each in names:
                Quotas(state, each).set_all(name, quota, project, project_quota)
            text, token = Tokens(state).add(name, checked, names, until)
            if as_json:
                show_json({"token": text, **asdict(token)})
            else:
                typer.echo(text)
                typer.echo(f"the token of {name}, {role} of {', '.join(names)}: it cannot be shown again", err=True)


def list_(dataset: Files, as_json: Json = False) -> None:
    """List the tokens of datasets: whose they are and what they allow, never the tokens themselves."""
    from noiseless.app.service.state import states_of
    from noiseless.app.service.tokens import Tokens

    with plainly():
        found = [token for state, _ in states_of(dataset) for token in Tokens(state).listed()]
        if as_json:
            show_json([{**asdict(token), "valid": token.valid} for token in found])
        else:
            show(_table(found))


def revoke(
    which: Annotated[str, typer.Argument(help="The id of a token, or a name for all tokens of that name.")],
    dataset: Files,
) -> None:
    """Revoke tokens, at once and for ever."""
    from noiseless.app.service.state import states_of
    from noiseless.app.service.tokens import Tokens
    from noiseless.errors import UnknownVariableError

    with plainly():
        found = [token for state, _ in states_of(dataset) for token in Tokens(state).revoke(which)]
        if not found:
            raise UnknownVariableError(f"no valid token has the id or name {which!r}; `noiseless keys list` shows them")
        typer.echo(f"revoked {', '.join(token.id for token in found)}")


def _role(given: str) -> Any:
    from noiseless.app.service.roles import ROLES
    from noiseless.errors import InputError

    if given not in ROLES:
        raise InputError(f"--role {given!r} is not a role; use {', '.join(ROLES)}")
    return given


def _until(given: str | None) -> datetime | None:
    """The moment when a token ends: after the given day, or after the given number of days."""
    from noiseless.errors import InputError

    if given is None:
        return None
    try:
        if given.endswith("d"):
            return datetime.now(UTC) + timedelta(days=int(given[:-1]))
        return datetime.fromisoformat(given).replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        raise InputError(f"--expires {given!r} is not a day; write 2027-12-31, or 90d") from None


def _table(found: list[Any]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table("id", "name", "role", "datasets", "made", "expires", "valid")
    for token in found:
        words = token.id, token.name, token.role, ", ".join(token.datasets), token.made, token.expires or "never"
        table.add_row(*map(Text, words), "yes" if token.valid else "revoked" if token.revoked else "expired")
    return table
