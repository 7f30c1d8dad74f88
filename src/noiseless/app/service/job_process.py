"""Long work in its own process, so that nobody waits for it, and it can be cancelled at any moment.

It reads what to do from its input, and writes lines of JSON: the share that is done, then the result or the problem. It
ends with the server, when its input ends. What the ledger charged stays charged, however the process ends.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from threading import Thread
from typing import Any

from noiseless.app.service.problems import Problem
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.state import states_of
from noiseless.curator.curator import Curator
from noiseless.curator.engines.watched import reporting
from noiseless.errors import NoiselessError


def copy(curator: Curator, wanted: Mapping[str, Any], to: str) -> dict[str, Any]:
    """Release a copy to a file, with its certificate beside it."""
    made = curator.release(to, **wanted)
    made.certificate.save(f"{to}.certificate.json")
    return {**made.fields(), "to": os.path.basename(to)}


def design(curator: Curator, wanted: Mapping[str, Any], to: str) -> dict[str, Any]:
    """Find what to release for a workload. Nothing is charged."""
    rest = {name: value for name, value in wanted.items() if name != "questions"}
    return curator.design(wanted["questions"], **rest).fields()


BEHIND = 10
"""The niceness of long work: the operating system prefers processes that answer questions."""
KINDS: dict[str, Callable[[Curator, Mapping[str, Any], str], dict[str, Any]]] = {"copy": copy, "design": design}
"""The kinds of long work. Each gets the curator, what is wanted, and a path for a file."""


def main() -> None:
    """Do what the first line of the input says."""
    said = json.loads(sys.stdin.readline())
    os.nice(BEHIND)
    Thread(target=_end_with_input, daemon=True).start()
    try:
        with (
            reporting(lambda share: _say({"share": share})),
            _curator(said) as curator,
        ):
            _say({"result": KINDS[said["kind"]](curator, said["wanted"], said["to"])})
    except NoiselessError as error:
        _say({"problem": Problem.of(error).fields()})


def _curator(said: Mapping[str, Any]) -> Curator:
    """The curator of the dataset, with the quotas that the server has granted."""
    [(state, [name])] = states_of([said["file"]])
    grants = Quotas(state, name).grants
    return Curator.open(said["file"], analyst=said["analyst"], key=said["key"], grants=grants)


def _end_with_input() -> None:
    """End at once when the server is gone."""
    sys.stdin.read()
    os._exit(1)


def _say(fields: Mapping[str, Any]) -> None:
    print(json.dumps(fields, default=str), flush=True)


if __name__ == "__main__":
    main()
