"""What holds the house together: public names, floors, tests that mirror the rooms, and the lists of CONTRIBUTING."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import noiseless as nl
from noiseless import errors
from noiseless.curator.engines.choose import ENGINES
from noiseless.curator.engines.engine import Engine
from noiseless.curator.releases.centred import Centred
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.cross_table import OfCells
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.tally import Tally
from noiseless.lab.attacks.catalogue import ATTACKS
from noiseless.lab.figures.catalogue import FIGURES
from tests.curator.small import OTHERS, fresh, prepared
from tests.engines import conftest as engines_tried
from tests.engines import ways
from tests.lab import test_figure_numbers as figure_numbers
from tests.laws import test_curator_laws as curator_laws
from tests.laws import test_steps_laws as steps_laws
from tests.laws.information_laws import REAL
from tests.laws.test_information_laws import MUTANTS
from tests.mutants.plan import TESTS

ROOT = Path(__file__).parent.parent
PUBLIC: list[str] = vars(nl)["__all__"]
FLOORS = ("exact", "theory", "privacy", "curator", "lab", "app")
MEASURES = sorted(
    path.stem
    for path in (ROOT / "src/noiseless/theory/information").glob("*.py")
    if re.search(rf"^def {path.stem}\(.*-> (LogRatio|Partition):", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def test_every_public_name_loads():
    for name in PUBLIC:
        assert getattr(nl, name) is not None
    assert set(PUBLIC) <= set(dir(nl))
    assert len(set(PUBLIC)) == len(PUBLIC) > 30


def test_every_public_name_says_what_it_is():
    named = [(name, getattr(nl, name)) for name in PUBLIC if callable(getattr(nl, name))]
    # a dataclass without a docstring gets its signature, an exception its parent's
    assert [name for name, value in named if not value.__doc__ or value.__doc__.startswith(f"{name}(")] == []


def test_the_stub_is_read_whole():
    stub = (ROOT / "src/noiseless/__init__.pyi").read_text(encoding="utf-8")
    assert len(re.findall("^from ", stub, re.MULTILINE)) == len(PUBLIC) - 1


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'randomness'"):
        getattr(nl, "randomness")  # noqa: B009


def test_importing_is_lazy():
    """Nothing heavy is loaded until it is used; the time itself is measured in benchmarks."""
    code = "import sys, noiseless; print({'numpy', 'scipy', 'narwhals', 'typer', 'rich'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


def test_six_floors():
    found = {path.parent.name for path in (ROOT / "src/noiseless").glob("*/__init__.py")}
    assert found == set(FLOORS)


def test_no_file_is_too_long():
    """Over 300 lines a file needs a reason; at 500 it needs to be two."""
    written = [path for folder in ("src", "tests", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in written if len(path.read_text(encoding="utf-8").splitlines()) > 500] == []


def test_error_factories_end_in_error():
    """A function that returns an error says so in its name, unless it reads one."""
    wrong = [
        f"{path.name}: {node.name}"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and re.search(r"Error$|^Problem$", ast.unparse(node.returns or node.args))
        if not node.name.endswith("_error") and node.name not in ("of", "error_of")
    ]
    assert wrong == []


def test_one_tree_of_errors():
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(c, nl.NoiselessError) for c in classes)
    assert all(c.__name__ in (errors.__doc__ or "") for c in classes)
    assert all(hasattr(nl, c.__name__) for c in classes)


def test_measures_were_found():
    assert {"leakage", "maximin_information", "overlap_partition"} < set(MEASURES)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_has_all_its_parts(measure):
    """The list of CONTRIBUTING, 'To add a measure'."""
    assert measure in PUBLIC
    assert (ROOT / f"docs/measures/{measure}.md").exists()
    assert f"measures/{measure}.md" in (ROOT / "docs/index.md").read_text(encoding="utf-8")
    assert (ROOT / f"tests/theory/information/test_{measure}.py").exists()
    assert measure in REAL
    assert measure in MUTANTS
    assert "Source:" in inspect.getdoc(getattr(nl, measure))
    assert ">>>" in inspect.getdoc(getattr(nl, measure))


RESULTS = [
    *("Answer", "Answers", "Audit", "Certificate", "Guarantee", "Microdata", "Preview"),
    *("curator.audit.audit.Sensitive", "curator.audit.difference.Difference", "curator.custodian.OnHold"),
    *("curator.custodian.Request", "curator.designing.against.Way", "curator.designing.base.Base"),
    *("curator.designing.designed.Design", "curator.designing.served.Served", "curator.ledger.entry.Entry"),
    *("privacy.composition.allocate.Purchase", "privacy.composition.batch.Accounting", "theory.time_series.Known"),
]
"""What people get and print."""


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_shown_as_sentences_or_tables(name):
    """Never as a dataclass, which would list its fields."""
    home, _, last = name.rpartition(".")
    shown = getattr(import_module(f"noiseless.{home}") if home else nl, last)
    assert not is_dataclass(shown) or not shown.__dataclass_params__.repr
    assert shown.__repr__ is not object.__repr__


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def rooms(floor: str) -> set[str]:
    """The packages of a floor, by their paths."""
    home = ROOT / "src/noiseless"
    return {str(path.parent.relative_to(home)) for path in (home / floor).rglob("__init__.py")}


def folders_of_tests(floor: str) -> set[str]:
    found = {path.parent for path in (ROOT / "tests" / floor).rglob("test_*.py")}
    return {str(path.relative_to(ROOT / "tests")) for path in found} - {"curator/formats"}


@pytest.mark.parametrize("floor", ["curator", "privacy"])
def test_tests_mirror_the_rooms(floor):
    """Every room with code has tests in the same place; tests of what earlier versions wrote have a folder besides."""
    assert folders_of_tests(floor) == {room for room in rooms(floor) if modules_in(room)}


def modules_in(room: str) -> list[str]:
    return [path.stem for path in (ROOT / "src/noiseless" / room).glob("*.py") if path.stem != "__init__"]


def classes_in(room: str) -> list[type]:
    """Classes that the modules of a room define, and do not only import."""
    modules = [import_module(f"noiseless.{room.replace('/', '.')}.{name}") for name in sorted(modules_in(room))]
    return [
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__ == module.__name__
    ]


def test_every_test_of_the_mutants_is_there():
    assert [path for lists in TESTS.values() for paths in lists for path in paths if not (ROOT / path).exists()] == []


ASKED = [name for name, _ in inspect.getmembers(Release, inspect.isfunction) if not name.startswith("_")]
ABSTRACT = (Release, OfColumn, OfCells, Tally, Centred, RefinedTotal, CopiedRows)
RELEASES: list[Any] = [
    each
    for each in classes_in("curator/releases")
    if all(hasattr(each, name) for name in ASKED) and each not in ABSTRACT
]
"""A refined total is a total in narrower bins, and known as one. Copies are not asked for in SQL."""
ROWS = {
    "total": "`SUM(x)`, `AVG(x)`",
    "function total": "`SUM(f)`, `AVG(f)`, f a function of the row",
    "filtered total": "`SUM(x)` |",
    "filtered mean": "`AVG(x)` |",
    "filtered variance": "the same | | | with `bits=` of at least 1",
    "distinct count": "`COUNT(DISTINCT x)`",
    "interpolated quantile": "`PERCENTILE_CONT`, `QUANTILE_CONT(x, p)`",
    "centred products": "`COVAR_POP`, `COVAR_SAMP`, `CORR`",
    "centred total": "`AVG(x)` | | | with `error=`",
    "centred squares": "`VAR_POP(x)`, `STDDEV_POP(x)`, `VAR_SAMP(x)`",
    "stable level": "the same with `error=`, or anything with `stable=True`",
    "head count": "`COUNT(*)`, `COUNT(x)`",
    "histogram": "`COUNT(*) … GROUP BY s`",
    "cross table": "`COUNT(*) … GROUP BY s, t`",
    "sums of groups": "`SUM(x)`, `AVG(x)` … `GROUP BY s`",
    "variances of groups": "`VAR_POP(x)` and the like … `GROUP BY s`",
    "order statistic": "`MIN`, `MAX`, `MEDIAN(x)`, `QUANTILE(x, p)`",
    "variance": "`VAR_POP(x)`, `STDDEV_POP(x)`, `VAR_SAMP(x)`",
}
"""How a row of docs/sql.md begins that says its count."""


@cache
def words_of_the_checker() -> set[str]:
    """Texts in its code; of old certificates it knows kinds that may no longer be made."""
    checker = (ROOT / "src/noiseless/curator/certificate/checker").glob("*.py")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in checker if path.stem != "format_1"]
    return {str(node.value) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}


@cache
def kinds_judged_by_brute_force() -> set[str]:
    first, *others = OTHERS[-1]
    table = prepared(first, *others)  # nothing was asked before, from which the answer would follow
    asked = [fresh(table, 9000).ask(sql, **given).certificate for _, sql, given in curator_laws.QUESTIONS]
    return {kind for certificate in asked for kind, *_ in certificate.content["releases"]}


def test_releases_were_found():
    assert len({release.kind for release in RELEASES}) == len(RELEASES) >= 7


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.__name__)
def test_a_release_has_all_its_parts(release):
    """The list of CONTRIBUTING, 'To add something that can be asked of a private table'."""
    kind, tests = release.kind, (ROOT / "tests/curator/releases").glob("test_*.py")
    assert f"\n| {ROWS[kind]}" in text("docs/sql.md")
    assert any(re.search(rf"\b{release.__name__}\b", path.read_text(encoding="utf-8")) for path in tests)
    assert kind in kinds_judged_by_brute_force()
    mutants = [wrong for wrong, *_ in curator_laws.MUTANTS]
    mutants += [wrong for changes in steps_laws.WRONG.values() for wrong, *_ in changes]
    assert any(issubclass(release, wrong) for wrong in mutants)
    assert kind in words_of_the_checker()


DATABASES = [each for each in classes_in("curator/engines") if issubclass(each, Engine) and each is not Engine]


def test_engines_were_found():
    assert {"duckdb", "postgres", "spark"} <= {engine.__module__.split(".")[-1] for engine in DATABASES}


@pytest.mark.parametrize("engine", DATABASES, ids=lambda engine: engine.__name__)
def test_an_engine_has_all_its_parts(engine):
    """The list of CONTRIBUTING, 'To add an engine'; one that the files need is among the dependencies of all."""
    name, project = engine.__module__.split(".")[-1], tomllib.loads(text("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    drivers = extras[name] if engine.kept_elsewhere else [f"ibis-framework[{name}]>=12"]
    assert set(drivers) <= set(extras["dev"] if engine.kept_elsewhere else project["dependencies"])
    assert engine in ENGINES
    assert issubclass(getattr(ways, engine.__name__), ways.Way)
    assert {f"{name} in flight", f"{name} prepared"} <= set(engines_tried.KINDS)
    assert re.search(rf"^\| .*\b{engine.__name__}\b.* \|", text("docs/decisions/0011-engines.md"), re.MULTILINE)


def pages_of_the_lab() -> dict[str, str]:
    """Which page each row of docs/lab.md says is an adversary's: several that ask alike have one in common."""
    rows = re.findall(r"^\| \[(.*?)\]\(lab/(\w+)\.md\) \|", text("docs/lab.md"), re.MULTILINE)
    return {name: page for names, page in rows for name in re.findall(r"`(\w+)`", names)}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_adversary_has_all_its_parts(name):
    """The list of CONTRIBUTING, 'Add an adversary'."""
    page = pages_of_the_lab()[name]
    assert page in modules_in("lab/attacks")
    assert (page == name) == (name in modules_in("lab/attacks"))
    assert name in text(f"docs/lab/{page}.md")
    assert f"lab_{name}.svg" in text(f"docs/lab/{page}.md")
    assert f'    "{name}": (' in text("docs/pictures/real.py")
    assert any(f'"{name}"' in path.read_text(encoding="utf-8") for path in (ROOT / "tests/lab").glob("test_*.py"))


def test_every_page_of_the_lab_is_of_an_adversary():
    assert set(pages_of_the_lab()) == set(ATTACKS)
    assert {path.stem for path in (ROOT / "docs/lab").glob("*.md")} == set(pages_of_the_lab().values())


def test_every_figure_is_in_the_catalogue():
    written = [
        name for name in modules_in("lab/figures") if "\nFIGURE = " in text(f"src/noiseless/lab/figures/{name}.py")
    ]
    assert sorted(written) == sorted(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_all_its_parts(name):
    """The list of CONTRIBUTING, 'Add a figure'."""
    assert name in figure_numbers.CHECKS
    assert name in figure_numbers.WRONG
    assert f"![{name}](pictures/gallery/{name}." in text("docs/gallery.md")
