"""Several queries at once by brute force: with everybody else's data fixed, all cells that one person can cause."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.composition import joint_count
from tests.laws.worst_case import mean, members, rows_of, variance


def cells_of(grid, functions, reads, records, n) -> tuple[int, int]:
    """The most cells of one person, and the fewest records that share one, in plain Python."""
    most, fewest = 1, len(records)
    for person in range(n):
        for others in product(records, repeat=n - 1):
            found: Counter[tuple[int, ...]] = Counter()
            for record in records:
                data = (*others[:person], record, *others[person:])
                columns = {name: tuple(Fraction(read(r)) for r in data) for name, read in reads.items()}
                found[tuple(grid.axes[name].index(functions[name](columns[name]), "clamp") for name in functions)] += 1
            most, fewest = max(most, len(found)), min(fewest, *found.values())
    return most, fewest


def itself(record):
    return record


PLAIN: dict[str, tuple[Any, Any]] = {
    "sum": (lambda n, domain: nl.Sum(n, domain=domain), sum),
    "mean": (lambda n, domain: nl.Mean(n, domain=domain), mean),
    "max": (lambda n, domain: nl.Max(n, domain=domain), max),
    "variance": (lambda n, domain: nl.Variance(n, domain=domain), variance),
    "linear": (lambda n, domain: nl.Linear([2, -1, 1][:n], domain=domain), None),
}


def weighted(data):
    return sum(w * x for w, x in zip([2, -1, 1], data, strict=False))


def judge(vector, grid, functions, reads, records) -> int:
    most, fewest = cells_of(grid, functions, reads, records, vector.n)
    compare(nl.certify(grid, vector), most, fewest)
    return most


def compare(guarantee, most, fewest) -> None:
    assert guarantee.count >= most
    assert guarantee.smallest_cell <= fewest
    if guarantee.exact:
        assert guarantee.count == most


NAMES = st.lists(st.sampled_from(sorted(PLAIN)), min_size=1, max_size=3, unique=True)
DOMAINS = st.sampled_from([nl.Codes(2), nl.Codes(3), nl.Values([0, 1, 4])])


@given(NAMES, DOMAINS, st.integers(1, 3), st.lists(st.integers(1, 7), min_size=3, max_size=3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_queries_of_one_column(names, domain, n, levels, tried):
    """Tried on all data the count is exact; otherwise it is never too small."""
    vector = nl.Vector({name: PLAIN[name][0](n, domain) for name in names})
    queries = vector.coordinates
    grid = nl.Grid(
        {
            name: nl.Quantizer(query.low, query.high + 1, level)
            for (name, query), level in zip(queries.items(), levels, strict=False)
        }
    )
    functions = {name: PLAIN[name][1] or weighted for name in names}
    with pytest.MonkeyPatch.context() as patch:
        if not tried:
            patch.setattr(joint_count, "MOST_DATASETS", 0)
        most = judge(vector, grid, functions, dict.fromkeys(names, itself), members(domain))
        guarantee = nl.certify(grid, vector)
    assert guarantee.exact or not tried
    boxes = prod(nl.certify(grid.axes[name], query).count for name, query in queries.items())
    assert most <= guarantee.count <= boxes


READS: dict[str, tuple[Any, Any]] = {
    "large": (lambda n: nl.Count(n), lambda r: r[0] >= 2),
    "both": (lambda n: nl.Count(n), lambda r: r[0] >= 1 and r[1] == 1),
    "paid": (lambda n: nl.Sum(n, domain=nl.Codes(3)), lambda r: r[0] * r[1]),
    "first": (lambda n: nl.Sum(n, domain=nl.Codes(3)), lambda r: r[0]),
}
RECORDS = list(product(range(3), range(2)))


@given(
    st.lists(st.sampled_from(sorted(READS)), min_size=1, max_size=4, unique=True),
    st.integers(1, 2),
    st.lists(st.sampled_from([(1, 1), (1, 2), (3, 2), (2, 3), (3, 4)]), min_size=4, max_size=4),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_sums_under_conditions_by_signatures(names, n, widths, uneven):
    """Counts and sums of functions of a record: the bound by shifts is never too small, tried data are exact."""
    vector = nl.Vector({k: READS[k][0](n) for k in names}, {k: READS[k][1] for k in names}, RECORDS)
    axes = {}
    for name, (width, shift) in zip(names, widths, strict=False):
        axes[name] = nl.Quantizer(Fraction(-shift, 2), Fraction(-shift, 2) + 12 * width, 12)
        if uneven:
            axes[name] = nl.Quantizer.from_edges([-1, Fraction(1, 2), 2, 2 + width, 20])
    grid, reads = nl.Grid(axes), {name: READS[name][1] for name in names}
    functions = dict.fromkeys(names, sum)
    assert nl.certify(grid, vector).exact
    truth = cells_of(grid, functions, reads, RECORDS, n)
    compare(nl.certify(grid, vector), *truth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_count, "MOST_DATASETS", 0)
        by_shifts = nl.certify(grid, vector)
        patch.setattr(joint_count, "MOST_SHIFTED", 0)
        by_signatures = nl.certify(grid, vector)
    compare(by_shifts, *truth)
    compare(by_signatures, *truth)
    assert by_shifts.count <= by_signatures.count


def counts_of_ages(n, conditions) -> nl.Vector:
    ages = range(10)
    return nl.Vector({str(k): nl.Count(n) for k in range(len(conditions))}, dict(enumerate_reads(conditions)), ages)


def enumerate_reads(conditions):
    return ((str(k), condition) for k, condition in enumerate(conditions))


def exactly(n) -> nl.Quantizer:
    return nl.Quantizer("-0.5", n + Fraction(1, 2), n + 1)


def test_counts_alone_are_the_number_of_signatures():
    """Three thresholds: 4 signatures, not 2·2·2; disjoint buckets: one more than buckets. For a thousand people."""
    n = 1000
    nested = counts_of_ages(n, [lambda x, k=k: x >= k for k in (2, 5, 8)])
    disjoint = counts_of_ages(n, [lambda x, k=k: x == k for k in range(7)])
    for vector, signatures in ((nested, 4), (disjoint, 8)):
        grid = nl.Grid(dict.fromkeys(vector.coordinates, exactly(n)))
        assert nl.certify(grid, vector).count == signatures


def test_unrelated_columns_multiply_and_are_attained():
    vector = nl.Vector(
        {"a": nl.Sum(2, domain=nl.Codes(3)), "b": nl.Max(2, domain=nl.Codes(2))}, {"a": "left", "b": "right"}
    )
    grid = nl.Grid({"a": nl.Quantizer(0, 7, levels=4), "b": nl.Quantizer(0, 3, levels=2)})
    records = list(product(range(4), range(3)))
    reads = {"a": lambda r: r[0], "b": lambda r: r[1]}
    most = judge(vector, grid, {"a": sum, "b": max}, reads, records)
    assert nl.certify(grid, vector).exact
    assert most == 3 * 2


@pytest.mark.parametrize("answers", [1, 2, 3, 4, 6, 8, 12])
def test_calibrated_vectors_keep_the_budget(answers):
    domain = nl.Codes(3)
    vector = nl.Vector({"sum": nl.Sum(3, domain=domain), "max": nl.Max(3, domain=domain)})
    made = nl.calibrate(vector, count=answers)
    assert made.guarantee.count <= answers
    judge(vector, made.grid, {"sum": sum, "max": max}, {"sum": itself, "max": itself}, members(domain))
    for data in product(range(4), repeat=3):
        answer = made.apply(list(data))
        assert abs(answer["sum"] - sum(data)) <= made.error["sum"]
        assert abs(answer["max"] - max(data)) <= made.error["max"]


TABLES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=12, max_size=12)


@given(TABLES, st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=60)
def test_functions_into_the_plane_of_people_with_their_own_domains(table, first, second):
    """Any two functions of a person with three values and one with four, as one vector: exact."""
    domains = [nl.Codes(2), nl.Values([0, 1, 3, 7])]
    data = list(product(*map(members, domains)))
    values = dict(zip(data, table, strict=True))
    vector = nl.Vector(
        {"a": nl.Function(lambda *x: values[x][0], domains), "b": nl.Function(lambda *x: values[x][1], domains)}
    )
    grid = nl.Grid({"a": nl.Quantizer(0, 7, first), "b": nl.Quantizer(0, 7, second)})
    cells = {x: (grid.axes["a"].index(a), grid.axes["b"].index(b)) for x, (a, b) in values.items()}
    rows = rows_of(cells.__getitem__, list(map(members, domains)))
    guarantee = nl.certify(grid, vector)
    assert guarantee.exact
    assert guarantee.count == max(len(set(row)) for row in rows)
    share = min(Fraction(row.count(cell), len(row)) for row in rows for cell in row)
    assert guarantee.smallest_cell / guarantee.domain_size == share


def test_declared_records_need_not_attain_the_count_of_a_domain(monkeypatch):
    """Two records of a domain of five: the sum's own count of 3 is not called exact where only 2 answers occur."""
    monkeypatch.setattr(joint_count, "MOST_DATASETS", 0)
    monkeypatch.setattr(joint_count, "MOST_SHIFTED", 0)
    vector = nl.Vector({"sum": nl.Sum(2, domain=nl.Codes(4))}, records=[0, 1, 2])
    grid = nl.Grid({"sum": nl.Quantizer("-0.5", "9.5", levels=5)})
    assert judge(vector, grid, {"sum": sum}, {"sum": itself}, range(3)) == 2
    assert not nl.certify(grid, vector).exact


