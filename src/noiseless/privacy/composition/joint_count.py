"""How many cells of a grid one person can reach with several queries at once.

With everybody else's data fixed, one person's data move all coordinates together. Four bounds hold; the least counts:

- boxes: ∏ K_j, each coordinate anywhere in its own reach (NP Thm 6);
- the rules A, B, D, F and G of a batch, for coordinates that read columns (docs/composition.md);
- signatures: people whose records look alike to all coordinates cause the same answers, so no more answers than
  different signatures (g_1(x), …, g_q(x)) among the records;
- shifts: a sum of the g_j(x) lies at t_j + c_j·g_j(x), where t_j is what the others contribute. Which signatures share
  a bin depends on t_j only, and changes only where one of them meets an edge. The most different cells over all
  combinations of such t_j is a bound, never above the number of signatures.

For few people and records, and for functions of people with their own domains, all data are tried: the count is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, floor, prod
from typing import Any

import numpy as np

from noiseless.privacy.composition.batch import Batch
from noiseless.privacy.composition.release import Release
from noiseless.privacy.domain import Domain
from noiseless.privacy.guarantee.assumptions import CLAMPED, PUBLIC, UNRELATED
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.function import Function
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.linear import Count, EqualWeights, Linear
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.query import whole
from noiseless.privacy.queries.variance import Variance
from noiseless.theory.ranges.interval import Interval

MOST_DATASETS = 1 << 13
MOST_SIGNATURES = 1 << 9
MOST_SHIFTED = 1 << 15
RULES = "docs/queries.md"
Parts = Mapping[str, Mechanism]
Cells = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What each coordinate reads: the name of a column; if records are declared, also its value for each record."""

    columns: Mapping[str, str]
    functions: frozenset[str]
    """The coordinates that read a function of the record."""
    values: Mapping[str, Cells] | None
    declared: bool
    """Whether the records are declared, so that not all values of a domain need occur."""


@dataclass(frozen=True, slots=True)
class Joint:
    """A count of the whole vector, and where it comes from. `cell` is the fewest records that share an answer."""

    count: int
    why: str
    exact: bool = False
    cell: int | None = None
    domain: Domain | None = None
    """The domain of the person with this cell, if people's domains differ."""


def joint_guarantee(reading: Reading, parts: Parts) -> Guarantee:
    """The guarantee of answering all coordinates together.

    Guarantee: never too small; exact if all data were tried, if every coordinate is exact and alone reads its column,
    or if the bound equals the exact count of one coordinate.
    Source: NP Thm 6, Thm 8 corrected, docs/theorems.md#np-thm-8-vectors
    """
    found = _by_tables(reading, parts) or _tried(reading, parts) or bound(reading, parts)
    if reading.declared and found.domain is not None:  # a table holds data of records that are not declared, too
        found = min(Joint(found.count, found.why), bound(reading, parts), key=lambda joint: joint.count)
    guarantees = [part.guarantee for part in parts.values()]
    declared = {line: None for each in guarantees for line in each.assumptions}
    records = ("a person's record is one of those declared",) if reading.declared else ()
    size, discrete = _size(reading, parts) if found.domain is None else (whole(found.domain), True)
    cell = Fraction(int(discrete) if found.cell is None else found.cell)
    return Guarantee(
        definition="noiseless privacy",
        count=found.count,
        exact=found.exact,
        statement=found.why,
        assumptions=tuple(dict.fromkeys((UNRELATED, PUBLIC, CLAMPED, *declared, *records))),
        levels=prod(each.levels for each in guarantees),
        smallest_cell=size if found.count == 1 and size is not None else cell,
        domain_size=size,
        discrete=discrete,
        columns=len(set(reading.columns.values())) if not reading.functions else len(parts),
    )


def bound(reading: Reading, parts: Parts) -> Joint:
    """The least of the bounds, without trying all data."""
    found = [_by_rules(reading, parts)]
    if reading.values is not None:
        found.append(_by_shifts(reading.values, parts))
    least = min(found, key=lambda joint: joint.count)
    attained = any(part.guarantee.exact and part.guarantee.count == least.count for part in parts.values())
    every_value = not reading.declared and not reading.functions
    return Joint(least.count, least.why, every_value and (least.exact or attained))


def _by_rules(reading: Reading, parts: Parts) -> Joint:
    """Boxes for coordinates that read functions, and the rules of a batch for the others."""
    columns = [_release(part, reading.columns[name]) for name, part in parts.items() if name not in reading.functions]
    multiplied = prod(parts[name].guarantee.count for name in reading.functions)
    if not columns:
        return Joint(multiplied, f"counts of the coordinates multiply, NP Thm 6: {RULES}")
    account = Batch(columns).account()
    unrelated = len(set(reading.columns.values())) == len(parts) and not reading.functions
    exact = unrelated and all(part.guarantee.exact for part in parts.values())
    return Joint(account.count * multiplied, f"{account.rule!r}: {RULES}", exact)


def _release(part: Mechanism, column: str) -> Release:
    """A coordinate as a release. The column that a count reads holds zeros and ones, and the count is their sum."""
    if isinstance(part.query, Count):
        return Release.of(part, column, about="the sum of the column", pieces=1)
    return Release.of(part, column)


