"""What holds the house together: public names, floors, and the list of CONTRIBUTING for a measure."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import noiseless as nl
from noiseless import errors
from tests.laws.information_laws import REAL
from tests.laws.test_information_laws import MUTANTS

ROOT = Path(__file__).parent.parent
FLOORS = ("exact", "theory", "privacy", "curator", "lab", "app")
MEASURES = sorted(
    path.stem
    for path in (ROOT / "src/noiseless/theory/information").glob("*.py")
    if re.search(rf"^def {path.stem}\(.*-> (LogRatio|Partition):", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def test_every_public_name_loads():
    for name in nl.__all__:
        assert getattr(nl, name) is not None
    assert set(nl.__all__) <= set(dir(nl))
    assert len(set(nl.__all__)) == len(nl.__all__) > 30


def test_every_public_name_says_what_it_is():
    named = [(name, getattr(nl, name)) for name in nl.__all__ if callable(getattr(nl, name))]
    # a dataclass without a docstring gets its signature, an exception its parent's
    assert [name for name, value in named if not value.__doc__ or value.__doc__.startswith(f"{name}(")] == []


def test_the_stub_is_read_whole():
    stub = (ROOT / "src/noiseless/__init__.pyi").read_text(encoding="utf-8")
    assert len(re.findall("^from ", stub, re.MULTILINE)) == len(nl.__all__) - 1


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
    assert measure in nl.__all__
    assert (ROOT / f"docs/measures/{measure}.md").exists()
    assert f"measures/{measure}.md" in (ROOT / "docs/index.md").read_text(encoding="utf-8")
    assert (ROOT / f"tests/theory/information/test_{measure}.py").exists()
    assert measure in REAL
    assert measure in MUTANTS
    assert "Source:" in inspect.getdoc(getattr(nl, measure))
    assert ">>>" in inspect.getdoc(getattr(nl, measure))
