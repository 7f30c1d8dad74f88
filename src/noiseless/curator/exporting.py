"""Writing a ledger and the certificates of its questions into one file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from noiseless.curator.asking import Asking
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.exported import Export
from noiseless.curator.ledger.texts import texts_of
from noiseless.errors import QuestionError


def export(asking: Asking, to: str | Path | None = None) -> Export:
    """The ledger, with a certificate of every question that can still be recalled, in a file if one is named."""
    certificates, uncertified = list[Certificate](), list[int]()
    asking.account.known()
    for number in range(1, asking.account.questions + 1):
        found = list(_certificates(asking, number))
        certificates += found
        if not found:
            uncertified.append(number)
    entries = tuple(asking.account.entries())  # last: recalling a question that died may add its answer
    made = Export(asking.dataset.snapshot.id, entries, tuple(certificates), tuple(uncertified)).signed(asking.key)
    if to is not None:
        Path(to).write_text("".join(f"{line}\n" for line in made.write()), encoding="utf-8")
    return made


def _certificates(asking: Asking, number: int) -> Iterator[Certificate]:
    """The certificates of a question or a batch.

    There are none for a copy, nor for questions under an earlier schema.
    """
    with suppress(QuestionError):
        places = len(texts_of(asking.account.steps(number)[0]))
        yield from [asking.recall(number, place).certificate for place in range(places)]
