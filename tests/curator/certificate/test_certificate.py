"""Certificates: who signed them, what they are written as, and the keys."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.keys import PrivateKey, default_path

AGES = [20 + 7 * k % 60 for k in range(100)]
TABLE = pa.table({"age": AGES, "s": ["no", "yes"] * 50, "g": ["a", "b", "a", "a"] * 25})
SCHEMA = nl.Schema(age=nl.Integer(0, 100), s=nl.Category("no", "yes"), g=nl.Public("a", "b"))
SQL = "SELECT g, AVG(age) AS m, COUNT(*) AS n FROM t WHERE s = 'yes' GROUP BY g"


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "key.pem"
    PrivateKey.new(path)
    return path


@pytest.fixture(scope="module")
def certificate(key):
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", key=key) as curator:
        curator.ask("SELECT MAX(age) FROM t", bits=1)
        return curator.ask(SQL, bits=4).certificate


def test_it_verifies_without_data(certificate, key, tmp_path):
    certificate.save(tmp_path / "c.json")
    public = PrivateKey.read(key).public
    assert nl.verify(tmp_path / "c.json", public).trusted
    found = nl.verify(certificate.to_json())
    assert (found.trusted, found.signed_by, found.count) == (False, public, int(certificate.content["count"]))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"content": 1, "key": "", "signature": ""}', "{" * 5000])
def test_what_is_no_certificate(text):
    with pytest.raises(nl.CertificateError):
        nl.verify(text)


def test_a_stripped_signature_leaves_an_unsigned_certificate(certificate, key):
    """Nothing in the content is wrong then; that nobody vouches for it is said, and no key accepts it."""
    stripped = nl.Certificate(certificate.content)
    assert nl.verify(certificate).signed
    assert not nl.verify(stripped).signed
    with pytest.raises(nl.CertificateError, match="signed with another key"):
        nl.verify(stripped, PrivateKey.read(key).public)
    for half in (nl.Certificate(certificate.content, key="00" * 32), nl.Certificate(certificate.content, "", "00")):
        with pytest.raises(nl.CertificateError):
            nl.verify(half)


def test_json_that_readers_would_read_differently(certificate):
    text = certificate.to_json()
    count = certificate.content["count"]
    surprises = [
        text.replace('"count":', f'"count":"{count}","count":', 1),
        text.replace('"key":', '"key":"","key":', 1),
        text.replace(f'"count":"{count}"', f'"count":{count}'),
        text.replace(f'"count":"{count}"', f'"count":{count}.0'),
        text.replace(f'"count":"{count}"', '"count":NaN'),
        text.replace(f'"count":"{count}"', '"count":Infinity'),
        text.replace(f'"count":"{count}"', f'"count":"{count}\\ud800"'),
        text.replace('"signature":"', '"signature":["') + "]",
        json.dumps({**json.loads(text), "key": None, "signature": None}),
        f"{text} {text}",
    ]
    for surprise in surprises:
        assert surprise != text
        with pytest.raises(nl.CertificateError):
            nl.verify(surprise)
    assert nl.verify(json.dumps(json.loads(text), indent=2)).signed  # blanks and the order of fields say nothing


@pytest.mark.parametrize("trusted", ["", " ", "00", "x" * 64])
def test_a_key_that_is_none_is_not_trusted(certificate, trusted):
    with pytest.raises(nl.CertificateError, match="64 hexadecimal digits"):
        nl.verify(certificate, trusted)
    with pytest.raises(nl.CertificateError):
        nl.verify(None)


def test_unsigned_and_foreign(key, tmp_path):
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t") as curator:
        unsigned = curator.ask(SQL, bits=4).certificate
    assert (nl.verify(unsigned).signed, nl.verify(unsigned).signed_by) == (False, "")
    with pytest.raises(nl.CertificateError, match="signed with another key"):
        nl.verify(unsigned, PrivateKey.read(key).public)
    PrivateKey.new(tmp_path / "other.pem")
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", key=tmp_path / "other.pem") as curator:
        foreign = curator.ask(SQL, bits=4).certificate
    with pytest.raises(nl.CertificateError, match="signed with another key"):
        nl.verify(foreign, PrivateKey.read(key).public)


def test_keys_are_kept_as_secrets(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "key.pem"
    first = PrivateKey.new(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert PrivateKey.read(path).public == first.public
    with pytest.raises(nl.KeyFileError, match="exists already"):
        PrivateKey.new(path)
    second = PrivateKey.rotate(path)
    assert second.public != first.public
    [old] = [each for each in path.parent.iterdir() if each != path]
    assert PrivateKey.read(old).public == first.public
    path.chmod(0o644)
    with pytest.raises(nl.KeyFileError, match="other users can read the key"):
        PrivateKey.read(path)
    path.chmod(0o600)
    path.write_text("nonsense")
    with pytest.raises(nl.KeyFileError, match="does not hold an Ed25519 key"):
        PrivateKey.read(path)
    with pytest.raises(nl.KeyFileError, match="does not exist; make one"):
        PrivateKey.read(tmp_path / "none.pem")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".git").mkdir()
    with pytest.raises(nl.KeyFileError, match="inside the project"):
        PrivateKey.new(tmp_path / "project" / "key.pem")
    monkeypatch.setenv("NOISELESS_KEY", str(path))
    assert default_path() == path
