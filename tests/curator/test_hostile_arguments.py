"""Whatever is given as an argument: an error of our own tree, before anything is charged."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from math import inf, nan

import pandas as pd
import pytest

import noiseless as nl

SCHEMA = nl.Schema(
    x=nl.Real(0, 10, step="0.1"),
    y=nl.Integer(0, 5, missing="apart"),
    s=nl.Category("no", "yes"),
    g=nl.Public("n", "s"),
)
TABLE = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1, 2, 3], "s": ["no", "yes", "no"], "g": ["n", "n", "s"]})
SURROGATE, NUL, LONG = "a\ud800b", "a\x00b", "a" * 100_000
MEAN = "SELECT AVG(x) FROM t"


@pytest.fixture(scope="module")
def opened():
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t", quotas={"*": 50}) as curator:
        yield curator


@pytest.fixture
def curator(opened):
    """One that nobody manages to ask anything."""
    yield opened
    assert [entry.kind for entry in opened.entries()] == ["open"]


BIG = " * ".join(["1e250"] * 60)
SIZES = {
    "a product": "SELECT COUNT(*)*1e3000*1e3000 FROM t",
    "many factors": f"SELECT COUNT(*)*{BIG} FROM t",
    "small ones": f"SELECT COUNT(*)*{BIG.replace('e', 'e-')} FROM t",
    "quotients": f"SELECT COUNT(*)/{BIG.replace(' * ', ' / ')} FROM t",
    "a sum of fractions": "SELECT " + " + ".join(f"COUNT(*)/{10**90 + k}" for k in range(150)) + " FROM t",
    "a constant": "SELECT COUNT(*)*1e401 FROM t",
    "a small constant": "SELECT COUNT(*)*1e-401 FROM t",
    "digits": f"SELECT COUNT(*)*{'7' * 500} FROM t",
    "digits after the point": f"SELECT COUNT(*)*0.{'7' * 500} FROM t",
    "an endless exponent": "SELECT COUNT(*)*1e999999999 FROM t",
    "a longer one": "SELECT COUNT(*)*1e-999999999999999999999999 FROM t",
    "where": "SELECT COUNT(*) FROM t WHERE x > 1e3000",
    "in": "SELECT COUNT(*) FROM t WHERE x IN (1, 1e-4000)",
    "between": "SELECT COUNT(*) FROM t WHERE x BETWEEN 0 AND 1e999999999",
    "where negative": "SELECT COUNT(*) FROM t WHERE x > -1e3000",
    "having": "SELECT g, COUNT(*) FROM t GROUP BY g HAVING COUNT(*)*1e200*1e200 > 1e3000",
    "having grown": f"SELECT g, COUNT(*) FROM t GROUP BY g HAVING COUNT(*)*{BIG} > 1",
    "order": f"SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY COUNT(*)*{BIG}",
    "order by place": "SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY 1e4000",
    "limit": "SELECT g, COUNT(*) FROM t GROUP BY g LIMIT 1e4000",
    "quantile": "SELECT QUANTILE(x, 1e-4000) FROM t",
    "quantile digits": f"SELECT QUANTILE(x, 0.{'1' * 1000}) FROM t",
    "nodes": "SELECT " + "+".join(["COUNT(*)"] * 1500) + " FROM t",
    "names of names": f"SELECT {'+'.join(['COUNT(*)'] * 100)} AS n FROM t HAVING {'+'.join(['n'] * 100)} > 1",
}


@pytest.mark.parametrize("sql", SIZES.values(), ids=SIZES)
def test_numbers_that_grow_are_refused_before_they_are_charged(curator, sql):
    with pytest.raises(nl.QuestionError, match=r"[;:] |, such as"):
        curator.ask(sql, bits=3)
    with pytest.raises(nl.QuestionError):
        curator.preview(sql, bits=3)
    with pytest.raises(nl.QuestionError):
        curator.batch([sql], bits=3)


REASONABLE = [
    "SELECT AVG(x)*1e100*1e100/1e-100 FROM t",
    "SELECT 100.0*SUM(y)/COUNT(*) - AVG(y)/COUNT(y) + STDDEV_POP(x)*VAR_POP(x) FROM t",
    f"SELECT SUM(x)*0.{'3' * 200} FROM t",
    "SELECT QUANTILE(x, 0.123456789) FROM t LIMIT 1000000000000000000000",
    "SELECT " + "+".join(["COUNT(*)"] * 90) + " FROM t",
    "SELECT AVG(x)*1e300*1e300*1e300 FROM t",
]


@pytest.mark.parametrize("sql", REASONABLE)
def test_numbers_of_any_reasonable_size_are_answered_and_shown(sql):
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as curator:
        answer = curator.ask(sql, bits=12)
        assert answer.to_arrow().num_rows == 1
        assert answer._repr_html_()
        assert nl.verify(answer.certificate)


NUMBERS = [
    10**5000,
    -(10**5000),
    Fraction(1, 10**5000),
    Fraction(10**5000, 3),
    Decimal("1e-6000"),
    "1" * 5000,
    "0." + "1" * 5000,
    "1e999999999",
    "1e-99999999999999999999",
    "1/0",
    nan,
    inf,
    -inf,
    -1,
    "x",
    "",
    SURROGATE,
    NUL,
    True,
    object(),
    [1],
    {"x": 1},
    b"1",
    1 + 2j,
]


class Loud:
    """What it is called may be private, or may not be had at all."""

    def __repr__(self) -> str:
        raise RuntimeError("a private value")

    __str__ = __repr__


@pytest.mark.parametrize("number", [*NUMBERS, Loud()], ids=[str(place) for place in range(len(NUMBERS) + 1)])
@pytest.mark.parametrize("name", ["bits", "error", "max_bits"])
def test_numbers_that_are_none(curator, name, number):
    given = {name: number} if name != "max_bits" else {"bits": 2, "max_bits": number}
    tiny = name == "error" and number in (Fraction(1, 10**5000), Decimal("1e-6000"))
    with pytest.raises(nl.NoiselessError):
        curator.ask(MEAN, **given)
    with pytest.raises(nl.NoiselessError):
        curator.batch([MEAN], **given)
    if name != "max_bits" and not tiny:
        with pytest.raises(nl.NoiselessError):
            curator.preview(MEAN, **given)


@pytest.mark.parametrize("number", [*NUMBERS, Loud()], ids=[str(place) for place in range(len(NUMBERS) + 1)])
def test_budgets_and_bounds_that_are_none(number):
    with pytest.raises(nl.NoiselessError):
        nl.Curator.open(TABLE, SCHEMA, budget=number, table="t")
    with pytest.raises(nl.NoiselessError):
        nl.Curator.open(TABLE, SCHEMA, budget=5, quotas={"*": number}, table="t")
    with pytest.raises(nl.NoiselessError):
        nl.Schema(x=nl.Real(0, 10, step=number))
    with pytest.raises(nl.NoiselessError):
        nl.Schema(x=nl.Real(0, number, step=number))
    with pytest.raises(nl.NoiselessError):
        nl.Schema(x=nl.Integer(0, 10, missing=number))
    with pytest.raises(nl.NoiselessError):
        nl.Schema(SCHEMA.columns, d=nl.Public(), unit="u", order_by="d", rows=number)


TEXTS = [SURROGATE, NUL, LONG, "\ud800", "\x00"]
QUESTIONS = [
    None,
    b"SELECT COUNT(*) FROM t",
    5,
    [],
    Loud(),
    *TEXTS,
    *[f'SELECT COUNT(*) AS "{text}" FROM t WHERE x > 1' for text in TEXTS],
    *[f"SELECT COUNT(*) FROM t WHERE s = '{text}'" for text in TEXTS],
    *[f'SELECT COUNT(*) FROM t WHERE "{text}" = 1' for text in TEXTS],
    *[f'SELECT COUNT(*) FROM "{text}"' for text in TEXTS],
    *[f"SELECT COUNT(*) FROM t WHERE x > 1 -- {text}" for text in TEXTS],
    "SELECT COUNT(*) FROM t WHERE " + "(" * 5000 + "x > 1" + ")" * 5000,
]


@pytest.mark.parametrize("question", QUESTIONS, ids=[str(place) for place in range(len(QUESTIONS))])
def test_questions_that_are_none(curator, question):
    for call in (curator.ask, curator.preview, lambda given: curator.batch([given])):
        with pytest.raises(nl.InputError) as caught:
            call(question)
        str(caught.value).encode()  # it can be shown wherever it goes
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "analyst", [5, b"alice", "", ["a"], Loud(), *TEXTS], ids=lambda analyst: type(analyst).__name__
)
def test_analysts_that_are_none(curator, analyst, tmp_path):
    if analyst == "":
        return  # nobody in particular
    for call in (
        lambda: curator.ask(MEAN, bits=1, analyst=analyst),
        lambda: curator.batch([MEAN], bits=1, analyst=analyst),
        lambda: curator.release(tmp_path / "copy.csv", bits=9, analyst=analyst),
        lambda: nl.Curator.open(TABLE, SCHEMA, budget=9, table="t", analyst=analyst),
    ):
        with pytest.raises(nl.InputError, match="analyst"):
            call()
    if not isinstance(analyst, list):
        with pytest.raises(nl.InputError):
            nl.Curator.open(TABLE, SCHEMA, budget=9, table="t", quotas={analyst: 4})


@pytest.mark.parametrize("batch", [None, 5, MEAN, MEAN.encode(), [None], [5], [[MEAN]], [], repeat(MEAN), Loud()])
def test_batches_that_are_none(curator, batch):
    with pytest.raises(nl.QuestionError):
        curator.batch(batch, bits=1)


def test_what_cannot_be_refined_or_recalled(curator):
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as other:
        answer = other.ask(MEAN, bits=1)
        for given in (None, MEAN, 5, answer, other.batch([MEAN], bits=1), Loud()):
            with pytest.raises(nl.InputError):
                curator.refine(given, error=1)
        for error in NUMBERS:
            with pytest.raises(nl.NoiselessError):
                other.refine(answer, error=error)
        for entry in ("x", None, 10**5000, -1, 1.0, True, SURROGATE, Loud(), 99):
            with pytest.raises(nl.QuestionError):
                other.recall(entry)
        for place in ("x", None, 10**5000, -1, 0.0, Loud(), 1):
            with pytest.raises(nl.QuestionError):
                other.recall(answer.entry, place)
        assert other.recall(answer.entry, 0).rows == answer.rows


PATHS = [SURROGATE + ".csv", NUL + ".csv", LONG + ".csv", "/".join(["d" * 200] * 500) + ".csv", "x/" * 3000 + "t.csv"]


@pytest.mark.parametrize("path", PATHS, ids=["surrogate", "NUL", "long", "deep", "deeper"])
def test_paths_that_are_none(curator, path, tmp_path):
    csv = tmp_path / "t.csv"
    TABLE.to_csv(csv, index=False)
    toml = path.replace(".csv", ".toml")
    for call in (
        lambda: nl.Curator.open(path, SCHEMA, budget=9),
        lambda: nl.Curator.open(path.replace(".csv", ".parquet"), SCHEMA, budget=9),
        lambda: nl.Curator.open(toml),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=path, ledger=tmp_path / "ledger.sqlite"),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=tmp_path / "codes.duckdb", ledger=path),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, key=path),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, table=path),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, version=path),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, memory=path),
        lambda: curator.release(path, bits=9),
        lambda: nl.verify(path),
        lambda: nl.audit(path, quasi=["x"]),
    ):
        with pytest.raises(nl.NoiselessError) as caught:
            call()
        str(caught.value).encode()
        assert len(str(caught.value)) < 1000
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t.csv"]


def test_folders_where_files_belong(curator, tmp_path):
    csv, folder = tmp_path / "t.csv", tmp_path / "folder.csv"
    TABLE.to_csv(csv, index=False)
    folder.mkdir()
    (tmp_path / "folder.toml").mkdir()
    for call in (
        lambda: nl.Curator.open(folder, SCHEMA, budget=9),
        lambda: nl.Curator.open(tmp_path / "folder.toml"),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=folder, ledger=tmp_path / "ledger.sqlite"),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=tmp_path / "codes.duckdb", ledger=folder),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=csv / "codes", ledger=tmp_path / "ledger.sqlite"),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, store=tmp_path / "codes.duckdb", ledger=csv / "ledger"),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, key=folder),
        lambda: nl.Curator.open(csv, SCHEMA, budget=9, key=csv / "key"),
        lambda: curator.release(folder, bits=9),
        lambda: curator.release(csv / "copy.csv", bits=9),
        lambda: nl.verify(folder),
        lambda: nl.audit(folder, quasi=["x"]),
    ):
        with pytest.raises(nl.NoiselessError):
            call()


@pytest.mark.parametrize("thing", [5, 1.5, b"t", ["t"], Loud()], ids=lambda thing: type(thing).__name__)
@pytest.mark.parametrize("name", ["store", "ledger", "table", "version", "quotas", "key", "memory"])
def test_things_that_are_no_texts(name, thing):
    with pytest.raises(nl.NoiselessError):
        nl.Curator.open(TABLE, SCHEMA, budget=9, **{"table": "t", name: thing})


@pytest.mark.parametrize("text", TEXTS)
def test_names_that_are_none(text):
    for declare in (
        lambda: nl.Schema({text: nl.Boolean()}),
        lambda: nl.Category("a", text),
        lambda: nl.Category("a", "b", missing=text),
        lambda: nl.Public(text),
        lambda: nl.Public("a", other=text),
        lambda: nl.Schema(SCHEMA.columns, d=nl.Public(), unit=text, order_by="d", rows=3),
    ):
        with pytest.raises(nl.SchemaError) as caught:
            declare()
        str(caught.value).encode()


TOMLS = {
    "digits": "low = " + "1" * 5000,
    "an exponent": "low = 1e999999999999999999999",
    "a large exponent": "low = 1e3999",
    "a text of digits": f'low = "{"1" * 5000}"',
    "nan": "low = nan",
    "a long fraction": "low = 0." + "1" * 5000,
    "a list": "low = [1]",
}


@pytest.mark.parametrize("line", TOMLS.values(), ids=TOMLS)
def test_numbers_in_a_declaration(tmp_path, line):
    toml = tmp_path / "t.toml"
    toml.write_text(f'source = "t.csv"\nbudget = 9\n[columns.x]\nkind = "real"\nhigh = 10\nstep = 1\n{line}\n')
    with pytest.raises(nl.SchemaError):
        nl.Curator.open(toml)
    for field in ("budget", "rows"):
        number = line.removeprefix("low = ")
        columns = '[columns.x]\nkind = "real"\nlow = 0\nhigh = 10\nstep = 1\n[columns.d]\nkind = "public"\n'
        unit = f'[unit]\ncolumn = "u"\norder_by = "d"\nrows = {number if field == "rows" else 2}\n'
        toml.write_text(f'source = "t.csv"\nbudget = {number if field == "budget" else 9}\n{columns}{unit}')
        with pytest.raises(nl.InputError):
            nl.Curator.open(toml)


RELEASES = [
    *[{"bits": number} for number in NUMBERS if not isinstance(number, dict)],
    *[{"bits": {"x": number}, "columns": ["x"]} for number in NUMBERS],
    *[{"error": {"x": number}, "columns": ["x"]} for number in NUMBERS],
    *[{"bits": 9, "columns": thing} for thing in (5, [5], [None], ["x", ["y"]], Loud(), [SURROGATE], {"x": 1, "z": 2})],
    *[{"bits": 9, name: thing} for name in ("grids", "together") for thing in (5, "xy", [5], [("x", 5)], Loud())],
    *[{"bits": 9, "policies": thing} for thing in (5, [5], "x", Loud())],
    *[{"bits": 9, "levels": thing} for thing in (5, {"s": "x"}, {"s": 10**5000}, {"s": -1}, {5: 1}, Loud())],
    *[
        {"bits": 9, "hierarchies": thing}
        for thing in (5, {"s": 5}, {"s": {"no": 5}}, {5: {}}, {"s": {"no": [SURROGATE]}})
    ],
    {"bits": {5: 1}},
    {"bits": {("x",): 1}},
    {"bits": {("x", 5): 1}},
    {"error": 5},
]


@pytest.mark.parametrize("given", RELEASES, ids=[str(place) for place in range(len(RELEASES))])
def test_copies_that_are_none(curator, given, tmp_path):
    with pytest.raises(nl.NoiselessError):
        curator.release(tmp_path / "copy.csv", **given)
    with pytest.raises(nl.NoiselessError):
        curator.preview_release(**given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("to", [None, 5, b"copy.csv", Loud()], ids=lambda to: type(to).__name__)
def test_places_for_copies_that_are_none(curator, to):
    with pytest.raises(nl.InputError):
        curator.release(to, bits=9)
    with pytest.raises(nl.InputError):
        curator.utility(to)
