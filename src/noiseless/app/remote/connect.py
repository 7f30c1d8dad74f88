"""`nl.connect`: a dataset of a server, with the methods of a curator."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlsplit

from noiseless.app.remote.calls import Call, Calls, headers
from noiseless.app.remote.problems import error_of
from noiseless.app.remote.trust import Trust
from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.custodian import OnHold, Request
from noiseless.curator.ledger.status import Status
from noiseless.curator.question.precision import Amount
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.errors import CertificateError, MissingExtraError, NoiselessError, QuestionError, ServiceError
from noiseless.exact.number import Number

if TYPE_CHECKING:
    from noiseless.app.remote.connect_async import AsyncRemote
    from noiseless.curator.answer.ways import BatchPreview

T = TypeVar("T")
AGAIN = (429, 502, 503, 504)
"""After these status codes, the same request is sent again. Its key makes sure that nothing is done twice."""
PAUSES = (0.1, 0.3, 1.0)
LISTED: Call[dict[str, list[str]]] = Call("GET", "/datasets", lambda found: dict(map(_named, found)))
PATIENCE = 600.0
"""Seconds to wait for an answer: reading a large table takes time."""


def connect(url: str, token: str, dataset: str | None = None, key: str | Path | None = None) -> Remote:
    """A dataset of a server, to be used like a local `Curator`: the same methods, the same answers.

    - `url`: the address of the server, such as https://data.example.
    - `token`: the token that the custodian gave you, made with `noiseless keys add`.
    - `dataset`: its name, if the token is for several.
    - `key`: the custodian's public key, or a file that holds it. Every certificate must be signed by it, or by a key
      that followed it. Without it, every answer is still checked against its certificate, but anyone may have written
      both.
    """
    remote = Remote(url, token, pinned(key))
    try:
        remote.open(dataset)
    except BaseException:
        remote.close()
        raise
    return remote


async def connect_async(url: str, token: str, dataset: str | None = None, key: str | Path | None = None) -> AsyncRemote:
    """Like `connect`, but with asynchronous methods: `await remote.ask(…)`."""
    from noiseless.app.remote.connect_async import AsyncRemote

    remote = AsyncRemote(url, token, pinned(key))
    try:
        await remote.open(dataset)
    except BaseException:
        await remote.close()
        raise
    return remote


class Remote:
    """A dataset of a server. Use `nl.connect`."""

    def __init__(self, url: str, token: str, key: str | None) -> None:
        self._http = http().Client(base_url=checked(url), timeout=PATIENCE, trust_env=not is_here(url))
        self._token = token
        self._calls = Calls("", Trust(key))
        self.name = ""
        self.schema: Schema
        self.views: dict[str, Remote] = {}
        """Its views with one row for each person, by their names."""

    def open(self, dataset: str | None) -> None:
        """Find the dataset, and the keys that followed the pinned one."""
        listed = self._send(LISTED)
        self._calls, self.name, views = opened(listed, dataset, self._calls.trust)
        self._know()
        for name in views:
            view = copy(self)
            view._calls, view.name, view.views = self._calls.of_view(name), name, {}
            view._know()
            self._calls.trust.include(view._calls.trust)
            self.views[name] = view

    def _know(self) -> None:
        """Find out what certificates must be about, and who may sign them."""
        trust = self._calls.trust
        trust.tables[self._send(self._calls.snapshot())] = self.name
        self._keys_changed()
        self.schema = Declaration.parse(self._send(self._calls.toml())).schema
        trust.unit = self.schema.unit

    def _keys_changed(self) -> bool:
        """Read which keys followed the pinned one, and return whether that has changed."""
        trust, earlier = self._calls.trust, dict(self._calls.trust.rotations)
        for known, calls in self._calls.each():
            trust.rotations[known] = [*self._send(calls.rotations())]
        return trust.rotations != earlier

    @property
    def dataset(self) -> str:
        """The random id of the snapshot."""
        return self._calls.trust.dataset

    @property
    def remaining(self) -> float:
        """The bits left for everybody, rounded down."""
        return self.status().remaining

    def public(self) -> list[dict[str, Any]]:
        """Every combination of public keys that occurs, with its number of rows."""
        return self._send(self._calls.public())

    def status(self) -> Status:
        """What is left of the budget of every public group, and of your quota."""
        return self._send(self._calls.status())

    def preview(
        self,
        sql: Any,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Preview:
        """What a question would cost and how certain its answer would be. Free."""
        return self._send(self._calls.preview(sql, bits=bits, error=error, stable=stable, dialect=dialect))

    def preview_batch(
        self,
        questions: Iterable[Any],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> BatchPreview:
        """What several questions would cost one by one, as one batch, and as a cross table. Free."""
        return self._send(self._calls.preview_batch(questions, bits=bits, error=error, stable=stable, dialect=dialect))

    def ask(
        self,
        sql: Any,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answer:
        """Answer a question truthfully. See `Curator.ask`."""
        terms = {"bits": bits, "error": error, "max_bits": max_bits, "stable": stable, "dialect": dialect}
        return self._send(self._calls.ask(sql, **terms))

    def deduce(self, sql: Any, *, dialect: str = "duckdb") -> Answer:
        """What already follows about a question from everything released before. Free."""
        return self._send(self._calls.deduce(sql, dialect=dialect))

    def batch(
        self,
        questions: Iterable[Any],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answers:
        """Answer several questions that are counted together. See `Curator.batch`."""
        terms = {"bits": bits, "error": error, "max_bits": max_bits, "stable": stable, "dialect": dialect}
        return self._send(self._calls.batch(questions, **terms))

    def refine(self, answer: Answer, *, error: Amount, max_bits: Number | None = None) -> Answer:
        """Narrow the intervals of an earlier answer. Only the difference is charged."""
        return self._send(self._calls.refine(answer, error=error, max_bits=max_bits))

    def recall(self, entry: int, place: int = 0) -> Answer:
        """Repeat the answer to a question in the ledger, by its number, for free."""
        return self._send(self._calls.recall(entry, place))

    def holds(self) -> tuple[OnHold, ...]:
        """Your questions that wait for the custodian, or are approved. The custodian sees all."""
        return self._send(self._calls.holds())

    def collect(self, hold: int) -> Answer | Answers:
        """Ask a question that was approved, by the number of its hold."""
        return self._send(self._calls.collect(hold))

    def withdraw(self, number: int) -> None:
        """Withdraw your question on hold, or your request."""
        self._send(self._calls.decide(f"decisions/{int(number)}/withdraw"))

    def requests(self) -> tuple[Request, ...]:
        """Your requests that are not decided. The custodian sees all."""
        return self._send(self._calls.requests())

    def request(self, bits: Number, reason: str, about: str = "quota") -> int:
        """Ask the custodian for more bits of your quota, or with about="budget" for everybody."""
        return self._send(self._calls.request(bits, reason, about))

    def approve(self, number: int) -> None:
        """For the custodian: allow a question on hold."""
        self._send(self._calls.decide(f"decisions/{int(number)}/approve"))

    def refuse(self, number: int, reason: str) -> None:
        """For the custodian: refuse a question on hold, or a request."""
        self._send(self._calls.decide(f"decisions/{int(number)}/refuse", reason=reason))

    def grant(self, number: int, bits: Number | None = None) -> None:
        """For the custodian: grant a request."""
        self._send(self._calls.decide(f"decisions/{int(number)}/grant", bits=bits))

    def freeze(self, reason: str) -> None:
        """For the custodian: answer only what costs nothing."""
        self._send(self._calls.decide("freeze", reason=reason))

    def unfreeze(self) -> None:
        """For the custodian: answer everything again."""
        self._send(self._calls.decide("unfreeze"))

    def rotations(self) -> list[dict[str, Any]]:
        """How one signing key followed another."""
        return self._send(self._calls.rotations())

    def __repr__(self) -> str:
        return f"Remote {self.name!r} at {self._http.base_url}"

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _send(self, call: Call[T]) -> T:
        for pause in (*PAUSES, None):
            try:
                found = self._http.request(call.method, call.path, json=call.body, headers=headers(call, self._token))
            except http().TransportError:
                if pause is None:
                    raise unreachable_error() from None
            else:
                if found.status_code not in AGAIN or pause is None:
                    try:
                        return read(call, found)
                    except CertificateError:  # perhaps another key signs by now
                        if self._calls.trust.key is None or not self._keys_changed():
                            raise
                    return read(call, found)
            time.sleep(pause)
        raise AssertionError


def read(call: Call[T], found: Any) -> T:
    """Read a response, or raise the error that it reports."""
    if found.status_code >= 400:
        raise error_of(found.status_code, found.content)
    try:
        said = found.json() if found.content else None
    except (ValueError, RecursionError):
        raise ServiceError("the server answered with something other than JSON; check its address") from None
    try:
        return call.read(said)
    except NoiselessError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError):
        raise ServiceError("the server's answer does not fit the request; check its address and its version") from None


def _named(dataset: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A dataset and its views, by their names."""
    return str(dataset["name"]), list(map(str, dataset["views"]))


