"""Recent things are remembered by all threads at once."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from noiseless.curator.plan.recent import remember


@pytest.fixture
def busy():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_the_oldest_are_forgotten():
    known = {}
    for place in range(5):
        remember(known, place, place, most=3)
    assert known == {2: 2, 3: 3, 4: 4}


@pytest.mark.usefixtures("busy")
def test_threads_do_not_disturb_each_other():
    """With `next(iter(known))` alone, a dictionary changes while its first key is looked for."""
    known = {}

    def run(thread):
        for place in range(20_000):
            remember(known, (thread, place), place, most=50)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(run, range(8)))
    assert len(known) < 50 + 8
