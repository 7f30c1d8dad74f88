"""A real browser for walks through the console. Debian's chromium is used; `.ci/run` installs it."""

from __future__ import annotations

import shutil
from typing import Any

CHROMIUM = shutil.which("chromium")
PATIENCE = 60_000
"""Milliseconds that a walk waits for something before it fails."""
REPORTED = """addEventListener("securitypolicyviolation", (event) => console.error(
  "policy violated: " + event.violatedDirective))"""
ANSWERED = "Failed to load resource: the server responded"
"""Chromium's message about a refusal of the server. It is ignored here, because walks check refusals themselves."""


class Browser:
    """A signed-in browser. Whatever its console calls an error, and whatever the policy forbids, fails the walk."""

    def __init__(self, chromium: Any, server: tuple[str, dict[str, str]], role: str, **more: Any) -> None:
        self.address, self.errors = server[0], list[str]()
        self.expected: tuple[str, ...] = (ANSWERED,)
        self.page = chromium.new_context(**more).new_page()
        self.page.set_default_timeout(PATIENCE)
        if more.get("java_script_enabled", True):
            self.page.add_init_script(REPORTED)
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.open("/console")
        self.sign_in(server[1][role])

    def sign_in(self, token: str) -> None:
        self.page.fill("#token", token)
        self.click("main form button")

    def open(self, path: str) -> None:
        self.page.goto(self.address + path)

    def click(self, what: str) -> None:
        self.page.click(what)
        self.page.wait_for_load_state()

    def see(self, what: str, text: str = "") -> str:
        """The words of a part of the page, once it is there and says so."""
        found = self.page.locator(what).filter(has_text=text).first
        found.wait_for()
        return found.inner_text()

    def close(self) -> None:
        self.page.context.close()
        assert [each for each in self.errors if not each.startswith(self.expected)] == []
