"""What is found only once."""

import pytest

from noiseless.curator.question.remembered import Once, Remembered


def test_each_key_is_found_once():
    asked: list[int] = []

    def double(key: int) -> int:
        asked.append(key)
        return 2 * key

    found = Remembered(double)
    assert [found[3], found[3], found[4]] == [6, 6, 8]
    assert asked == [3, 4]


def test_a_value_is_found_once_also_if_it_is_none():
    asked: list[int] = []
    once = Once(lambda: asked.append(1))
    assert [once(), once()] == [None, None]
    assert asked == [1]


def test_what_failed_is_tried_again():
    results = iter([OSError("gone"), 5])

    def find():
        if isinstance(found := next(results), OSError):
            raise found
        return found

    once = Once(find)
    with pytest.raises(OSError, match="gone"):
        once()
    assert once() == 5
