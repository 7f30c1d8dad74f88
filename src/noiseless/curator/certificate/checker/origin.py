"""Where a certificate comes from. None of this can be recomputed, but it must be possible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.numbers import rational, whole
from noiseless.curator.certificate.checker.wrong import require

ENTRY = {"entry", "hash", "factor"}
ANSWER = {"answer", "answer_hash"}


def check_origin(content: Mapping[str, Any]) -> None:
    """The dataset, the version of noiseless and the reference to the ledger."""
    factor_of(content["ledger"])
    require(re.fullmatch("[0-9a-f]{32}", content["dataset"]) is not None, "the id of the dataset is not one")
    version = content["noiseless"]
    require(isinstance(version, str) and 1 <= len(version) <= 100, "the version of noiseless is not one")


def factor_of(ledger: Mapping[str, Any]) -> Fraction:
    """The factor that was charged. If it is not a whole number, an answer after the question must have settled it."""
    settled = "answer" in ledger
    require(set(ledger) == ENTRY | (ANSWER if settled else set()), "the reference to the ledger is incomplete")
    factor, entry = rational(ledger["factor"]), whole(ledger["entry"])
    require(factor >= 1 and entry >= 0, "the reference to the ledger is impossible")
    require(settled or factor.denominator == 1, "the ledger charged a fraction, and no answer settled it")
    require(not settled or whole(ledger["answer"]) > entry, "the answer is not after its question in the ledger")
    for name in ("hash", "answer_hash") if settled else ("hash",):
        require(re.fullmatch("[0-9a-f]{64}", ledger[name]) is not None, "the hash of the entry is not a SHA-256")
    return factor
