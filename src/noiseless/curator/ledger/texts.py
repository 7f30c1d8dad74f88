"""The questions of an entry, in the analyst's own words."""

from __future__ import annotations

from noiseless.curator.ledger.entry import Entry


def texts_of(entry: Entry) -> list[str]:
    """One text for each question. Ledgers of format 1 kept a batch as one text.

    >>> texts_of(Entry(1, "ask", "", "", {"question": "SELECT 1;\\nSELECT 2"}, "", ""))
    ['SELECT 1', 'SELECT 2']
    """
    if "questions" in entry.body:
        return [each["text"] for each in entry.body["questions"]]
    return str(entry.body["question"]).split(";\n")
