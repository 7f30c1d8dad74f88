"""Where a certificate says that it comes from: it need not be true, but it must be possible."""

from __future__ import annotations

from typing import Any

import pytest

from noiseless.curator.certificate.checker.origin import check_origin
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

ORIGIN: dict[str, Any] = {
    "noiseless": "1",
    "dataset": "0" * 32,
    "ledger": {"entry": "0", "hash": "a" * 64, "factor": "1"},
}
SETTLED = {"entry": "7", "hash": "0f" * 32, "factor": "577/576", "answer": "8", "answer_hash": "f0" * 32}


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("incomplete", {"ledger": {"entry": "0", "hash": "a" * 64}}),
        ("incomplete", {"ledger": ORIGIN["ledger"] | {"more": "1"}}),
        ("impossible", {"ledger": ORIGIN["ledger"] | {"factor": "0"}}),
        ("impossible", {"ledger": ORIGIN["ledger"] | {"entry": "-1"}}),
        ("not a SHA-256", {"ledger": ORIGIN["ledger"] | {"hash": "a" * 63}}),
        ("not a SHA-256", {"ledger": ORIGIN["ledger"] | {"hash": "A" * 64}}),
        ("id of the dataset", {"dataset": "0" * 31}),
        ("id of the dataset", {"dataset": "g" * 32}),
        ("version", {"noiseless": ""}),
        ("version", {"noiseless": "1" * 101}),
        ("version", {"noiseless": ["1"]}),
        ("lowest terms", {"ledger": SETTLED | {"factor": "4/2"}}),
        ("lowest terms|denominator", {"ledger": SETTLED | {"factor": "2/1"}}),
        ("impossible", {"ledger": SETTLED | {"factor": "576/577"}}),
        ("no answer settled it", {"ledger": ORIGIN["ledger"] | {"factor": "577/576"}}),
        ("not after its question", {"ledger": SETTLED | {"answer": "7"}}),
        ("whole number", {"ledger": SETTLED | {"answer": "08"}}),
        ("not a SHA-256", {"ledger": SETTLED | {"answer_hash": "a" * 63}}),
        ("not a SHA-256", {"ledger": SETTLED | {"hash": "a" * 63}}),
        ("incomplete", {"ledger": {name: value for name, value in SETTLED.items() if name != "answer"}}),
        ("incomplete", {"ledger": {name: value for name, value in SETTLED.items() if name != "answer_hash"}}),
        ("incomplete", {"ledger": SETTLED | {"more": "1"}}),
    ],
)
def test_origins_that_cannot_be(words, changed):
    with pytest.raises(WrongCertificateError, match=words):
        check_origin(ORIGIN | changed)


def test_origins():
    for fine in (
        {},
        {"ledger": SETTLED},
        {"noiseless": "1" * 100},
        {"ledger": {"entry": "7", "hash": "0f" * 32, "factor": "9"}},
    ):
        check_origin(ORIGIN | fine)
