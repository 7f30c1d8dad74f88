"""A served table with a token for every role, and a browser that signs in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from tests.app.console.browsing import CHROMIUM, Browser
from tests.app.service.small import serving, token, write

from noiseless.app.console.console import with_console
from noiseless.app.service.roles import ROLES
from noiseless.app.service.settings import Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a console, with a token for every role and for a second analyst."""
    file = write(tmp_path_factory.mktemp("served"), budget=60, rows=5000)
    tokens: dict[str, str] = {role: token(file, f"Ann the {role}", role)["Authorization"].split()[1] for role in ROLES}
    tokens["other"] = token(file, "Otto")["Authorization"].split()[1]
    app = with_console(Settings.read([file]))
    with serving(uvicorn.Config(app, port=0, log_config=None, access_log=False)) as (host, port):
        yield f"http://{host}:{port}", tokens


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for the walks of a file. Its event loop must end before tests that have loops of their own."""
    if CHROMIUM is None:
        pytest.skip("needs chromium: apt-get install chromium; .ci/run does")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browser(chromium, server) -> Iterator[Callable[..., Browser]]:
    """Opens signed-in browsers, and looks at their consoles at the end."""
    opened: list[Browser] = []

    def open_as(role: str, **more: Any) -> Browser:
        opened.append(Browser(chromium, server, role, **more))
        return opened[-1]

    yield open_as
    for each in opened:
        each.close()


@pytest.fixture(scope="module")
def signed_in(chromium, server) -> Iterator[Callable[[str], Browser]]:
    """One signed-in browser for each role, which sees one page after another. Its console is looked at in the end."""
    opened: dict[str, Browser] = {}

    def signed_in_as(role: str) -> Browser:
        if role not in opened:
            opened[role] = Browser(chromium, server, role)
        return opened[role]

    yield signed_in_as
    for each in opened.values():
        each.close()