# The deliberately wrong variants: each must be caught by the judge.

TWO = nl.Vector({"sum": nl.Sum(2, domain=nl.Codes(3)), "max": nl.Max(2, domain=nl.Codes(3))})
FINE = nl.Grid({"sum": nl.Quantizer("-0.5", "7.5", levels=4), "max": nl.Quantizer("-0.5", "3.5", levels=2)})


def judged() -> int:
    return judge(TWO, FINE, {"sum": sum, "max": max}, {"sum": itself, "max": itself}, members(nl.Codes(3)))


def test_the_largest_count_instead_of_the_product_is_caught(monkeypatch):
    assert judged() == 4
    monkeypatch.setattr(joint_count, "MOST_DATASETS", 0)

    def largest(reading, parts):
        return joint_count.Joint(max(part.guarantee.count for part in parts.values()), "wrong")

    monkeypatch.setattr(joint_count, "_by_rules", largest)
    with pytest.raises(AssertionError):
        judged()


def test_one_shift_instead_of_all_is_caught(monkeypatch):
    """Bins counted from the lowest value only: nobody else contributes anything."""
    monkeypatch.setattr(joint_count, "MOST_DATASETS", 0)
    honest = joint_count._shifted

    def unshifted(quantizer, different, moved):
        yield next(honest(quantizer, different, moved))

    vector = nl.Vector({"sum": nl.Sum(2, domain=nl.Codes(3))})
    grid = nl.Grid({"sum": nl.Quantizer("-0.5", "7.5", levels=4)})
    functions, reads = {"sum": sum}, {"sum": itself}
    assert judge(vector, grid, functions, reads, members(nl.Codes(3))) == 3
    monkeypatch.setattr(joint_count, "_shifted", unshifted)
    with pytest.raises(AssertionError):
        judge(vector, grid, functions, reads, members(nl.Codes(3)))


