"""A question about very many public groups: from its samples to all of its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.condition import TRUE
from noiseless.curator.plan.plan import Aggregate, KeyOf, Plan
from noiseless.curator.question.execute import TALLIES, Statements, needs_of
from noiseless.curator.question.finish import Field, evaluate, finish
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.line import Line, releases_of
from noiseless.curator.question.question import Question
from noiseless.curator.question.reading import meaning
from noiseless.curator.question.understand import recall_question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Integers, Need, Paid, Release, Released, Width, is_weighed
from noiseless.curator.releases.reported import Reported

OfEach = Mapping[Release, Integers]
"""What was released about all groups that a sample stands for: a row of the array for each released integer."""
T = TypeVar("T")


class WidthsOfEach(Mapping[Release, Width]):
    """The widths of all releases of very many groups, found when they are needed."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._found: Widths | None = None

    def _widths(self) -> Widths:
        if self._found is None:
            self._found = self._question.whole().widths
        return self._found

    def __getitem__(self, release: Release) -> Width:
        return self._widths()[release]

    def __iter__(self) -> Iterator[Release]:
        return iter(self._widths())

    def __len__(self) -> int:
        return len(self._widths())


def execute_groups(question: Question, groups: Groups, widths: Widths) -> OfEach:
    """What is released about very many groups: for every sample, about all groups that it stands for."""
    import numpy as np

    needs = needs_of(widths)
    columns = Statements(question.plan, groups.dataset).scalars(needs)
    if columns is None:
        return _one_by_one(question, groups, widths, needs)
    keys, numbers = columns
    line = groups.lines_at(keys)
    found = {need: np.zeros(len(groups), np.int64) for need in needs}
    for need, column in zip(needs, numbers, strict=True):
        found[need][line] = column
    observed = {}
    for release, width in widths.items():
        lines = groups.stands_for[release]
        observed[release] = release.observe_all(width, {need: found[need][lines] for need in release.needs(width)})
    return observed


def _one_by_one(question: Question, groups: Groups, widths: Widths, needs: Sequence[Need]) -> OfEach:
    import numpy as np

    nothing: dict[Need, Any] = {need: {} if need[0] in TALLIES else 0 for need in needs}
    found = Statements(question.plan, groups.dataset).numbers({TRUE: nothing})[TRUE]
    codes = list(groups.codes())
    observed = {}
    for release, width in widths.items():
        numbers = (nothing | found.get(codes[line], {}) for line in groups.stands_for[release].tolist())
        observed[release] = np.array([release.observe(width, each) for each in numbers], dtype=object).T
    return observed


def rows_of_each(question: Question, groups: Groups, released: OfEach) -> list[dict[str, Field]]:
    """The rows of the answer. If lines of one sample have the same numbers, they differ only in their keys."""
    plan = question.plan
    lines = zip(groups.sample.tolist(), groups.keys(), strict=True)
    if plan.having is not None or plan.order or plan.stages:
        readers = [_read(question, line, released, lambda numbers: numbers) for line in question.lines]
        named = ((dict(zip(groups.names, keys, strict=True)), next(readers[at])) for at, keys in lines)
        return finish(plan, list(named))
    nobody = dict.fromkeys(groups.names)
    labels = [
        (item.label, groups.names.index(item.expression.column))
        for item in plan.items
        if isinstance(item.expression, KeyOf)
    ]

    def fields(numbers: Mapping[Aggregate, Reported | None]) -> dict[str, Field]:
        return {item.label: evaluate(item.expression, nobody, numbers) for item in plan.items}

    made = [_read(question, line, released, fields) for line in question.lines]
    found = []
    for at, keys in islice(lines, plan.limit):
        row = next(made[at]).copy()
        for label, place in labels:
            row[label] = keys[place]
        found.append(row)
    return found


def _read(
    question: Question, line: Line, released: OfEach, made: Callable[[Mapping[Aggregate, Reported | None]], T]
) -> Iterator[T]:
    """What is made of the numbers of every line that a sample stands for. Equal numbers are worked out once."""
    releases = releases_of(line)
    if not releases:
        always = made(question.numbers_of(line, {}))
        while True:
            yield always
    paid = [(release, question.widths[release]) for release in releases]
    known: dict[tuple[Released, ...], T] = {}
    for numbers in zip(*(_tuples(released[release]) for release in releases), strict=True):
        if numbers not in known:
            known[numbers] = made(question.numbers_of(line, dict(zip(paid, numbers, strict=True))))
        yield known[numbers]


def released_one_by_one(question: Question, groups: Groups, released: OfEach) -> Mapping[Paid, Released]:
    """What was released about very many groups, listed by the release of each line."""
    samples = [releases_of(line) for line in question.lines]
    numbers = [[iter(_tuples(released[release])) for release in each] for each in samples]
    found: dict[Paid, Released] = {}
    for line, at in zip(groups.whole(), groups.sample.tolist(), strict=True):
        for release, sample, known in zip(releases_of(line), samples[at], numbers[at], strict=True):
            found[release, question.widths[sample]] = next(known)
    return found


def _tuples(numbers: Integers) -> list[Released]:
    return list(zip(*numbers.tolist(), strict=True))


def expected_of_each(question: Question, groups: Groups) -> tuple[Mapping[str, Any], ...]:
    """For every line its keys and the error of each number."""
    samples = question.expected()
    labels = [
        (item.label, groups.names.index(item.expression.column))
        for item in question.plan.items
        if isinstance(item.expression, KeyOf)
    ]
    found = []
    for at, keys in zip(groups.sample.tolist(), groups.keys(), strict=True):
        sample = samples[at]
        named = sample["keys"].copy()
        for label, place in labels:
            named[label] = keys[place]
        found.append({"keys": named, "errors": sample["errors"].copy()})
    return tuple(found)


def _labels(plan: Plan, groups: Groups) -> list[tuple[str, int]]:
    """The columns of the answer that are keys, each with its place among the keys of a line."""
    keys = ((item.label, item.expression) for item in plan.items)
    return [(label, groups.names.index(key.column)) for label, key in keys if isinstance(key, KeyOf)]


def widths_of_each(question: Question, groups: Groups) -> list[Width]:
    """The width of every release of very many groups, in the order in which ledgers list them."""
    samples = [[question.widths[release] for release in releases_of(line)] for line in question.lines]
    return [width for at in groups.sample.tolist() for width in samples[at]]


def recall(
    text: str, dataset: Dataset, widths: list[Width | None], centred: bool = False, promise: int = 1
) -> Question:
    """A question that was asked before.

    It has samples if there are very many groups, and like groups have like widths.
    """
    plan, lines = meaning(text, dataset, centred)
    found = _widths_of_samples(lines, widths) if isinstance(lines, Groups) else None
    if found is None or not isinstance(lines, Groups):
        return recall_question(text, dataset, widths, centred, promise)
    return Question(text, plan, lines.samples, found, promise=promise, groups=lines)


def _widths_of_samples(groups: Groups, widths: list[Width | None]) -> Widths | None:
    samples = [releases_of(line) for line in groups.samples]
    known: dict[int, list[Width | None]] = {}
    start = 0
    for at in groups.sample.tolist():
        own = widths[start : start + len(samples[at])]
        if known.setdefault(at, own) != own:
            return None
        start += len(own)
    found = [pair for at, each in known.items() for pair in zip(samples[at], each, strict=False)]
    whole = start == len(widths) and len(found) == sum(map(len, samples))
    if not whole or any(width is None or is_weighed(width) for _, width in found):
        return None
    return {release: width for release, width in found if width is not None}
