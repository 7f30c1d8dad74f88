"""Rule H by brute force: all that one person's row can be, missing values too, beside all that some others can be.

Batches of counts, sums and means under conditions are drawn at random. Real questions are planned, and then what they
release is computed from rows alone, with conditions in plain Python. The wrong ways to count are caught at the end.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker.answers import check_answer
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from noiseless.curator.plan.condition import Not
from noiseless.curator.question import classes, signatures
from noiseless.curator.question.price import Prices, union
from noiseless.curator.question.understand import Wanted, understand
from noiseless.privacy.composition import questions as asked_together

RECORDS = list(product((0, 1, 2, None), (-1, 0, 1, 2), "abcd"))
"""x, which may be missing, h and c."""
GROUPS = ("n", "n", "n", "s")
CONDITIONS = {
    "x > 0": lambda x, h, c: x is not None and x > 0,
    "NOT x > 0": lambda x, h, c: x is not None and not x > 0,
    "x IS NULL": lambda x, h, c: x is None,
    "x >= 2 OR h < 0": lambda x, h, c: (x is not None and x >= 2) or h < 0,
    "h >= 1": lambda x, h, c: h >= 1,
    "h < 1": lambda x, h, c: h < 1,
    "h IN (-1, 2)": lambda x, h, c: h in (-1, 2),
    "c = 'a'": lambda x, h, c: c == "a",
    "c = 'b'": lambda x, h, c: c == "b",
    "c <> 'a'": lambda x, h, c: c != "a",
    "c IN ('a', 'c') AND h >= 0": lambda x, h, c: c in "ac" and h >= 0,
    "c <> 'b'": lambda x, h, c: c != "b",
    "x > 0 AND h >= 1": lambda x, h, c: x is not None and x > 0 and h >= 1,
    "NOT (x > 0 AND h >= 1)": lambda x, h, c: h < 1 or (x is not None and x <= 0),
    "h IN (-1, 0, 2)": lambda x, h, c: h != 1,
    "x > h": lambda x, h, c: x is not None and x > h,
    "NOT (x <= h)": lambda x, h, c: x is not None and x > h,
    "c = 'a' OR g = 's'": lambda x, h, c: c == "a",  # everybody looked at is in group n
}
NUMBERS = ["COUNT(*)", "COUNT(*)", "COUNT(x)", "AVG(h)", "AVG(x)"]
SUMS = [*NUMBERS, "SUM(h)", "SUM(x)"]


@cache
def dataset():
    rows = [(1, 0, "a", group) for group in GROUPS]
    schema = nl.Schema(
        x=nl.Integer(0, 2, missing="apart"),
        h=nl.Integer(-1, 2),
        c=nl.Category("a", "b", "c", "d"),
        g=nl.Public("n", "s"),
    )
    table = pd.DataFrame(rows, columns=["x", "h", "c", "g"])
    return nl.Curator.open(table, schema, budget=900, table="t", store=":memory:")._dataset


def planned(number, condition, width):
    """What a question releases, in bins of a width if it is no count, and who counts."""
    where = f" WHERE {condition}" if condition else ""
    widths = understand(f"SELECT {number} FROM t{where}", dataset(), Wanted(bits=20)).widths
    wide = {release: width if release.widest > 1 else 1 for release in widths}
    holds = CONDITIONS.get(condition, lambda x, h, c: True)
    present = (lambda x, h, c: holds(x, h, c) and x is not None) if "(x)" in number else holds
    return wide, present


def numbers_of(need, holds, rows):
    kind, name = need
    own = [{"x": x, "h": h + 1}.get(name, 0) for x, h, c in rows if holds(x, h, c)]  # codes
    return len(own) if kind == "count" else sum(own)


def brute(batch, others):
    """The most joint answers of one person's row beside others, and which answers they are for each row."""
    own = []
    for widths, holds in batch:
        for release, width in widths.items():
            needs = release.needs(width)
            each = [tuple(numbers_of(need, holds, [row]) for need in needs) for row in RECORDS]
            own.append((release, width, needs, each, set(each), holds))
    most = 0
    for rest in others:
        met = []
        for release, width, needs, each, different, holds in own:
            base = [numbers_of(need, holds, rest) for need in needs]
            bins_met = {
                numbers: release.observe(width, {n: b + one for n, b, one in zip(needs, base, numbers, strict=True)})
                for numbers in different
            }
            met.append([bins_met[numbers] for numbers in each])
        most = max(most, len(set(zip(*met, strict=True))))
    return most