def test_the_papers_levels_in_each_coordinate_are_caught():
    """⌊2^ε·R/S⌋ levels for each of two means give 3·3 answers, not 2·2."""
    mean_of_two = nl.Mean(2, 0, 1)
    printed = nl.theorem_8_as_printed(mean_of_two, bits=1).quantizer
    vector = nl.Vector({"a": mean_of_two, "b": mean_of_two}, {"a": "a", "b": "b"})
    assert nl.certify(nl.Grid({"a": printed, "b": printed}), vector).count == 9
    values = [Fraction(k, 8) for k in range(9)]
    cells = {
        (printed.index((x + Fraction(1, 4)) / 2), printed.index((y + Fraction(1, 4)) / 2))
        for x, y in product(values, repeat=2)
    }
    assert len(cells) == 9


def test_signatures_alone_are_not_enough_for_sums():
    """Two answers of a condition and three of a sum: the signatures of the condition alone would be 2."""
    vector = nl.Vector(
        {"large": nl.Count(2), "sum": nl.Sum(2, domain=nl.Codes(3))}, {"large": lambda x: x >= 2}, range(4)
    )
    grid = nl.Grid({"large": exactly(2), "sum": nl.Quantizer("-0.5", "7.5", levels=4)})
    found = judge(vector, grid, {"large": sum, "sum": sum}, {"large": lambda x: x >= 2, "sum": itself}, range(4))
    assert found == 4 > len({x >= 2 for x in range(4)})
