"""Bearer tokens of somebody else: a locally made key, and its JWKS on loopback."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from tests.app.service.small import MEAN, running, write

import noiseless as nl
from noiseless.app.service import sign_in
from noiseless.app.service.settings import Settings, SignIn

ISSUER, AUDIENCE = "https://issuer.example", "noiseless"
RSA = rsa.generate_private_key(65537, 2048)
STRANGER = rsa.generate_private_key(65537, 2048)
MADE: dict[str, tuple[Any, Any]] = {
    "RS256": (RSA, RSAAlgorithm),
    "ES256": (ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
    "EdDSA": (ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm),
}


def published(*names: str) -> bytes:
    keys = [(name, *MADE[name]) for name in names]
    listed = [{**how.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"} for name, key, how in keys]
    return json.dumps({"keys": listed}).encode()


def signed(key: object = RSA, algorithm: str = "RS256", header: str | None = None, **claims) -> str:
    plain = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": int(time.time()) + 60, "roles": ["analyst"]}
    kept = {name: value for name, value in (plain | claims).items() if value is not None}
    return jwt.encode(kept, key, algorithm, headers={"kid": header or algorithm})


class Published(BaseHTTPRequestHandler):
    served, asked = b"", 0

    def do_GET(self):
        type(self).asked += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.served)

    def log_message(self, *_): ...


@contextmanager
def issuer(*names: str):
    handler = type("Handler", (Published,), {"served": published(*names)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/jwks", handler
        server.shutdown()


def configured(place: str, more: str = "") -> str:
    return f'[service.oidc]\nissuer = "{ISSUER}"\naudience = "{AUDIENCE}"\njwks = "{place}"\n{more}'


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with (
        issuer(*MADE) as (place, _),
        running(write(tmp_path_factory.mktemp("served"), more=configured(place))) as found,
    ):
        yield found


def status(served, token: str, path: str = "/datasets/people") -> int:
    return served.client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize("algorithm", MADE)
def test_a_signed_token_is_its_holder_with_the_role_of_its_claim(served, algorithm):
    token = signed(MADE[algorithm][0], algorithm)
    header = {"Authorization": f"Bearer {token}"}
    asked = served.client.post("/datasets/people/ask", json={"sql": MEAN, "error": 5}, headers=header)
    assert asked.status_code == 200
    assert served.get("/datasets/people/ledger", "auditor").json()["questions"][0]["analyst"] == "ada"
    assert status(served, token, "/datasets/people/check") == 403
    boss = signed(MADE[algorithm][0], algorithm, sub="eve", roles="auditor custodian")
    assert status(served, boss, "/datasets/people/check") == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"exp": int(time.time()) - 10},
        {"exp": None},
        {"aud": "other"},
        {"aud": None},
        {"iss": "https://other.example"},
        {"iss": None},
        {"nbf": 9_999_999_999},
        {"sub": None},
        {"sub": ""},
        {"sub": "a\x00b"},
        {"sub": 7},
        {"roles": []},
        {"roles": ["king"]},
        {"roles": {"analyst": True}},
        {"roles": None},
        {"key": STRANGER},
        {"header": "unknown"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_wrong_token_is_nobodys(served, wrong):
    assert status(served, signed(**wrong)) == 401


def test_a_token_cannot_choose_how_it_is_checked(served):
    """Neither unsigned, nor signed with the public key as a shared secret."""
    claims = jwt.decode(signed(), options={"verify_signature": False})
    unsigned = jwt.encode(claims, None, "none", headers={"kid": "RS256"})
    public = RSA.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    head = {"alg": "HS256", "kid": "RS256"}
    said = b".".join(urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in (head, claims))
    shared = b".".join([said, urlsafe_b64encode(hmac.digest(public, said, "sha256")).rstrip(b"=")]).decode()
    changed = signed().rsplit(".", 1)[0] + "." + signed(sub="eve").rsplit(".", 1)[1]
    assert [status(served, each) for each in (unsigned, shared, changed, "a.b.c")] == [401] * 4


def test_roles_are_mapped_and_found_by_a_path():
    said = SignIn(ISSUER, AUDIENCE, "", "email", "realm.roles", {"data-office": "custodian"})
    with issuer("RS256") as (place, _):
        found = sign_in.Issuer(SignIn(**{**{n: getattr(said, n) for n in said.__slots__}, "jwks": place}))
        token = signed(realm={"roles": ["data-office"]}, email="ada@example.org")
        assert found.holder(token) == ("ada@example.org", "custodian")
        assert found.holder(signed(realm={"roles": ["custodian"]}, email="ada@example.org")) is None
        assert found.holder(signed(realm=["data-office"], email="ada@example.org")) is None


def test_unknown_keys_make_the_issuer_asked_seldom(monkeypatch):
    with issuer("RS256") as (place, handler):
        keys = sign_in.Keys(place)
        assert all(keys.get(f"unknown {k}") is None for k in range(20))
        assert handler.asked == 1
        monkeypatch.setattr(sign_in, "SELDOM", 0.0)
        handler.served = published("RS256", "ES256")
        assert keys.get("ES256") is not None  # a new key is found
        handler.served = b"not JSON"
        assert keys.get("unknown") is None
        assert keys.get("RS256") is not None  # and what is known is kept while the issuer fails


def test_keys_can_be_in_a_file(tmp_path):
    (tmp_path / "jwks.json").write_bytes(published("EdDSA"))
    assert sign_in.Keys(str(tmp_path / "jwks.json")).get("EdDSA") is not None
    assert sign_in.Keys(str(tmp_path / "none.json")).get("EdDSA") is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('[service.oidc]\nissuer = "x"\n', "needs issuer, audience and jwks"),
        (configured("http://issuer.example/jwks"), "only loopback may use http"),
        (configured("keys.json", 'roles = {boss = "king"}'), "must map to custodian, analyst or auditor"),
        ("[service]\nspeed = 1\n", "unknown field 'speed'"),
        ("[service]\nrate = 0\n", "a whole number above 0"),
        ("[service]\nshare_questions = 1\n", "true or false"),
        ('[service]\npatience = "1 hour"\n', "is not a span of time"),
        ("service = 1\n[columns.a]\nkind = 'boolean'\n", "must be a section"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, said, why):
    file = write(tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(said + text if said.startswith("service =") else text + said, encoding="utf-8")
    with pytest.raises(nl.SchemaError, match=why):
        Settings.read([file])


def test_settings_reach_the_workers_as_they_are(tmp_path):
    file = write(tmp_path, more=configured("keys.json", "roles = {boss = 'custodian'}"))
    made = Settings.read([file], workers=3, answer_every="200ms")
    assert Settings.parse(made.write()) == made
    assert (made.workers, made.answer_every, made.sign_in.roles) == (3, 0.2, {"boss": "custodian"})
    other = write(tmp_path, "visits", more="[service]\nrate = 3\n")
    with pytest.raises(nl.SchemaError, match="different"):
        Settings.read([file, other])