SOME = [(), *((row,) for row in RECORDS), *(Random(1).choices(RECORDS, k=3 + k % 3) for k in range(200))]


def counted(batch, **given):
    return replace(Prices(dataset()), **given).count(union(widths for widths, _ in batch))


def drawn(seed, numbers):
    random = Random(seed)
    specs = {(random.choice(numbers), random.choice(list(CONDITIONS))): random.choice((1, 2, 3)) for _ in range(3)}
    if seed % 4 == 0:
        specs["SUM(h)", ""] = random.choice((1, 2))
    return [planned(*spec, width) for spec, width in sorted(specs.items())]


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize(("numbers", "share"), [(NUMBERS, 20), (SUMS, 10)], ids=["means", "sums"])
def test_random_batches(numbers, share, part):
    """Never charged too little. With counts and means mostly what is possible; sums alone do not say who counts.

    Without signatures that is rare.
    """
    equal = before = 0
    for seed in range(40 * part, 40 * part + 40):
        batch = drawn(seed, numbers)
        most, charged = brute(batch, SOME), counted(batch)
        assert charged >= most, (seed, charged, most)
        equal, before = equal + (charged == most), before + (counted(batch, signatures=False) == most)
    assert equal > share > before


WIDE = {"age": nl.Integer(0, 90), "hours": nl.Integer(0, 80), "c": nl.Category(*"abcdefgh"), "g": nl.Public("n", "s")}
AT_LEAST = [f"SELECT COUNT(*) FROM t WHERE age >= {k} AND hours >= 40" for k in (10, 20, 30, 40, 50)]
BUCKETS = [f"SELECT COUNT(*) FROM t WHERE age BETWEEN {10 * k} AND {10 * k + 9}" for k in range(1, 8)]
CROSSED = [
    f"SELECT COUNT(*) FROM t WHERE c = '{c}' AND hours BETWEEN {k} AND {k + 9}" for c in "ab" for k in (0, 10, 20)
]
WANTED = [
    ([f"SELECT COUNT(*) FROM t WHERE c = '{c}'" for c in "bcd"], {}, 4, 7),
    (BUCKETS, {}, 8, 15),
    (CROSSED, {}, 7, 64),
    (AT_LEAST, {}, 6, 32),
    ([f"SELECT AVG(hours) FROM t WHERE c = '{c}'" for c in "abc"], {"bits": 2}, 10, 64),
]


def people():
    rows = [(age, hours, c, g) for age in (5, 35, 85) for hours in (5, 60) for c in "ab" for g in "ns"]
    return pd.DataFrame(rows, columns=["age", "hours", "c", "g"])


@pytest.mark.parametrize(("sqls", "terms", "wanted", "before"), WANTED, ids=[str(wanted) for *_, wanted, _ in WANTED])
def test_wanted(sqls, terms, wanted, before):
    """What the ledger charges for a batch, for one SELECT with the same numbers, and that a person attains it."""
    curator = nl.Curator.open(people(), nl.Schema(WIDE), budget=60, table="t", store=":memory:")
    batch = curator.batch(sqls, **terms)
    assert batch.count == batch.factor == curator.sequence.spent() == wanted
    prices = Prices(curator._dataset)
    widths = union(answer.widths for answer in batch)
    assert replace(prices, signatures=False).count(widths) == before
    parts = [(sql.split(" FROM")[0][7:], sql.split("WHERE ")[1]) for sql in sqls]
    one = "SELECT " + ", ".join(f"{number} FILTER (WHERE {where}) AS n{i}" for i, (number, where) in enumerate(parts))
    again = nl.Curator.open(people(), nl.Schema(WIDE), budget=60, table="t", store=":memory:")
    answer = again.ask(f"{one} FROM t", **({"bits": 3.4} if terms else {}))
    assert answer.guarantee.count == answer.factor == wanted
    assert answer.certificate.content["rule"][-1] == "H"
    assert "rule H" in answer.guarantee.statement
    assert nl.verify(answer.certificate).count == wanted
    groups = again.ask(f"SELECT g, {one[7:]} FROM t GROUP BY g", **({"bits": 3.4} if terms else {}))
    assert groups.guarantee.count == wanted
    assert nl.verify(groups.certificate).count == wanted
    assert attained(widths) == wanted


