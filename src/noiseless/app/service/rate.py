"""How often a caller may call."""

from __future__ import annotations

from collections import OrderedDict
from time import monotonic

from noiseless.app.service.problems import Problem

MOST_KNOWN = 10_000
"""Callers that are remembered. Those who have not called for longest are forgotten first."""


class Rate:
    """A bucket of requests for each caller. It fills at a steady rate, and holds as much as two seconds bring."""

    def __init__(self, per_second: float) -> None:
        self._rate, self._most = per_second, max(1.0, 2 * per_second)
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Take one request. Refused if there is none left."""
        moment = monotonic()
        left, since = self._left.pop(caller, (self._most, moment))
        left = min(self._most, left + (moment - since) * self._rate)
        self._left[caller] = (left - 1 if left >= 1 else left), moment
        while len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        if left < 1:
            raise Problem(
                429,
                "too-many-requests",
                f"more than {self._rate:g} requests a second",
                "wait a moment, then go on more slowly",
                headers={"Retry-After": "1"},
            )
