"""The same codes, integers, answers and certificates from every engine, to the last bit."""

from __future__ import annotations

import random
import struct
from datetime import UTC, date, datetime
from decimal import Decimal
from math import inf, nan

import ibis
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.engines.templates import translated
from noiseless.curator.sources import codes as codes_home
from tests.curator.small import OTHERS, RAW, SCHEMA, TYPES, bought, rows_of, shown, table
from tests.laws.test_curator_laws import QUESTIONS

SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e-310, 1.7976931348623157e308, -1e308, nan, inf, -inf, None]
DATES = [date(1, 1, 1), date(9999, 12, 31), date(1969, 12, 31), date(1970, 1, 1), date(2024, 2, 29), None]
HOSTILE = nl.Schema(
    height=nl.Real(100, 250, step="0.1", missing=100),
    tiny=nl.Real(0, 1, step="0.25", missing="apart"),
    wide=nl.Real(-(10**300), 10**300, step=10**299, missing=0),
    single=nl.Real(-5, 5, step="0.001", missing="apart"),
    long=nl.Real(-(10**6), 10**6, step="0.01", missing=-(10**6)),
    short=nl.Real(-100, 100, step="0.05", missing=100),
    large=nl.Integer(-(2**40), 2**40, missing=-(2**40)),
    small=nl.Integer(0, 100, step=5, missing="apart"),
    born=nl.Date("1900-01-01", "2030-12-31", missing="apart"),
    seen=nl.Date("2023-12-30", "2024-01-05", step=2, missing="2023-12-30"),
    heard=nl.Date("2023-12-30", "2024-01-05", missing="2024-01-01"),
    word=nl.Category("", " ", "ß", "ü", "u\u0308", "𝔘", "it's", 'say "yes"', "a\\b", "%s", missing="none", other="*"),
    rank=nl.Category(1, 2, 300, missing=300, other=2),
    grade=nl.Category(1, 2, missing=9, other=8),
    level=nl.Category("1", "2.5", missing="none", other="else"),
    well=nl.Boolean(missing="apart"),
    flag=nl.Boolean(missing=False),
    place=nl.Public("n", "ü", "s'", other="other"),
    open=nl.Public(True, False),
)


def hostile(rows: int) -> pa.Table:
    """Values at the edges of everything, and many at random, among them the decimals that floor alone gets wrong."""
    draw = random.Random(7)
    words = ["", " ", "ß", "ü", "u\u0308", "𝔘", "it's", 'say "yes"', "a\\b", "%s", "Ü", "x" * 300, None]

    def bits() -> float:
        return struct.unpack("<d", draw.randbytes(8))[0]

    def some(values, other):
        return [values[i] if i < len(values) else other() for i in range(rows)]

    def moments() -> datetime:
        return datetime(2023, 12, 29, tzinfo=UTC).replace(hour=draw.randrange(24), day=draw.randrange(29, 32))

    columns = {
        "height": (pa.float64(), some([*SPECIAL, 100.05, 249.95], lambda: draw.randrange(900, 2600) / 10)),
        "tiny": (pa.float64(), some([*SPECIAL, 0.125, 0.375, 0.12499999999999999], lambda: draw.random() * 1.2 - 0.1)),
        "wide": (pa.float64(), some(SPECIAL, bits)),
        "single": (pa.float32(), some([x for x in SPECIAL if x is None or abs(x) != 1e308], lambda: draw.gauss(0, 3))),
        "long": (
            pa.decimal128(38, 20),
            some([None], lambda: Decimal(draw.randrange(-(10**27), 10**27)).scaleb(-20)),
        ),
        "short": (pa.decimal128(6, 3), some([None], lambda: Decimal(draw.randrange(-120000, 120000)).scaleb(-3))),
        "large": (pa.int64(), some([2**63 - 1, -(2**63), 2**53 + 1, None], lambda: draw.randrange(-(2**41), 2**41))),
        "small": (pa.int8(), some([-128, 127, None], lambda: draw.randrange(-20, 120))),
        "born": (pa.date32(), some(DATES, lambda: date(1890 + draw.randrange(150), 1 + draw.randrange(12), 5))),
        "seen": (pa.timestamp("us"), some([datetime(1, 1, 1), None], lambda: moments().replace(tzinfo=None))),
        "heard": (pa.timestamp("us", tz="UTC"), some([datetime(1970, 1, 1, tzinfo=UTC), None], moments)),
        "word": (pa.string(), some(words, lambda: draw.choice(words))),
        "rank": (pa.int16(), some([None], lambda: draw.choice([1, 2, 3, 300, -1]))),
        "grade": (pa.float64(), some([None, nan, inf, 1.0, 2.5, -0.0], lambda: draw.choice([1.0, 2.0, 3.0]))),
        "level": (pa.decimal128(6, 2), some([None], lambda: Decimal(draw.choice(["1.00", "2.50", "3.00"])))),
        "well": (pa.bool_(), some([None], lambda: draw.random() < 0.5)),
        "flag": (pa.int32(), some([None, 0, 1, 2, -1], lambda: draw.randrange(2))),
        "place": (pa.string(), some(["N", ""], lambda: draw.choice(["n", "ü", "s'", "elsewhere", None]))),
        "open": (pa.bool_(), some([], lambda: draw.random() < 0.5)),
    }
    return pa.table({name: pa.array(values, kind) for name, (kind, values) in columns.items()})


