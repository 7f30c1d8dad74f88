"""A server that can be killed and started again at once: each start is a fork of a process that has everything loaded.

    python -m tests.app.service.killable people.toml PORT

Every line on standard input starts a server on the port, and its process id is printed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys

import uvicorn

from noiseless.app.service.application import application
from noiseless.app.service.settings import Settings
from noiseless.curator.curator import Curator


def serve(file: str, port: int) -> None:
    """Serve until killed."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    settings = Settings.read([file], rate=1_000_000)
    uvicorn.Server(uvicorn.Config(application(settings), log_config=None)).run(sockets=[listener])


def main(file: str, port: str) -> None:
    """Fork a server for every line."""
    assert callable(Curator.open)  # loaded before the first fork
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the killed
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                serve(file, int(port))
            finally:
                os._exit(1)
        print(child, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
