"""Processes that share a SQLite file take turns, in the order in which they came."""

import fcntl
import subprocess
import sys
from threading import Event, Thread

from noiseless.curator.ledger.file_place import FilePlace

TRY = """
import fcntl, sys
with open(sys.argv[1], "rb+") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("taken")
"""


def others_can_be_next(path):
    return subprocess.run([sys.executable, "-c", TRY, path], check=True, capture_output=True).stdout == b""


def test_who_waits_is_next_and_nobody_overtakes(tmp_path):
    path = f"{tmp_path}/ledger.sqlite"
    begun, ended = Event(), Event()

    def taken():
        begun.set()
        return ended.wait(60)

    with open(f"{path}.lock", "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = Thread(target=lambda: FilePlace(path).in_turn(taken))
        waiting.start()
        while others_can_be_next(f"{path}.lock"):
            assert waiting.is_alive()
        assert not begun.is_set()
        fcntl.flock(held, fcntl.LOCK_UN)
        assert begun.wait(60)
        assert others_can_be_next(f"{path}.lock")
        ended.set()
        waiting.join(60)
    assert FilePlace(path).in_turn(lambda: 5) == 5
