"""Long work: it is begun, watched and cancelled by requests, from any process of the server.

A job is a row of the state. The process that began it keeps the row up to date, and checks there whether to
cancel it. Cancelling refunds nothing: what was charged stays charged, and the same work is free from then on.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any

from noiseless.app.service.problems import Problem
from noiseless.app.service.state import State
from noiseless.app.service.tokens import now

FIELDS = "id, dataset, owner, kind, wanted, made, state, share, seen, result"
UNDER_WAY = ("waiting", "running", "cancelling")
OFTEN = 0.5
"""Seconds between two readings of a row."""
LONGEST = 1 << 26
"""The most bytes that a result may have."""
MOST = 5
"""The most unfinished jobs of one caller, so that nobody's queue delays everybody else."""
LOST = timedelta(seconds=60)
"""If the row of a job was not touched for this long, the process that did it is gone."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some long work, and how far it is."""

    id: str
    dataset: str
    owner: str
    kind: str
    wanted: Mapping[str, Any]
    made: str
    state: str
    share: float
    seen: str
    result: Mapping[str, Any] | None

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Job:
        """The job that a row of the state is."""
        id_, dataset, owner, kind, wanted, made, state, share, seen, result = row
        end = None if result is None else json.loads(result)
        job = cls(id_, dataset, owner, kind, json.loads(wanted), made, state, share, seen, end)
        gone = job.under_way and datetime.now(UTC) - datetime.fromisoformat(seen) > LOST
        return replace(job, state="failed", result=stopped_error().fields()) if gone else job

    @property
    def under_way(self) -> bool:
        """Whether it is not finished."""
        return self.state in UNDER_WAY

    def fields(self) -> dict[str, Any]:
        """The job as responses show it."""
        done, failed = self.state == "done", self.state == "failed"
        return {
            **{name: getattr(self, name) for name in ("id", "dataset", "owner", "kind", "made", "state", "share")},
            "result": self.result if done else None,
            "problem": self.result if failed else None,
        }


def jobs(state: State, dataset: str) -> list[Job]:
    """All jobs about a dataset, the latest first."""
    rows = state.rows(f"SELECT {FIELDS} FROM noiseless_jobs WHERE dataset = ? ORDER BY made DESC, id", dataset)
    return [Job.of(row) for row in rows]


def job_of(state: State, dataset: str, which: str) -> Job | None:
    """The job of this id."""
    rows = state.rows(f"SELECT {FIELDS} FROM noiseless_jobs WHERE dataset = ? AND id = ?", dataset, which)
    return Job.of(rows[0]) if rows else None


def cancel(state: State, job: Job) -> None:
    """Ask the process that does the job to cancel it."""
    state.rows(
        "UPDATE noiseless_jobs SET state = ? WHERE id = ? AND state IN (?, ?)", "cancelling", job.id, *UNDER_WAY[:2]
    )


class Jobs:
    """The jobs that this process does."""

    def __init__(self) -> None:
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(1))
        """One of each kind at a time, so that the custodian's copy does not wait for the designs of analysts."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.watching: Counter[str] = Counter()
        """How many event streams each caller has open."""

    @staticmethod
    def new_name() -> str:
        """A name that no other job has."""
        return token_hex(8)

    def begin(self, state: State, said: Mapping[str, Any], dataset: str, owner: str, name: str) -> Job:
        """Begin some work, which `job_process` does. If a job has the name already, it was begun before."""
        if (known := job_of(state, dataset, name)) is not None:
            return known
        _check_few(state, dataset, owner)
        job = Job(name, dataset, owner, said["kind"], said["wanted"], now(), "waiting", 0.0, now(), None)
        values = (
            job.id,
            dataset,
            owner,
            job.kind,
            json.dumps(job.wanted, default=str),
            job.made,
            job.state,
            0.0,
            job.seen,
        )
        inserted = state.rows(
            "INSERT INTO noiseless_jobs (id, dataset, owner, kind, wanted, made, state, share, seen) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
            *values,
        )
        if not inserted:  # another process was faster
            return job_of(state, dataset, name) or job
        task = asyncio.create_task(self._do(state, job, said))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def close(self) -> None:
        """Stop what is under way."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(self, state: State, job: Job, said: Mapping[str, Any]) -> None:
        ended, result = "failed", stopped_error().fields()
        turns = self._turns[job.kind]
        try:
            turn = asyncio.create_task(turns.acquire())
            try:
                while not turn.done() and _kept(state, job, "waiting", 0.0):
                    await asyncio.wait([turn], timeout=OFTEN)
                ended, result = await self._run(state, job, said) if turn.done() else ("cancelled", {})
            finally:
                if not turn.cancel():
                    turns.release()
        finally:
            text = json.dumps(result, default=str)
            state.rows(
                "UPDATE noiseless_jobs SET state = ?, result = ?, share = ? WHERE id = ?",
                ended,
                text,
                float(ended == "done"),
                job.id,
            )

    async def _run(self, state: State, job: Job, said: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        done = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "noiseless.app.service.job_process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST,
        )
        assert done.stdin is not None
        assert done.stdout is not None
        try:
            done.stdin.write(json.dumps(said, default=str).encode() + b"\n")
            await done.stdin.drain()
            line, share = asyncio.create_task(done.stdout.readline()), 0.0
            while _kept(state, job, "running", share):
                await asyncio.wait([line], timeout=OFTEN)
                if not line.done():
                    continue
                if not line.result():
                    return "failed", stopped_error().fields()
                heard = json.loads(line.result())
                share = heard.get("share", share)
                if "result" in heard:
                    return "done", heard["result"]
                if "problem" in heard:
                    return "failed", heard["problem"]
                line = asyncio.create_task(done.stdout.readline())
            return "cancelled", {}
        finally:
            if done.returncode is None:
                done.kill()
            await done.wait()


def _kept(state: State, job: Job, now_is: str, share: float) -> bool:
    """Record how far a job is. False if it was cancelled meanwhile."""
    found = state.rows(
        "UPDATE noiseless_jobs SET state = ?, share = ?, seen = ? WHERE id = ? AND state <> ? RETURNING id",
        *(now_is, share, now(), job.id, "cancelling"),
    )
    return bool(found)


def _check_few(state: State, dataset: str, owner: str) -> None:
    own = (job for job in jobs(state, dataset) if job.owner == owner and job.under_way)
    if sum(1 for _ in own) >= MOST:
        raise Problem(
            429,
            "too-many-jobs",
            f"{MOST} of your jobs are under way",
            "wait until one has ended, or cancel one with DELETE …/jobs/ID",
            headers={"Retry-After": "10"},
            about="your jobs",
        )


def stopped_error() -> Problem:
    """The problem of work that ended without a result."""
    return Problem(
        503,
        "stopped",
        "the work stopped before its end, and what was charged stays charged",
        "begin it again, which is free if it was charged",
    )
