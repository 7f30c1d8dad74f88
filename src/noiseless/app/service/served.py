"""The datasets of a server: each has one curator in a process, and one thread that works for it.

A single thread makes the curator safe whatever it does, and costs nothing: Python runs one thread at a time, and the
ledger lets one question in at a time. Processes share the ledger, as they do without a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TypeVar

from noiseless.app.service.lane import Lane
from noiseless.app.service.problems import Problem
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.settings import Settings
from noiseless.app.service.state import State, open_state, place_of
from noiseless.app.service.tokens import now
from noiseless.curator.certificate.keys import default_path
from noiseless.curator.curator import Curator
from noiseless.curator.engines.request import Request
from noiseless.errors import NoiselessError, SchemaError

T = TypeVar("T")
FOREVER = float("inf")


class Served:
    """A dataset that is served."""

    def __init__(self, file: str, name: str, state: State, settings: Settings) -> None:
        self.file, self.name, self.state = file, name, state
        self._settings = settings
        self._lane = Lane(f"noiseless-{name}", settings.planning, settings.waiting)
        self._curator: Curator | None = None
        self.view: str | None = None

    def of_view(self, name: str) -> Served:
        """The same for one of its views, which has its own ledger."""
        views = {} if self._curator is None else self._curator.views
        if name not in views:
            known = ", ".join(views) or "none"
            rule, step = f"dataset {self.name!r} has no view {name[:100]!r}", f"its views: {known}"
            raise Problem(404, "unknown-view", rule, step)
        found = copy(self)
        found._curator, found.view = views[name], name
        return found

    @property
    def shares_questions(self) -> bool:
        """Whether the custodian lets analysts see the questions of others."""
        return self._settings.share_questions

    @property
    def is_open(self) -> bool:
        """Whether it can answer."""
        return self._curator is not None

    async def open(self) -> None:
        """Open the table and its ledger."""

        def opened() -> Curator:
            return Curator.open(self.file, key=self._settings.key, grants=Quotas(self.state, self.name).grants)

        self._curator = await self._lane.run(opened, FOREVER)

    async def run(self, work: Callable[[Curator], T], planning: float | None = None) -> T:
        """Run `work` with the curator in the dataset's thread, and return its result.

        Planning has a time limit. After the first charge there is none, because it would reveal how long the data
        take.
        """
        if (curator := self._curator) is None:
            raise Problem(503, "not-ready", f"dataset {self.name!r} is being opened", "try again in a moment")
        return await self._lane.run(lambda: work(curator), planning)

    async def close(self) -> None:
        """Finish what is being done, and close."""

        def closed() -> None:
            if self._curator is not None:
                self._curator.close()

        await self._lane.close(closed)


class Datasets:
    """All datasets of a server, by their names, and the states that hold their tokens."""

    def __init__(self, settings: Settings) -> None:
        self._states: dict[str, State] = {}
        self._served: dict[str, Served] = {}
        self._settings, self._adding = settings, asyncio.Lock()
        for file in settings.files:
            served = self._new(file)
            self._served[served.name] = served

    def _new(self, file: str) -> Served:
        place = place_of(file)
        state = self._states[place] = self._states.get(place) or open_state(place)
        return Served(file, Request(file).declared().name, state, self._settings)

    def __iter__(self) -> Iterator[Served]:
        return iter(list(self._served.values()))

    def get(self, name: str) -> Served | None:
        """The dataset of this name."""
        return self._served.get(name)

    @property
    def states(self) -> Mapping[str, State]:
        """All states, by their places."""
        return self._states

    async def open(self) -> None:
        """Open all of them."""
        for each in self:
            await each.open()
        await self.look_again()

    async def look_again(self) -> None:
        """Open what was declared meanwhile, by any process of any server of this folder."""
        if self._settings.tables is None:
            return
        for (file,) in self._first.rows("SELECT file FROM noiseless_declared ORDER BY made, file"):
            if file not in self._files and Path(file).is_file():
                with suppress(NoiselessError):  # somebody has changed it since
                    await self.add(file)

    async def declare(self, file: str) -> Served:
        """Serve a new schema file from now on, in every process. It is forgotten if it cannot be opened."""
        served = await self.add(file)
        self._first.rows("INSERT INTO noiseless_declared VALUES (?, ?) ON CONFLICT DO NOTHING", file, now())
        return served

    async def add(self, file: str) -> Served:
        """Open one more dataset, unless it is open."""
        async with self._adding:
            if (known := next((each for each in self if each.file == file), None)) is not None:
                return known
            served = self._new(file)
            self.check_new(served.name)
            await served.open()
            self._served[served.name] = served
            return served

    def check_new(self, name: str) -> None:
        """Refuse a name that another dataset has."""
        if name in self._served:
            raise SchemaError(f"a dataset named {name!r} is already served; rename the file")

    @property
    def _files(self) -> set[str]:
        return {each.file for each in self}

    @property
    def _first(self) -> State:
        return next(iter(self._states.values()))

    async def close(self) -> None:
        """Close all of them."""
        for each in self:
            await each.close()
        for state in self._states.values():
            state.close()


def check(files: Sequence[str | Path], key: str | Path | None) -> str | None:
    """Open every dataset once, so that mistakes are reported before the workers start, and these open it quickly.

    Returns the custodian's key file: the one given, or the usual one if there is one.
    """
    usual = default_path()
    path = Path(key) if key is not None else usual if usual.is_file() else None
    names = [Request(file).declared().name for file in files]
    for name in names:
        if names.count(name) > 1:
            raise SchemaError(f"two schema files are about {name!r}; serve them on different ports")
    for file in files:
        Curator.open(file, key=path).close()
    return None if path is None else str(path.absolute())
