"""Certificates: they verify, and with any field changed they do not."""

from __future__ import annotations

import copy
import json

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts
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


def places(value, path=()):
    """Every field and every element of it."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from places(inner, (*path, name))


def spoiled(value):
    match value:
        case str() if value.lstrip("-").isdigit():
            return [str(int(value) + 1), str(int(value) - 1), "", "x"]
        case str():
            return [value + " ", ""] if value else ["x"]
        case bool():
            return [not value]
        case list():
            return [value[:-1] if value else ["x"], [*value, "x"]]
        case dict():
            return [{**value, "more": "1"}, {}]
        case _:
            return ["x", 1]


def changed(whole: dict, path: tuple):
    """The certificate with one field changed, in several ways."""
    for instead in spoiled(_at(whole, path)):
        other = copy.deepcopy(whole)
        if path:
            _at(other, path[:-1])[path[-1]] = instead
        else:
            other = instead
        if other != whole:
            yield other


def _at(value, path):
    for name in path:
        value = value[name]
    return value


def test_any_field_changed_fails(certificate):
    whole = json.loads(certificate.to_json())
    tried = 0
    for path in places(whole):
        for other in changed(whole, path):
            tried += 1
            with pytest.raises(nl.CertificateError):
                nl.verify(json.dumps(other))
    assert tried > 200


COUNTED = ("count", "width", "rows", "answers", "changes")


def test_the_checker_alone_notices_wrong_counts(certificate):
    """Also without any signature: what a count follows from cannot be changed by itself."""
    content = json.loads(certificate.to_json())["content"]
    noticed = 0
    for path in places(content):
        if (path and path[-1] in COUNTED and len(path) > 1) or path == ("count",):
            for other in changed(content, path):
                try:
                    check_counts(other)
                except Exception:
                    noticed += 1
    assert noticed >= 20


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"content": 1, "key": "", "signature": ""}', "{" * 5000])
def test_what_is_no_certificate(text):
    with pytest.raises(nl.CertificateError):
        nl.verify(text)


@pytest.mark.parametrize("trusted", ["", " ", "00", "x" * 64])
def test_a_key_that_is_none_is_not_trusted(certificate, trusted):
    with pytest.raises(nl.CertificateError, match="64 hexadecimal digits"):
        nl.verify(certificate, trusted)
    with pytest.raises(nl.CertificateError):
        nl.verify(None)


CONDITIONS = [
    ("SELECT COUNT(*) AS n, MEDIAN(age) AS m FROM t WHERE age = 30 OR age = 40 OR age = 50", 6, "changes", "0"),
    ("SELECT COUNT(*), MAX(age), MIN(age) FROM t WHERE age > 30 AND s = 'yes'", 9, "reads", ["age"]),
    ("SELECT COUNT(*), MAX(age) FROM t WHERE (age > 30 AND g = 'a') OR age > 70", 9, "changes", "1"),
]


@pytest.mark.parametrize(("sql", "bits", "field", "value"), CONDITIONS)
def test_what_follows_from_a_condition_is_computed_from_it(sql, bits, field, value):
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t") as curator:
        answer = curator.ask(sql, bits=bits)
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    content = json.loads(answer.certificate.to_json())["content"]
    for release in content["releases"]:
        release[field] = value
    with pytest.raises(WrongCertificateError, match="condition"):
        check_counts(content)


def test_unsigned_and_foreign(key, tmp_path):
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t") as curator:
        unsigned = curator.ask(SQL, bits=4).certificate
    assert nl.verify(unsigned).signed_by == ""
    with pytest.raises(nl.CertificateError, match="not signed by the key"):
        nl.verify(unsigned, PrivateKey.read(key).public)
    PrivateKey.new(tmp_path / "other.pem")
    with nl.Curator.open(TABLE, SCHEMA, budget=30, table="t", key=tmp_path / "other.pem") as curator:
        foreign = curator.ask(SQL, bits=4).certificate
    with pytest.raises(nl.CertificateError, match="not signed by the key"):
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
    with pytest.raises(nl.KeyFileError, match="others can read the key"):
        PrivateKey.read(path)
    path.chmod(0o600)
    path.write_text("nonsense")
    with pytest.raises(nl.KeyFileError, match="no Ed25519 key"):
        PrivateKey.read(path)
    with pytest.raises(nl.KeyFileError, match="there is no key"):
        PrivateKey.read(tmp_path / "none.pem")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".git").mkdir()
    with pytest.raises(nl.KeyFileError, match="inside the project"):
        PrivateKey.new(tmp_path / "project" / "key.pem")
    monkeypatch.setenv("NOISELESS_KEY", str(path))
    assert default_path() == path
