"""`noiseless serve` and `noiseless keys` as commands: from nothing to an answer, and a graceful end."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from tests.app import running as commands
from tests.app.service.small import MEAN, running, write

from noiseless.app import demo_served


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(*words: object) -> Iterator[tuple[str, subprocess.Popen]]:
    port = free_port()
    code = "from noiseless.app.cli.main import app; app()"
    command = [sys.executable, "-c", code, "serve", *map(str, words), "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while not is_ready(url):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
        yield url, process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}/ready", timeout=5):
            return True
    except (URLError, OSError):
        time.sleep(0.1)
        return False


def asked(url: str, token: str) -> dict:
    body = json.dumps({"sql": MEAN, "error": 5}).encode()
    header = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(f"{url}/datasets/people/ask", body, header), timeout=60) as response:
        return json.loads(response.read())


def test_a_newcomer_gets_an_answer_and_what_is_under_way_ends_before_the_server(tmp_path):
    file = write(tmp_path)
    made = commands.run("keys", "add", "ada", "--dataset", file, "--expires", "1d")
    token = made.stdout.decode().strip()
    assert b"cannot be shown again" in made.stderr
    with serving(file, "--workers", 2, "--answer-every", "1500ms") as (url, process):
        found: list[dict] = []
        asking = Thread(target=lambda: found.append(asked(url, token)))
        asking.start()
        time.sleep(0.7)  # the answer is there, and is held back until its interval ends
        process.send_signal(signal.SIGTERM)
        asking.join(60)
        assert [each["question"] for each in found] == [MEAN]
        assert process.wait(60) in (0, -signal.SIGTERM)
        assert "Traceback" not in process.stderr.read()


def test_the_console_opens_in_the_browser_of_this_computer(tmp_path, monkeypatch):
    page = tmp_path / "page"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {page}.part && mv {page}.part {page}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(browser))
    with serving(write(tmp_path), "--open") as (url, _):
        deadline = time.monotonic() + 60
        while not page.exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        address, _, token = page.read_text().strip().partition("#token=")
        assert address == f"{url}/console/sign-in"
        assert asked(url, token)["question"] == MEAN
    refused = commands.run("serve", tmp_path / "people.toml", "--open", "--port", 0)
    assert (refused.returncode, b"--open needs to know the port" in refused.stderr) == (1, True)


def test_tokens_are_added_listed_and_revoked(tmp_path):
    file = write(tmp_path)
    added = json.loads(commands.run("keys", "add", "eve", "--dataset", file, "--role", "auditor", "--json").stdout)
    assert (added["name"], added["role"], added["datasets"]) == ("eve", "auditor", ["people"])
    listed = commands.run("keys", "list", "--dataset", file, "--json").stdout
    assert [each["valid"] for each in json.loads(listed)] == [True]
    assert added["token"].encode() not in listed
    assert commands.run("keys", "revoke", added["id"], "--dataset", file).returncode == 0
    assert b"revoked" in commands.run("keys", "list", "--dataset", file).stdout
    again = commands.run("keys", "revoke", added["id"], "--dataset", file)
    assert (again.returncode, b"no valid token" in again.stderr) == (1, True)
    assert os.stat(tmp_path / "noiseless.service.sqlite").st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--role", "king"), b"is not a role"),
        (("--expires", "tomorrow"), b"is not a day"),
        (("--expires", "99999999999d"), b"is not a day"),
        (("--quota", "many"), b"quota"),
    ],
)
def test_wrong_words_are_refused(tmp_path, words, why):
    refused = commands.run("keys", "add", "ada", "--dataset", write(tmp_path), *words)
    assert (refused.returncode, why in refused.stderr) == (1, True)
    assert refused.stdout == b""


def test_serve_says_what_is_wrong_before_it_begins(tmp_path):
    for words, why in (
        ((tmp_path / "none.toml",), b"cannot read"),
        ((write(tmp_path), "--answer-every", "soon"), b"is not a span of time"),
        ((write(tmp_path), write(tmp_path)), b"two schema files are about 'people'"),
        ((write(tmp_path), "--key", tmp_path / "none.pem"), b"does not exist"),
    ):
        refused = commands.run("serve", *words, "--port", free_port())
        assert (refused.returncode, why in refused.stderr) == (1, True), refused.stderr


def test_what_make_serve_prints_works(tmp_path, monkeypatch, capsys):
    """The question to send, the line of Python and the page of the console, all with the same token."""
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", lambda **_: str(tmp_path))
        patched.setattr(demo_served, "PEOPLE", 500)
        file, _ = demo_served.demo_served(8000)
    lines = capsys.readouterr().out.splitlines()
    token = next(line.removeprefix("TOKEN=") for line in lines if line.startswith("TOKEN="))
    said = shlex.split(next(line for line in lines if line.startswith("curl")))
    assert f"in a browser: http://127.0.0.1:8000/console/sign-in#token={token}" in lines
    assert any(line.startswith("in Python: nl.connect(") and token in line for line in lines)
    with running(file) as served:
        headers = dict(said[place + 1].split(": ") for place, word in enumerate(said) if word == "-H")
        answer = served.client.post(said[-1].removeprefix("http://127.0.0.1:8000"), content=said[-2], headers=headers)
        assert [row["region"] for row in answer.json()["rows"]] == ["north", "east", "south", "west"]