def attained(widths):
    """The most joint answers over all rows, beside others who leave the sums at several places in their bins."""
    rows = [{"age": age, "hours": hours, "c": c} for age, hours, c in product(range(91), range(81), range(8))]
    conditions = dict.fromkeys(release.part.condition for release in widths)
    different = {(row["hours"], *(truth(each, row) for each in conditions)) for row in rows}
    most = 0
    for shift in (0, 1, 26, 39, 40):
        met = set()
        for hours, *truths in different:
            holds = dict(zip(conditions, truths, strict=True))
            answers = []
            for release, width in widths.items():
                counts = holds[release.part.condition]
                numbers = {
                    need: int(counts) if need[0] == "count" else shift + counts * hours for need in release.needs(width)
                }
                answers.append(release.observe(width, numbers))
            met.add(tuple(answers))
        most = max(most, len(met))
    return most


def truth(condition, row):
    parts = getattr(condition, "parts", None)
    if parts is not None:
        return all(truth(part, row) for part in parts)
    return any(first <= row[condition.column] <= last for first, last in condition.ranges)


@pytest.mark.parametrize("seed", range(12))
def test_the_checker_counts_the_same(seed):
    """Random numbers in one SELECT: the certificate verifies, and the checker finds the same count by itself."""
    random = Random(seed)
    chosen = [random.choice([*SUMS, "SUM(x * h)", "MAX(h)", "VAR_POP(h)", "COUNT(DISTINCT c)"]) for _ in range(3)]
    items = [f"{number} FILTER (WHERE {random.choice(list(CONDITIONS))}) AS n{i}" for i, number in enumerate(chosen)]
    sql = f"SELECT {', '.join(items)} FROM t" + " WHERE g = 'n'" * (seed % 2)
    curator = nl.Curator.open(table(), dataset().schema, budget=60, table="t", store=":memory:")
    terms = {"bits": 9} if seed % 3 else {"error": 1}
    if not seed % 3 and any("AVG" in number for number in chosen):
        terms = {"error": 1, "max_bits": 30}
    answer = curator.ask(sql, **terms)
    assert nl.verify(answer.certificate).count == answer.guarantee.count


def table():
    rows = [(*RECORDS[(7 * place) % len(RECORDS)], "ns"[place % 2]) for place in range(20)]
    return pd.DataFrame(rows, columns=["x", "h", "c", "g"])


def test_a_certificate_without_signatures_still_verifies():
    """As written before this rule: the count of the other rules, and their names."""
    curator = nl.Curator.open(people(), nl.Schema(WIDE), budget=60, table="t", store=":memory:")
    sql = "SELECT COUNT(*) FILTER (WHERE c = 'a') AS a, COUNT(*) FILTER (WHERE c = 'b') AS b FROM t"
    content = curator.ask(sql).certificate.content
    assert (content["count"], content["rule"]) == ("3", ["head count", "A", "D", "G", "H"])
    assert check_answer({**content, "count": "4", "rule": ["head count", "A", "D", "G"]}) == 3
    for wrong in ({"rule": ["head count", "A", "D", "G"]}, {"count": "2"}, {"rule": ["head count", "H"]}):
        with pytest.raises(WrongCertificateError):
            check_answer({**content, **wrong})


def test_after_earlier_answers():
    """What a batch can still tell someone whose value is known to lie in a bin, for every bin of the first answer."""
    sums = planned("SUM(h)", "", 2)
    for batch in (
        [planned("COUNT(*)", "c = 'a'", 1), planned("AVG(h)", "c = 'b'", 1), planned("COUNT(*)", "h >= 1", 1)],
        [planned("SUM(h)", "c = 'a'", 1), planned("SUM(h)", "c <> 'a'", 1), planned("COUNT(*)", "x > 0", 1)],
    ):
        prices = Prices(dataset())
        question = prices.questions([widths for widths, _ in batch])['["n"]']
        left = {"x": 4, "h": 2, "c": 4}  # a plain sum in bins of 2 leaves two codes of h
        assert question.factor(left) >= known(sums, batch)
        assert question.factor(left) <= question.factor(prices.values())
        wrong = min(question.factor(left), max(left["h"], 2))  # only what is left of the column that is summed
        assert wrong < known(sums, batch)


