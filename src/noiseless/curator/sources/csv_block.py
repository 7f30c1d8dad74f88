"""A block of records of a text file, searched for a few bytes with numpy.

No quote is open between records, so the quotes of a block alternately open and close.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from noiseless.curator.schema.layout import DELIMITERS, LONGEST_RECORD

NEWLINE, RETURN, QUOTE = b'\n\r"'
PAD = bytes(3)
Problem = tuple[int, int, str]
"""A fault in a block: where it is, where its record begins, and what is wrong."""


def _parity(marked: Any) -> Any:
    """At every place, whether the number of marks so far is odd. Eight places at a time, then the words in turn.

    >>> _parity(np.array([False, True, False, True])).tolist()
    [False, True, True, False]
    """
    words = np.zeros(-(-len(marked) // 8), "<u8")
    bits = words.view(np.uint8)
    bits[: len(marked)] = marked
    for shift in (8, 16, 32):
        words ^= words << np.uint64(shift)
    before = np.bitwise_xor.accumulate(words >> np.uint64(56))[:-1]
    words[1:] ^= before * np.uint64(0x0101010101010101)
    return bits[: len(marked)].view(bool)


def plain_records(content: bytes, delimiter: bytes, fields: int) -> int | None:
    """How many records end in the content, if it is plain: ASCII without quotes or returns, all records of `fields`.

    None if it is not plain, or something is wrong with it: then a `Block` says what.

    >>> plain_records(b"1,x\\n2,y\\n3", b",", 2), plain_records(b"1,x\\n2\\n", b",", 2), plain_records(b'1,"', b",", 2)
    (2, None, None)
    """
    if len(delimiter) > 1 or fields < 2 or len(content) > LONGEST_RECORD or not content.isascii():
        return None
    if any(mark in content for mark in (b'"', b"\r", b"\0")):
        return None
    found = np.frombuffer(content, np.uint8, content.rfind(b"\n") + 1)
    ends = found == NEWLINE
    marks = ends[np.flatnonzero(ends | (found == delimiter[0]))]  # for every mark, whether it ends a record
    records = len(marks) // fields
    last = np.count_nonzero(marks[fields - 1 :: fields])
    fits = records * fields == len(marks) and np.count_nonzero(marks) == records == last
    return records if fits and records else None


class Block:
    """Some whole records, and the start of the next one. `last` says that this is the end of the file."""

    def __init__(self, content: bytes, delimiter: bytes, last: bool) -> None:
        self.content, self._delimiter = content, delimiter
        self._padded = np.frombuffer(b"".join((PAD, content, PAD)), np.uint8)
        self._bytes = self._padded[len(PAD) : -len(PAD)]
        self._closed = ~_parity(self._bytes == QUOTE) if b'"' in content else None
        self.ends = self._at(NEWLINE)
        self.whole = int(self.ends[-1]) + 1 if len(self.ends) else 0
        self._last, self._stuck = last, last or len(content) - self.whole > LONGEST_RECORD
        self._judged = len(content) if self._stuck else self.whole
        self._delimiters = self._at(*delimiter)

    def _at(self, *marks: int, outside: bool = True) -> Any:
        """Where this sequence of bytes occurs outside quotes."""
        if bytes(marks) not in self.content:
            return np.empty(0, np.int64)
        found = self._bytes == marks[0]
        for place, mark in enumerate(marks[1:], 1):
            found[:-place] &= self._bytes[place:] == mark
            found[-place:] = False
        if outside and self._closed is not None:
            found &= self._closed
        return np.flatnonzero(found)

    def _is(self, places: Any, *marks: int) -> Any:
        """Whether these bytes start at the places; a place may be slightly outside the content."""
        found = self._padded[places + len(PAD)] == marks[0]
        for place, mark in enumerate(marks[1:], 1):
            found &= self._padded[places + len(PAD) + place] == mark
        return found

    @property
    def first_fields(self) -> int:
        """How many fields the first record has."""
        return int(np.searchsorted(self._delimiters, self.ends[0])) + 1

    def first_record(self) -> list[bytes]:
        """The fields of the first record."""
        end, step = int(self.ends[0]), len(self._delimiter)
        inner = [int(place) for place in self._delimiters[: self.first_fields - 1]]
        begins, stops = [0, *(place + step for place in inner)], [*inner, end]
        return [self.content[a:b].removesuffix(b"\r") for a, b in zip(begins, stops, strict=True)]

    def byte_problems(self) -> Iterator[Problem]:
        """Bytes that are not text, and unusual line ends."""
        judged = self.content[: self._judged]
        if (place := judged.find(b"\0")) >= 0:
            yield place, place, "there is a NUL byte, so this is not a UTF-8 text file; save it as one"
        if not judged.isascii():
            try:
                judged.decode()
            except UnicodeDecodeError as wrong:
                yield wrong.start, wrong.start, "there are bytes that are not UTF-8; save the file as UTF-8"
        bare = self._at(RETURN)
        bare = bare[(bare < self._judged) & ~self._is(bare + 1, NEWLINE)]
        if len(bare):
            place = int(bare[0])
            yield (
                place,
                place,
                "it ends with a carriage return only; save the file with LF or CRLF line ends",
            )

    def quote_problems(self) -> Iterator[Problem]:
        """Quotes that open inside a field, close before its end, or never close."""
        quotes = self._at(QUOTE, outside=False)
        quotes = quotes[: np.searchsorted(quotes, self._judged)]
        opening, closing = quotes[::2], quotes[1::2]
        begins = opening[~self._is(opening - 1, QUOTE)]  # the others are the second quote of a doubled one
        size = len(self._delimiter)
        fits = (begins == 0) | self._is(begins - 1, NEWLINE) | self._is(begins - size, *self._delimiter)
        if not fits.all():
            place = int(begins[~fits][0])
            mark = DELIMITERS.get(self._delimiter.decode(), "a delimiter with a space")
            words = f"does not begin with one (the delimiter is {mark}; if that is wrong, declare delimiter =)"
            yield (
                place,
                place,
                f"there is a quote inside a field that {words}; quote the whole field, and double its quotes",
            )
        following = closing + 1
        fits = self._is(following, QUOTE) | self._is(following, NEWLINE) | self._is(following, RETURN)
        fits |= self._is(following, *self._delimiter) | (following + size > len(self._bytes))
        unclosed = [*closing[~fits][:1], *(quotes[-1:] if self._last and len(quotes) % 2 else ())]
        if unclosed:
            place = int(unclosed[0])
            began = int(begins[np.searchsorted(begins, place, "right") - 1])
            yield (
                place,
                began,
                "a quote opens here and is not closed at the end of its field; close it, and double quotes inside",
            )

    def length_problems(self) -> Iterator[Problem]:
        """Records too long for a database to read."""
        ends = [*self.ends, len(self.content)] if self._stuck else self.ends
        begins = np.concatenate(([0], self.ends + 1))[: len(ends)]
        long = np.flatnonzero(np.asarray(ends) - begins > LONGEST_RECORD)
        if len(long):
            began = int(begins[long[0]])
            words = f"it is longer than {LONGEST_RECORD} bytes; shorten it, or close the quote that was left open"
            yield began + LONGEST_RECORD, began, words

    def count_problems(self, fields: int, expected: str) -> Iterator[Problem]:
        """Records with too many or too few fields."""
        counts = np.diff(np.searchsorted(self._delimiters, self.ends), prepend=0) + 1
        wrong = np.flatnonzero(counts != fields)
        if not len(wrong):
            return
        first = int(wrong[0])
        end, began = int(self.ends[first]), int(self.ends[first - 1]) + 1 if first else 0
        found = int(counts[first])
        blank = not self.content[began:end].strip(b"\r")
        words = "it is empty; remove it" if blank else f"it has {_counted(found)}, and {expected} {fields}; correct it"
        yield end, began, words


def _counted(fields: int) -> str:
    return "1 field" if fields == 1 else f"{fields} fields"