def private(curator: nl.Curator) -> tuple:
    """The codes in any order, the custodian's counts, what is public, and how far values were rounded."""
    dataset, engine = curator._dataset, curator._dataset.engine
    rows = sorted(engine.fetch(engine.table("codes")), key=str)
    return (
        rows,
        curator.check().findings,
        dataset.cells,
        dataset.sizes,
        [*map(dataset.rounding, dataset.schema.private)],
    )


@pytest.fixture(scope="module")
def expected():
    with nl.Curator.open(hostile(400), HOSTILE, 60, table="t", store=":memory:") as curator:
        return private(curator)


def test_the_same_codes_of_hostile_values(way, expected):
    with way.open(hostile(400), HOSTILE) as curator:
        assert private(curator) == expected


@pytest.mark.parametrize("special", [nan, inf, -inf, None, 5e-324, -5e-324, 1e308, -1e308])
def test_one_special_value_among_plain_ones(way, special):
    """Statistics of the others must not decide about it: those of a parquet file do not know of NaN."""
    column = nl.Real(0, 10, step=1, missing=7)
    kinds = {"d": pa.float64(), "f": pa.float32()}
    values = {"d": [1.0, 2.0, special], "f": [1.0, 2.0, special if special is None or abs(special) != 1e308 else 9e9]}
    table = pa.table({name: pa.array(values[name], kind) for name, kind in kinds.items()})
    with way.open(table, nl.Schema(d=column, f=column)) as curator:
        found = private(curator)[0]
        assert found == sorted(zip(*([by_hand(column, x) for x in values[n]] for n in "df"), strict=True), key=str)


def by_hand(column: nl.Real, value: float | None) -> int | None:
    """The definition, in Python."""
    if value is None or value != value or abs(value) == inf:
        return column.missing_code
    low, high, step = (float(each) for each in (column.low, column.high, column.step))
    return int((min(max(value, low), high) - low) / step + 0.5)


def test_the_codes_are_those_of_the_definition(expected):
    values = hostile(400).to_pydict()
    for place, name in enumerate(HOSTILE.private):
        column = HOSTILE.columns[name]
        if name in ("height", "tiny", "wide", "single", "long", "short", "large", "small"):
            wanted = [by_hand(column, None if value is None else float(value)) for value in values[name]]
            assert sorted(map(str, (row[place] for row in expected[0]))) == sorted(map(str, wanted)), name


def certificate(answer: nl.Answer) -> dict:
    """All of it but the random id of the dataset and the hashes of entries, which contain the id and the time."""
    content = dict(answer.certificate.content)
    steps = [without_hashes(step) for step in content.get("steps", [])]
    return content | {"dataset": "", "id": "", "ledger": without_hashes(content["ledger"]), "steps": steps}


def without_hashes(entry: dict) -> dict:
    return {name: "" if name.endswith("hash") else value for name, value in entry.items()}


def asked(curator: nl.Curator) -> list:
    found = []
    for _, question, options in QUESTIONS:
        answer = bought(curator, question, **({"error": 30} if "error" in options else options))
        found.append((shown(answer), answer.factor, answer.guarantee.count, certificate(answer)))
    return found


@pytest.fixture(scope="module")
def small():
    """The small table of the laws, with many people in it, each with something unusual."""
    return table([*(row for name in RAW for row in rows_of(name)), *OTHERS[-1]])


@pytest.fixture(scope="module")
def answers(small):
    with nl.Curator.open(small, SCHEMA, 9000, table="t", store=":memory:") as curator:
        return asked(curator)


