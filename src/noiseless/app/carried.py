"""Turns objects of the library into JSON and back, without change: this is what a server sends to `nl.connect`.

Only data of the classes listed here are sent. What an object computes on first use, such as its certificate, is
computed before it is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from noiseless.errors import CertificateError

MEDIA = "application/vnd.noiseless+json"
LATER = {"Answer": ("promise", "certify", "note", "advise"), "Preview": ("advise",)}
"""For each class, the fields that are functions: they are called, and their results are sent."""
ELSEWHERE: Mapping[str, Mapping[str, Any]] = {"Answer": {"widths": {}}, "Preview": {"deduce": lambda: None}}
"""For each class, the fields that stay on the server, with the values that replace them on the client."""
Plain = Any


@cache
def classes() -> Mapping[str, type]:
    """The classes whose objects can be sent, by name."""
    from noiseless.curator.answer.answer import Answer, Answers, Preview, Row
    from noiseless.curator.answer.ways import BatchPreview, Way
    from noiseless.curator.certificate.certificate import Certificate
    from noiseless.curator.custodian import OnHold, Request
    from noiseless.curator.ledger.status import Left, Status
    from noiseless.curator.question.after.one_of import OneOf
    from noiseless.curator.releases.reported import Reported
    from noiseless.privacy.guarantee.guarantee import Guarantee

    listed = (Answer, Answers, Preview, Row, BatchPreview, Way, Certificate, OnHold, Request, Left, Status, OneOf)
    return {each.__name__: each for each in (*listed, Reported, Guarantee)}


def carried(value: Any) -> Plain:
    """A value as plain JSON. Numbers are texts, so that no reader rounds them."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return {"int": str(value)}
        case float():
            return {"float": value.hex()}
        case Fraction():
            return {"fraction": str(value)}
        case datetime() | date():
            return {type(value).__name__: value.isoformat()}
        case tuple() | list():
            return {"tuple" if isinstance(value, tuple) else "list": [carried(each) for each in value]}
    if is_dataclass(value) and type(value).__name__ in classes():
        return _object(value, type(value).__name__)
    if isinstance(value, Mapping):
        return {"map": [[carried(name), carried(each)] for name, each in value.items()]}
    raise TypeError(f"a {type(value).__name__} cannot be sent; send objects of {', '.join(classes())}")


def _object(value: Any, name: str) -> Plain:
    later, kept = LATER.get(name, ()), ELSEWHERE.get(name, {})
    own = [each.name for each in fields(value) if each.name not in kept]
    return {name: {each: carried(getattr(value, each)() if each in later else getattr(value, each)) for each in own}}


def uncarried(plain: Plain) -> Any:
    """The value that `carried` wrote. Anything else is refused."""
    try:
        return _read(plain)
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError):
        pass
    raise CertificateError("the server sent something that is not an answer; check its address and its version")


READERS: Mapping[str, Callable[[Any], Any]] = {
    "int": int,
    "float": float.fromhex,
    "fraction": Fraction,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "tuple": lambda given: tuple(map(_read, given)),
    "list": lambda given: list(map(_read, given)),
    "map": lambda given: {_read(name): _read(each) for name, each in given},
}


def _read(plain: Plain) -> Any:
    if plain is None or isinstance(plain, (bool, str)):
        return plain
    [(name, given)] = plain.items()
    if name in READERS:
        return READERS[name](given)
    later = LATER.get(name, ())
    found = {each: _known(_read(value)) if each in later else _read(value) for each, value in given.items()}
    return classes()[name](**found, **ELSEWHERE.get(name, {}))


def _known(value: Any) -> Callable[[], Any]:
    return lambda: value
