"""What a content may consist of, whatever it says: texts, booleans, null, lists and fields, not too deep."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

DEEPEST = 150
MOST_NODES = 20_000_000


def check_shape(content: Any) -> None:
    """Refuse what no certificate contains, level by level, so that nothing later can recurse too deeply."""
    level, nodes, depth = [content], 0, 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        require(depth <= DEEPEST, "it is nested too deeply")
        require(nodes <= MOST_NODES, "it is too large")
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                require(all(isinstance(name, str) for name in each), "the name of a field is not a text")
                below += each.values()
            elif isinstance(each, list):
                below += each
            elif not (each is None or isinstance(each, (str, bool))):
                raise WrongCertificateError("it holds something that is not a text, a truth value, a list or fields")
        level = below


def check_id(content: Mapping[str, Any]) -> None:
    """The id is the SHA-256 of everything else, as canonical JSON (RFC 8785)."""
    rest = {name: value for name, value in content.items() if name != "id"}
    text = json.dumps(_ordered(rest), separators=(",", ":"), ensure_ascii=False)
    found = hashlib.sha256(text.encode()).hexdigest()
    require(content["id"] == found, "the id is not that of the content: something in it was changed")


def _ordered(value: Any) -> Any:
    """Fields ordered by the UTF-16 code units of their names, as in RFC 8785."""
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [_ordered(each) for each in value] if isinstance(value, list) else value
