"""What each method of a client sends, and how it reads the response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode
from uuid import uuid4

from noiseless.app.carried import MEDIA, uncarried
from noiseless.app.remote.asked import Asked
from noiseless.app.remote.trust import Trust
from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.answer.ways import BatchPreview
from noiseless.curator.custodian import OnHold, Request
from noiseless.curator.ledger.status import Left, Status
from noiseless.errors import CertificateError, QuestionError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, how to read its response, and a key: a request that is sent twice with one key is done once."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Mapping[str, Any] | None = None
    once: str = field(default_factory=lambda: uuid4().hex)


class Elsewhere(dict[Any, Any]):
    """Stands for the bins of an answer, which only the server knows. `place` is the answer's place in its batch."""

    def __init__(self, place: int, view: str) -> None:
        super().__init__()
        self.place, self.view = place, view


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls about one dataset, or one of its views. Every answer is verified when it is read."""

    dataset: str
    trust: Trust
    view: str = ""

    def preview(self, sql: Any, **terms: Any) -> Call[Preview]:
        """See `Curator.preview`."""
        return self._post("preview", uncarried, _question(sql, terms))

    def preview_batch(self, questions: Any, **terms: Any) -> Call[BatchPreview]:
        """See `Curator.preview_batch`."""
        return self._post("preview_batch", uncarried, {"questions": list(map(_text, questions)), **_plain(terms)})

    def ask(self, sql: Any, **terms: Any) -> Call[Answer]:
        """See `Curator.ask`."""
        return self._post("ask", partial(self._verified, asked=[_asked(sql, terms)]), _question(sql, terms))

    def deduce(self, sql: Any, **terms: Any) -> Call[Answer]:
        """See `Curator.deduce`."""
        asked = replace(_asked(sql, terms), deduced=True)
        return self._post("deduce", partial(self._verified, asked=[asked]), _question(sql, terms))

    def batch(self, questions: Any, **terms: Any) -> Call[Answers]:
        """See `Curator.batch`."""
        texts = list(map(_text, questions))
        asked = [_asked(each, terms) for each in texts]
        return self._post("batch", partial(self._verified, asked=asked), {"questions": texts, **_plain(terms)})

    def refine(self, answer: Answer, **terms: Any) -> Call[Answer]:
        """See `Curator.refine`."""
        if not isinstance(answer, Answer):
            raise QuestionError("only an answer of this dataset can be refined; ask the question here first")
        where = answer.widths if isinstance(answer.widths, Elsewhere) else Elsewhere(0, self.view)
        body = {"entry": answer.entry, "place": where.place, **_plain(terms)}
        asked = [Asked(answer.question, deduced=True)]
        return replace(self, view=where.view)._post("refine", partial(self._verified, asked=asked), body)

    def recall(self, entry: int, place: int = 0) -> Call[Answer]:
        """See `Curator.recall`."""
        return self._get(f"questions/{int(entry)}", self._verified, place=int(place))

    def collect(self, hold: int) -> Call[Answer | Answers]:
        """See `Curator.collect`."""
        return self._post(f"holds/{int(hold)}/collect", self._verified, {})

    def holds(self) -> Call[tuple[OnHold, ...]]:
        """See `Curator.holds`."""
        return self._get("holds", lambda found: tuple(OnHold(**_listed(each)) for each in found))

    def requests(self) -> Call[tuple[Request, ...]]:
        """See `Curator.requests`."""
        return self._get("requests", lambda found: tuple(Request(**each) for each in found))

    def request(self, bits: Any, reason: str, about: str) -> Call[int]:
        """See `Curator.request`."""
        said = {"bits": bits, "reason": reason, "about": about}
        return self._post("requests", lambda found: int(found["number"]), _plain(said))

    def decide(self, path: str, **said: Any) -> Call[None]:
        """A decision: approve, refuse, withdraw, grant, freeze or unfreeze."""
        return self._post(path, lambda _: None, _plain(said))

    def status(self) -> Call[Status]:
        """See `Curator.status`."""
        return self._get("status", _status)

    def public(self) -> Call[list[dict[str, Any]]]:
        """See `Curator.public`."""
        return self._get("public", list)

    def toml(self) -> Call[str]:
        """The declared columns."""
        return self._get("schema", lambda found: str(found["toml"]))

    def snapshot(self) -> Call[str]:
        """The id of the snapshot."""
        return self._get("", lambda found: str(found["id"]))

    def each(self) -> list[tuple[str, Calls]]:
        """The calls about the table and all its views, with the ids of their snapshots."""
        named = enumerate(self.trust.tables.items())
        return [(known, replace(self, view=name if place else self.view)) for place, (known, name) in named]

    def of_view(self, name: str) -> Calls:
        """The calls about a view."""
        return Calls(self.dataset, Trust(self.trust.key), name)

    def rotations(self) -> Call[list[dict[str, Any]]]:
        """See `Curator.rotations`."""
        return self._get("rotations", list)

    def _verified(self, plain: Any, asked: Sequence[Asked] = ()) -> Any:
        found = uncarried(plain)
        together = isinstance(found, Answers)
        answers = found.answers if together else (found,)
        if asked and len(asked) != len(answers):
            raise CertificateError("the server did not answer every question; check its address and its version")
        for place, answer in enumerate(answers):
            if not isinstance(answer, Answer):
                raise CertificateError(
                    "the server sent something that is not an answer; check its address and its version"
                )
            self.trust.check(answer, asked[place] if asked else None)
        placed = tuple(
            replace(each, widths=Elsewhere(place, self._view_of(each))) for place, each in enumerate(answers)
        )
        return replace(found, answers=placed) if together else placed[0]

    def _view_of(self, answer: Answer) -> str:
        """The view whose ledger has the answer. Empty for the table itself."""
        table = "" if answer.certificate is None else str(answer.certificate.content["table"])
        return self.view or (table if table in list(self.trust.tables.values())[1:] else "")

    def _post(self, path: str, read: Callable[[Any], T], body: Mapping[str, Any]) -> Call[T]:
        return Call("POST", self._path(path), read, body)

    def _get(self, path: str, read: Callable[[Any], T], **query: Any) -> Call[T]:
        return Call("GET", self._path(path, **query), read)

    def _path(self, path: str, **query: Any) -> str:
        said = urlencode({**query, **({"view": self.view} if self.view else {})})
        return f"/datasets/{quote(self.dataset, safe='')}{'/' if path else ''}{path}{'?' if said else ''}{said}"


def headers(call: Call[Any], token: str) -> dict[str, str]:
    """The headers of a request."""
    once = {"Idempotency-Key": call.once} if call.method == "POST" else {}
    return {"Authorization": f"Bearer {token}", "Accept": f"{MEDIA}, application/json;q=0.5", **once}


def _text(question: Any) -> str:
    """A question as SQL: a text, or an Ibis expression."""
    from noiseless.curator.sql.ibis_expressions import text_of

    text: str = text_of(question)
    return text


def _question(sql: Any, terms: Mapping[str, Any]) -> dict[str, Any]:
    return {"sql": _text(sql), **_plain(terms)}


def _asked(sql: Any, terms: Mapping[str, Any]) -> Asked:
    return Asked(_text(sql), str(terms.get("dialect") or "duckdb"))


def _listed(hold: Mapping[str, Any]) -> dict[str, Any]:
    return {**hold, "questions": tuple(hold["questions"])}


def _status(found: Mapping[str, Any]) -> Status:
    groups, quotas = (tuple(Left(**each) for each in found[name]) for name in ("groups", "quotas"))
    own = {name: found[name] for name in ("dataset", "rows", "budget", "questions", "held", "frozen")}
    return Status(**own, groups=groups, quotas=quotas, datasets=(found["dataset"],))


def _plain(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Terms as JSON: numbers as they were given, exact numbers as texts. Terms that were not given are left out."""
    return {name: _number(each) for name, each in terms.items() if each is not None}


def _number(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {name: _number(each) for name, each in given.items()}
    return str(given) if isinstance(given, (Fraction, Decimal, date)) else given
