"""One field changed, one element dropped, doubled or moved: refused, also by somebody who renews the seal."""

from __future__ import annotations

import json

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts
from tests.curator.certificate.forging import forged, opened, resealed

QUESTIONS = [
    ("SELECT region, AVG(age) AS m, COUNT(*) AS n FROM t WHERE ill IN ('flu', 'cold') GROUP BY region", {"bits": 4}),
    ("SELECT SUM(age), MIN(age), QUANTILE(age, 0.3), VAR_POP(age) FROM t WHERE year = 2024", {"bits": 12}),
    ("SELECT SUM(pay), COUNT(pay), MEDIAN(born) FROM t", {"bits": 9}),
    ("SELECT COUNT(*) AS n FROM t WHERE (age > 30 AND NOT (pay < 0)) OR (born > '1990-01-20' AND region = 'n')", {}),
    ("SELECT region, ill, COUNT(*) AS n FROM t WHERE pay IS NOT NULL GROUP BY region, ill", {}),
    ("SELECT well, COUNT(*) AS n FROM t GROUP BY well HAVING n >= 20 OR n = 3 ORDER BY n, well DESC", {}),
    ("SELECT year, SUM(age) / COUNT(*) * 2 AS m FROM t GROUP BY year ORDER BY m DESC, year LIMIT 2", {"bits": 4}),
    ("SELECT COUNT(*) FROM t WHERE open", {}),
    (
        "SELECT region, SUM(n) OVER (ORDER BY n, region ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) * 2 AS s, "
        "LAG(n, 1, 0) OVER (ORDER BY n DESC, region) AS l FROM (SELECT region, SUM(age) AS n FROM t GROUP BY region) "
        "AS u WHERE n > 1 ORDER BY s DESC LIMIT 2",
        {"bits": 2},
    ),
    (
        "SELECT well, COUNT(*) AS k, SUM(n) FILTER (WHERE n > 2) AS s FROM (SELECT ill, well, COUNT(*) AS n FROM t "
        "GROUP BY ill, well) AS u GROUP BY well",
        {},
    ),
]
CLAIMS = {
    ("dataset",): "a random id",
    ("noiseless",): "the version that wrote it",
    ("ledger", "entry"): "only the ledger has the entries",
    ("ledger", "hash"): "only the ledger has the entries",
    ("ledger", "factor"): "depends on what was asked before",
    ("count",): "may be more than is needed: older rules were dearer",
    ("schema",): "blanks at its end change nothing",
}
"""What only a signature can vouch for."""


@pytest.fixture(scope="module")
def certificates():
    with opened() as curator:
        return [curator.ask(sql, **given).certificate for sql, given in QUESTIONS]


@pytest.mark.parametrize("place", range(len(QUESTIONS)))
def test_any_change_is_noticed(certificates, place):
    content = dict(certificates[place].content)
    tried = 0
    for path, other in forged(content):
        tried += 1
        with pytest.raises(WrongCertificateError):
            check_counts(other)
        try:
            nl.verify(resealed(other))
        except nl.CertificateError:
            continue
        if path == ("id",):  # which the new seal has mended
            continue
        assert path in CLAIMS, (path, other)
        if path == ("count",):
            assert int(other["count"]) > int(content["count"])
        if path == ("schema",):
            assert other["schema"].strip() == content["schema"].strip()
    assert tried > 200


def test_the_claims_are_really_accepted(certificates):
    """So the list above is no longer than it must be."""
    content = dict(certificates[0].content)
    accepted = set()
    for path, other in forged(content):
        if path in CLAIMS:
            try:
                nl.verify(resealed(other))
                accepted.add(path)
            except nl.CertificateError:
                pass
    assert accepted == set(CLAIMS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('values = ["no", "flu", "cold"]', 'values = ["no", "cold", "flu"]'),
        ('values = ["no", "flu", "cold"]', 'values = ["no", "flu"]'),
        ('keys = ["n", "s", "e"]', 'keys = ["s", "n", "e"]'),
        ('keys = ["n", "s", "e"]', 'keys = ["n", "s"]'),
        ('keys = ["n", "s", "e"]', 'keys = ["n", "s", "e", "w"]'),
        ('kind = "integer"\nlow = 0\nhigh = 100', 'kind = "integer"\nlow = 1\nhigh = 101'),
        ('kind = "integer"\nlow = 0\nhigh = 100', 'kind = "integer"\nlow = 0\nhigh = 200'),
        ('kind = "integer"\nlow = 0\nhigh = 100\nstep = 1', 'kind = "integer"\nlow = 0\nhigh = 100\nstep = 2'),
        ("step = 1\n", "step = 1\non_grid = false\n"),
        ('kind = "integer"\nlow = 0\nhigh = 100\nstep = 1', 'kind = "real"\nlow = 0\nhigh = 100\nstep = 1'),
        ("step = 1\n", "step = 1\non_grid = 1\n"),
        ("step = 1\n", 'step = 1\nmissing = "apart"\n'),
        ('kind = "integer"\nlow = 0', 'kind = "real"\nlow = 0'),
        ('kind = "public"', 'kind = "category"'),
        ('kind = "public"', 'kind = "secret"'),
        ('[columns."well"]', '[columns."region"]'),
    ],
)
def test_the_columns_of_the_question_cannot_be_declared_otherwise(certificates, old, new):
    content = dict(certificates[0].content)
    assert old in content["schema"]
    with pytest.raises(nl.CertificateError):
        nl.verify(resealed({**content, "schema": content["schema"].replace(old, new, 1)}))


def test_several_rows_cannot_be_declared_away(certificates):
    content = dict(certificates[0].content)
    unit = '\n[unit]\ncolumn = "who"\nrows = 2\norder_by = "year"\n'
    with pytest.raises(nl.CertificateError, match="needed"):
        nl.verify(resealed({**content, "schema": content["schema"] + unit}))


def test_a_signature_is_of_everything(tmp_path):
    from noiseless.curator.certificate.keys import PrivateKey

    PrivateKey.new(tmp_path / "key.pem")
    with opened(key=tmp_path / "key.pem") as curator:
        certificate = curator.ask("SELECT AVG(age) FROM t", bits=1).certificate
    assert nl.verify(certificate).signed
    for path, other in forged(json.loads(certificate.to_json())["content"]):
        content = other if path == ("id",) else resealed(other).content
        with pytest.raises(nl.CertificateError):
            nl.verify(nl.Certificate(content, certificate.key, certificate.signature))
