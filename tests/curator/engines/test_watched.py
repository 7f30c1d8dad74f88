"""A bar for long work, on a terminal only."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from noiseless.curator.engines import watched as home
from noiseless.curator.engines.watched import watched


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_on_a_terminal(monkeypatch):
    screen, polled = Terminal(), threading.Event()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(home, "PATIENCE", 0)

    def percent() -> float:
        polled.set()
        return 50.0

    with watched(percent, "preparing codes"):
        assert polled.wait(10)
    assert "preparing codes [" + "█" * 15 + "·" * 15 in screen.getvalue()
    assert screen.getvalue().endswith("█" * 30 + "]\n")


@pytest.mark.parametrize("failing", [False, True])
def test_nothing_is_drawn_elsewhere(monkeypatch, failing):
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    if failing:
        with pytest.raises(ValueError, match="stop"), watched(lambda: 1.0, "x"):
            raise ValueError("stop")
    else:
        with watched(lambda: 1.0, "x"):
            pass
    assert screen.getvalue() == ""