def known(first, batch):
    """The most answers of a batch for those with one and the same first answer."""
    most = 0
    for rest in SOME[:60]:
        for start in range(4):
            sub = [r for r in RECORDS if (r[1] + 1 + sum(h + 1 for _, h, _ in rest)) // 2 == start]
            met = set()
            for row in sub:
                answers = []
                for widths, holds in batch:
                    for release, width in widths.items():
                        numbers = {need: numbers_of(need, holds, [*rest, row]) for need in release.needs(width)}
                        answers.append(release.observe(width, numbers))
                met.add(tuple(answers))
            most = max(most, len(met))
    return most


def forget():
    """What was counted before a rule is changed."""
    signatures.kinds_of_rows.cache_clear()
    signatures.most_of_rows.cache_clear()


def test_too_many_classes_are_counted_by_the_other_rules(monkeypatch):
    batch = [planned("COUNT(*)", f"c = '{c}'", 1) for c in "ab"]
    assert counted(batch) == 3
    forget()
    monkeypatch.setattr(classes, "MOST_CLASSES", 2)
    assert counted(batch) == counted(batch, signatures=False) == 4
    forget()


def test_comparisons_that_are_not_listed_may_come_out_in_any_way(monkeypatch):
    """Each doubles the signatures, the same one and its opposite only once."""
    both = [planned("COUNT(*)", "x > h", 1), planned("COUNT(*)", "h >= 1", 1)]
    twice = [*both, planned("COUNT(*)", "NOT (x <= h)", 1)]
    forget()
    monkeypatch.setattr(classes, "LISTED", 1)
    assert counted(both) == 4 >= brute(both, SOME)
    assert counted(twice) == 4 >= brute(twice, SOME)
    forget()


def narrow(self, pieces):
    found = HONEST(self, pieces)
    return found._replace(span=found.number - 1)


def complemented(self, condition):
    if isinstance(condition, Not):
        true, _ = self.truth(condition.part)
        return self._all & ~true, true
    return TRUTH(self, condition)


def finest(kind, addends, reads):
    """F across conditions: only the sum with the narrowest bins of a column counts."""
    narrowest = {}
    for place in kind[0]:
        name = addends[place].name
        narrowest[name] = min(place, narrowest.get(name, place), key=lambda p: addends[p].width)
    return MOVED((tuple(narrowest.values()), kind[1]) if kind[0] else kind, addends, reads)


HONEST, TRUTH, MOVED = classes.Axis.codes, classes.Classes.truth, signatures._moved
WRONG = {
    "span is the number of codes less one": (
        (classes.Axis, "codes", narrow),
        [planned("SUM(h)", "h IN (-1, 0, 2)", 2), planned("COUNT(*)", "h IN (-1, 0, 2)", 1)],
    ),
    "a negation is the same fact": (
        (classes.Classes, "truth", complemented),
        [planned("COUNT(*)", "NOT (x > 0 AND h >= 1)", 1), planned("COUNT(*)", "x > 0 AND h >= 1", 1)],
    ),
    "the finest of different conditions": (
        (signatures, "_moved", finest),
        [planned("AVG(h)", "c = 'a'", 2), planned("AVG(h)", "c <> 'b'", 2)],
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_ways_are_caught(what, monkeypatch):
    place, batch = WRONG[what]
    forget()
    assert counted(batch) >= brute(batch, SOME)
    forget()
    monkeypatch.setattr(*place)
    assert counted(batch) < brute(batch, SOME)
    forget()


def test_a_bound_holds_whatever_is_known():
    """The smaller of both, and a batch with a bound multiplies with others."""
    q = asked_together
    two = (q.OtherQuestion(("x",), 2), q.OtherQuestion(("x", "h"), 4))
    bounded = q.Together(two, 5)
    assert q.Together(two).factor({"x": 4, "h": 4}) == 8
    assert bounded.factor({"x": 4, "h": 4}) == 5
    assert bounded.factor({"x": 1, "h": 4}) == 4
    assert q.Together((bounded, q.OtherQuestion(("c",), 3))).factor({"x": 4, "h": 4, "c": 9}) == 15
    with pytest.raises(nl.CompositionError, match="nested"):
        q.Together((q.Together(two),))
    with pytest.raises(nl.CompositionError, match="most"):
        q.Together(two, 0)
