"""Very many integers as a short text: base 85 of deflated bytes, the lowest bytes of all first, then the next ones.

That comes near the entropy of the bins of sums, which no way of writing them can beat.
"""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode

from noiseless.curator.releases.release import Integers

LARGEST = 1 << 62
"""Only integers below this are packed."""
MOST_BYTES = 1 << 30
"""The most bytes that a text may be inflated to."""
STRATEGIES = zlib.Z_DEFAULT_STRATEGY, zlib.Z_HUFFMAN_ONLY
"""The strategies of deflating that are tried. The second gives shorter texts where nothing repeats."""


def packed(numbers: Integers) -> str:
    """Integers as a short text: the smallest, how many bytes the others have beyond it, and all of these bytes.

    >>> import numpy as np
    >>> unpacked(packed(np.array([3, 1, 70000]))).tolist()
    [3, 1, 70000]
    """
    import numpy as np

    least = int(numbers.min(initial=LARGEST)) if len(numbers) else 0
    beyond = numbers - least
    size = max(1, (int(beyond.max(initial=0)).bit_length() + 7) // 8)
    planes = beyond.astype("<i8").view(np.uint8).reshape(len(numbers), 8)[:, :size].T.tobytes()
    shortest = min((_deflated(planes, way) for way in STRATEGIES), key=len)
    return f"{least} {size} {b85encode(shortest).decode()}"


def _deflated(data: bytes, strategy: int) -> bytes:
    writer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, strategy)
    return writer.compress(data) + writer.flush()


def unpacked(text: str) -> Integers:
    """The integers that `packed` wrote."""
    import numpy as np

    least, size, data = text.split(" ")
    planes = _inflated(b85decode(data))
    if not 1 <= int(size) <= 8 or len(planes) % int(size):
        raise ValueError("a column that was not written so")
    found = np.zeros((len(planes) // int(size), 8), np.uint8)
    found[:, : int(size)] = np.frombuffer(planes, np.uint8).reshape(int(size), -1).T
    return found.reshape(-1).view("<i8").astype(np.int64) + int(least)


def _inflated(data: bytes) -> bytes:
    reader = zlib.decompressobj(-15)
    try:
        found = reader.decompress(data, MOST_BYTES)
    except zlib.error:
        found = b""
    if not reader.eof or reader.unused_data:
        raise ValueError("a column that was not written so")
    return found