def opened(found: Mapping[str, list[str]], dataset: str | None, trust: Trust) -> tuple[Calls, str, list[str]]:
    """The calls about the named dataset, or about the only one, with its name and its views."""
    if dataset is None and len(found) != 1:
        raise QuestionError(f"the token is for {', '.join(found) or 'no dataset'}; name one with dataset=")
    name = next(iter(found)) if dataset is None else dataset
    if name not in found:
        raise QuestionError(f"dataset={name!r} is not one of {', '.join(found) or 'none'}; name one of these")
    return Calls(name, trust), name, found[name]


def pinned(key: str | Path | None) -> str | None:
    """The public key itself, or the first word of a file."""
    if key is None or (isinstance(key, str) and len(key) == 64):
        return None if key is None else str(key)
    words = Path(key).read_text(encoding="utf-8").split() if Path(key).is_file() else []
    if not words:
        raise ServiceError(
            "key= is neither a public key of 64 hexadecimal digits nor a file that holds one; ask the custodian for it"
        )
    return words[0]


def checked(url: str) -> str:
    """The address, if it is one. A token must not travel unencrypted, except to this machine."""
    if urlsplit(url).scheme != "https" and not is_here(url):
        raise ServiceError(
            "url= must begin with https://, so that nobody can read the token; http:// is only for this machine"
        )
    return url.rstrip("/")


def is_here(url: str) -> bool:
    """Whether a server without TLS is on this machine. Then no proxy of the environment may get the token."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")


def unreachable_error() -> ServiceError:
    """The error for a server that does not answer."""
    return ServiceError("the server cannot be reached; check its address, and that it runs. Asking again is safe")


def http() -> Any:
    """The library for HTTP."""
    try:
        import httpx2
    except ImportError:
        raise MissingExtraError("httpx2 is not installed; pip install 'noiseless[client]'") from None
    return httpx2