def _by_shifts(values: Mapping[str, Cells], parts: Parts) -> Joint:
    """The most cells of the signatures over all shifts; what is not a sum counts by its signatures."""
    signatures = list(dict.fromkeys(zip(*(values[name] for name in parts), strict=True)))
    by_signatures = Joint(len(signatures), f"{len(signatures)} different signatures of a record: {RULES}")
    if len(signatures) > MOST_SIGNATURES:
        return by_signatures
    columns = zip(*signatures, strict=True)
    patterns = [_patterns(part, column) for part, column in zip(parts.values(), columns, strict=True)]
    if prod(map(len, patterns)) * len(signatures) > MOST_SHIFTED:
        return by_signatures
    most = max(len(set(zip(*chosen, strict=True))) for chosen in product(*patterns))
    return Joint(most, f"the cells of {len(signatures)} signatures, over all that the others can contribute: {RULES}")


def _patterns(part: Mechanism, column: Cells) -> set[Cells]:
    """For every shift, the bin of each signature, counted from the first; what is not a sum keeps every signature."""
    if not isinstance(part.query, EqualWeights):
        return {column}
    moved = [part.query.weight * Fraction(value) for value in column]
    return {tuple(place - bins[0] for place in bins) for bins in _shifted(part.quantizer, sorted(set(moved)), moved)}


def _shifted(quantizer: Quantizer, different: list[Fraction], moved: list[Fraction]) -> Iterator[list[int]]:
    """The bins where each value in turn meets an edge: between two such shifts, no value changes its bin."""
    if quantizer.edges is None:
        # values that are whole bins apart meet edges together
        for first in {value % quantizer.widest: value for value in different}.values():
            yield [floor((value - first) / quantizer.widest) for value in moved]
        return
    for edge in quantizer.edges[1:-1]:
        for first in different:
            yield [quantizer.index(edge - first + value, "clamp") for value in moved]
    yield [0] * len(moved)


def _tried(reading: Reading, parts: Parts) -> Joint | None:
    """All data of everybody, if they are few and the coordinates can be evaluated."""
    queries = [part.query for part in parts.values()]
    if reading.values is None or not all(isinstance(query, EVALUATED) for query in queries):
        return None
    n, records = queries[0].n, range(len(next(iter(reading.values.values()))))
    alike = not any(isinstance(query, Linear) for query in queries)
    others = comb(len(records) + n - 2, n - 1) if alike else n * len(records) ** (n - 1)
    if others * len(records) > MOST_DATASETS:
        return None
    columns: list[tuple[Mechanism, Cells, dict[Cells, Any]]] = [
        (part, reading.values[name], {}) for name, part in parts.items()
    ]
    count, cell = 1, len(records)
    for person, rest in _others(records, n, alike):
        answers: dict[Cells, int] = {}
        for record in records:
            data = (*rest[:person], record, *rest[person:])
            answer = tuple(_cell(part, tuple(own[place] for place in data), known) for part, own, known in columns)
            answers[answer] = answers.get(answer, 0) + 1
        count, cell = max(count, len(answers)), min(cell, *answers.values())
    return Joint(count, f"all data of {n} people with {len(records)} records were tried: {RULES}", True, cell)


def _by_tables(reading: Reading, parts: Parts) -> Joint | None:
    """Functions of the same people, each tried on all data: the cells of all data at once."""
    queries = [part.query for part in parts.values() if isinstance(part.query, Function)]
    alone = len(set(reading.columns.values())) == 1 and not reading.functions
    if not alone or len(queries) < len(parts) or len({query.domains for query in queries}) > 1:
        return None
    answers = np.zeros(1, dtype=np.int64)
    for query, part in zip(queries, parts.values(), strict=True):
        both = np.stack(np.broadcast_arrays(answers, query.bins(part.quantizer).ravel()), axis=1)
        answers = np.unique(both, axis=0, return_inverse=True)[1].ravel()
    reach = queries[0].reach_of(answers.reshape(queries[0].shape))
    return Joint(reach.count, reach.basis, True, int(reach.smallest_cell), reach.domain)


EVALUATED = (EqualWeights, Linear, OrderStatistic, Variance, Histogram)


def _others(records: range, n: int, alike: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    if alike:
        yield from ((0, rest) for rest in combinations_with_replacement(records, n - 1))
    else:
        yield from ((person, rest) for person in range(n) for rest in product(records, repeat=n - 1))


def _cell(part: Mechanism, values: Cells, known: dict[Cells, Any]) -> Any:
    """The bin of the values, or of every count of a histogram."""
    if values not in known:
        array = np.empty(len(values), dtype=object)
        array[:] = values
        if isinstance(part.query, Histogram):
            numbers = part.query.counts(array).values()
            known[values] = tuple(part.quantizer.index(number, "clamp") for number in numbers)
        else:
            known[values] = part.quantizer.index(part.query.evaluate(array), "clamp")
    return known[values]


def _size(reading: Reading, parts: Parts) -> tuple[Fraction | None, bool]:
    """The size of what is known of one person's record, and whether it is a number of records."""
    if reading.values is not None:
        return Fraction(len(next(iter(reading.values.values())))), True
    domains = {reading.columns[name]: part.query.domain for name, part in parts.items()}
    if reading.functions or any(domain is None for domain in domains.values()):
        return None, False
    sizes = [whole(domain) for domain in domains.values() if domain is not None]
    return prod(sizes, start=Fraction(1)), not any(isinstance(domain, Interval) for domain in domains.values())
