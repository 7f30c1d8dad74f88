"""Signing in with OpenID Connect, against an issuer on loopback."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient
from tests.app.console.pages import ORIGIN
from tests.app.service.small import write
from tests.app.service.test_sign_in import AUDIENCE, ISSUER, STRANGER, published, signed

import noiseless as nl
from noiseless.app.console.console import with_console
from noiseless.app.console.organisation import FLOW
from noiseless.app.console.session import NAME
from noiseless.app.service.settings import Settings


class Issuer(BaseHTTPRequestHandler):
    """Gives the tokens that a test has put there, and keeps what it was asked."""

    tokens: ClassVar[Any] = {}
    asked: ClassVar[dict[str, list[str]]] = {}

    def do_GET(self):
        self._send(published("RS256"))

    def do_POST(self):
        type(self).asked = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        self._send(json.dumps(self.tokens).encode())

    def _send(self, body: bytes):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): ...


@contextmanager
def issuing() -> Iterator[tuple[str, type[Issuer]]]:
    handler = type("Handler", (Issuer,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", handler
        server.shutdown()


@pytest.fixture
def signing(tmp_path):
    with issuing() as (place, handler):
        more = f'[service.oidc]\nissuer = "{ISSUER}"\naudience = "{AUDIENCE}"\njwks = "{place}/jwks"\n'
        more += f'client = "{AUDIENCE}"\nauthorize = "{place}/authorize"\ntoken = "{place}/token"\n'
        with TestClient(with_console(Settings.read([write(tmp_path, more=more)]))) as client:
            yield client, handler


def begun(client: TestClient) -> dict[str, str]:
    """What the browser takes to the issuer."""
    sent = client.get("/console/sign-in/issuer", follow_redirects=False)
    assert sent.status_code == 303
    return {name: values[0] for name, values in parse_qs(urlsplit(sent.headers["location"]).query).items()}


def test_the_issuer_signs_people_in(signing):
    client, handler = signing
    assert "sign in with your organisation" in client.get("/console/sign-in").text
    asked = begun(client)
    handler.tokens = {"id_token": signed(nonce=asked["nonce"], roles=["auditor"])}
    found = client.get("/console/sign-in/back", params={"code": "abc", "state": asked["state"]})
    assert found.status_code == 200
    cookie = next(each for each in found.headers.get_list("set-cookie") if each.startswith(NAME)).lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    verifier = handler.asked["code_verifier"][0]
    assert asked["code_challenge"] == urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    assert handler.asked["redirect_uri"] == [asked["redirect_uri"]] == ["http://testserver/console/sign-in/back"]
    assert "ada, auditor" in client.get("/console").text
    assert client.get("/console/d/people/keeping").status_code == 403
    body = {"export": "x"}
    assert client.post("/verify/export", json=body).status_code == 401
    assert client.post("/verify/export", json=body, headers=ORIGIN).status_code == 422


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another"},
        {"iss": "https://another.example"},
        {"exp": 1},
        {"roles": ["nothing here"]},
        {"key": STRANGER},
    ],
)
def test_tokens_for_others_sign_nobody_in(signing, wrong):
    client, handler = signing
    asked = begun(client)
    handler.tokens = {"id_token": signed(**{"nonce": asked["nonce"], **wrong})}
    found = client.get("/console/sign-in/back", params={"code": "abc", "state": asked["state"]})
    assert found.status_code == 401
    assert not any(each.startswith(f"{NAME}=") for each in found.headers.get_list("set-cookie"))


@pytest.mark.parametrize(
    "answer", [{}, {"id_token": None}, {"id_token": "é"}, {"id_token": "a.b.c", "access_token": 5}, []]
)
def test_whatever_the_issuer_says_is_an_answer(signing, answer):
    client, handler = signing
    handler.tokens = answer
    asked = begun(client)
    assert client.get("/console/sign-in/back", params={"code": "abc", "state": asked["state"]}).status_code == 401


def test_nobody_is_signed_in_by_a_link_of_somebody_else(signing):
    """Without the cookie of the browser that began, or with another state, no code is sent to the issuer."""
    client, handler = signing
    asked = begun(client)
    handler.tokens = {"id_token": signed(nonce=asked["nonce"])}
    for state in ("", "x", "é"):
        assert client.get("/console/sign-in/back", params={"code": "abc", "state": state}).status_code == 401
    client.cookies.delete(FLOW)
    back = {"code": "abc", "state": asked["state"]}
    assert client.get("/console/sign-in/back", params=back).status_code == 401
    assert handler.asked == {}


def test_without_an_issuer_there_is_no_such_page(tmp_path):
    with TestClient(with_console(Settings.read([write(tmp_path)]))) as client:
        assert client.get("/console/sign-in/issuer", follow_redirects=False).status_code == 404
        assert client.get("/console/sign-in/back").status_code == 404
        assert "organisation" not in client.get("/console/sign-in").text


@pytest.mark.parametrize(
    "said",
    [
        {"client": "x"},
        {"client": "x", "authorize": "https://a.example", "token": "http://a.example"},
        {"authorize": "https://a.example", "token": "https://a.example"},
        {"client": "x", "authorize": "/authorize", "token": "https://a.example"},
    ],
)
def test_half_an_issuer_is_refused(said):
    with pytest.raises(nl.errors.SchemaError, match="belong together"):
        Settings.of({"oidc": {"issuer": ISSUER, "audience": AUDIENCE, "jwks": "keys.json", **said}})
