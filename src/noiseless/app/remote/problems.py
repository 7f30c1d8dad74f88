"""Turns the refusal of a server into the error that the library itself would raise."""

from __future__ import annotations

import json
import re
from typing import Any

from noiseless import errors


def error_of(status: int, body: bytes) -> errors.NoiselessError:
    """The error that a response reports."""
    try:
        said: dict[str, Any] = json.loads(body)
        kind, detail = str(said["type"]), str(said["detail"])
    except (ValueError, TypeError, KeyError):
        return errors.ServiceError(
            f"the server answered with status {status} and no reason; check its address, and the proxy in front of it"
        )
    name = "".join(word.capitalize() for word in kind.rpartition("/")[2].split("-")) + "Error"
    known = getattr(errors, name, None) if re.fullmatch(r"[A-Za-z]+", name) else None
    if known is errors.HeldError:
        return errors.HeldError(detail, int(said.get("hold") or 0))
    if isinstance(known, type) and issubclass(known, errors.NoiselessError):
        return known(detail)
    return errors.ServiceError(detail)