def test_the_same_answers_and_certificates_to_every_kind_of_question(way, small, answers):
    with way.open(small, SCHEMA) as curator:
        assert asked(curator) == answers


def test_refinements_and_batches_are_the_same(way, small):
    def found(curator):
        coarse = curator.ask("SELECT g, AVG(h) FROM t GROUP BY g", bits=1)
        fine = curator.refine(coarse, error="0.6")
        together = curator.batch(["SELECT AVG(h) FROM t", "SELECT MAX(a) FROM t WHERE b"], bits=2)
        return [shown(coarse), shown(fine), fine.factor, [shown(each) for each in together]]

    with nl.Curator.open(small, SCHEMA, 9000, table="t", store=":memory:") as here, way.open(small, SCHEMA) as there:
        assert found(there) == found(here)


def test_nobody(way):
    """An empty table, and groups without anybody."""
    with way.open(TYPES.empty_table(), SCHEMA) as curator:
        assert curator.public() == []
        assert curator.check().rows == 0
        for _, question, options in QUESTIONS[:8]:
            curator.ask(question, **options)


UNIT = {"unit": "who", "rows": 2}
VISITS = pa.table(
    {
        "who": pa.array([1, 1, 1, 2, 2, 2, None, None], pa.int64()),
        "when": ["b", "B", "ä", "10", "9", " ", "Z", "a"],
        "visit": pa.array([3, 1, 2, 30, 10, 20, 7, 8], pa.int32()),
        "time": [datetime(2024, 1, 1, 9, 30, second, 999) for second in (3, 1, 2, 30, 10, 20, 7, 8)],
        "cost": [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 99.0],
    }
)


@pytest.mark.parametrize("order", ["when", "visit", "time"])
def test_the_same_rows_of_a_person_are_kept(way, order):
    """Texts in the order of their bytes: a server's language would put b before B."""
    schema = nl.Schema({"cost": nl.Integer(0, 100), order: nl.Public()}, **UNIT, order_by=order)
    wanted = [2, 1, 32, 8, 64, 99] if order == "when" else [2, 4, 16, 32, 64, 99]
    with way.open(VISITS, schema) as curator:
        assert sorted(row[0] for row in private(curator)[0]) == sorted(wanted)
        assert curator.ask("SELECT SUM(cost) FROM t", error=1000).per_row is not None


def test_places_that_are_not_one_are_refused(way):
    visits = VISITS.append_column("twice", pa.array([1, 1, 2, 1, 2, 3, 1, 2]))
    with pytest.raises(nl.SchemaError, match="must order the rows"):
        way.open(visits, nl.Schema({"cost": nl.Integer(0, 100), "twice": nl.Public()}, **UNIT, order_by="twice"))


def test_nothing_overflows(way):
    """The largest sums and sums of squares that are not refused, and refusals before anything is summed."""
    top = 3 * 10**8
    with way.open(pa.table({"x": [0, top] * 50}), nl.Schema(x=nl.Integer(0, top))) as curator:
        assert curator.ask("SELECT VAR_POP(x) FROM t", bits=80).rows[0].upper == (top / 2) ** 2
        assert curator.ask("SELECT SUM(x) FROM t", bits=40).rows[0].upper == 50 * top
    wide = way.open(pa.table({"x": [0, 2 * top] * 50}), nl.Schema(x=nl.Integer(0, 2 * top)))
    with wide, pytest.raises(nl.QuestionError, match="too fine for a variance"):
        wide.ask("SELECT VAR_POP(x) FROM t", bits=80)
    with pytest.raises(nl.SchemaError, match="exceed 2\\^63"):
        way.open(pa.table({"x": [1.0] * 300000}), nl.Schema(x=nl.Real(0, 2**45, step=1)))


def test_what_is_wrong_would_be_seen(way, expected, monkeypatch):
    """Codes by plain floor differ in every engine."""

    def floored(column, source, texts, double, kind):
        sides = codes_home._sides(column, source, texts, double, codes_home.lowest_inside(column))
        place = (sides.offset / codes_home._constant(column.step)).floor().cast("int64")
        absent = ibis.null("int64") if column.missing_code is None else ibis.literal(column.missing_code, "int64")
        return ibis.cases((sides.inside, place), (sides.above, column.top), (sides.below, 0), else_=absent)

    monkeypatch.setattr(codes_home, "_coded_number", floored)
    translated.cache_clear()  # of the right codes, and then of the wrong ones
    with way.open(hostile(400), HOSTILE) as curator:
        assert private(curator)[0] != expected[0]
    translated.cache_clear()
