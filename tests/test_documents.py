"""README and docs: every example runs and prints what it says; every link and source leads somewhere."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])
SOURCES = sorted(ROOT.glob("src/**/*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def examples(page: Path) -> list[doctest.Example]:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return doctest.DocTestParser().get_examples("\n".join(blocks))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_run(page):
    test = doctest.DocTest(examples(page), {}, name(page), str(page), 0, None)
    output: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=output.append).failed
    assert not failed, "".join(output)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_begin_with_their_title_and_show_no_machine(page):
    """Not with what a script printed while it wrote the page; tracebacks show the error, not where it was run."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert 'File "' not in text


def test_the_runner_would_notice():
    wrong = doctest.DocTest([doctest.Example("1 + 1\n", "3\n")], {}, "wrong", None, 0, None)
    assert doctest.DocTestRunner().run(wrong, out=lambda _: None).failed == 1


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(ROOT.glob("docs/measures/*.md"))], ids=name)
def test_pages_show_an_example(page):
    assert examples(page)


def links(page: Path) -> list[tuple[Path, str]]:
    """Where the links of a page lead in this repository: a file, and a heading of it or nothing."""
    found = re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))
    return [((page.parent / target).resolve() if target else page, anchor) for target, anchor in found]


def headings(page: Path) -> set[str]:
    """How links name the headings and places of a page."""
    text = page.read_text(encoding="utf-8")
    said = (re.sub(r"[^\w\s-]", "", words).strip().lower() for words in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {*(re.sub(r"\s", "-", words) for words in said), *re.findall(r'id="([^"]+)"', text)}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target, anchor in links(page):
        assert target.exists(), target
        assert not anchor or anchor in headings(target), f"{name(target)}#{anchor}"


def test_the_index_leads_to_every_page():
    """By itself, or by way of a page that it leads to."""
    found, new = set[Path](), {ROOT / "docs/index.md"}
    while new:
        found |= new
        new = {target for page in new for target, _ in links(page) if target.suffix == ".md"} - found
    pages = {page for page in ROOT.glob("docs/**/*.md") if "decisions" not in page.parts}  # a folder, linked as one
    assert sorted(map(name, pages - found)) == []
    first = {target for target, _ in links(ROOT / "docs/index.md")}
    assert [page.name for page in sorted(ROOT.glob("docs/*.md")) if page not in first and page.stem != "index"] == []


HOMES = ("", "src/noiseless", "src/noiseless/curator", "tests")
GUIDES = [ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]


def modules_named(text: str) -> list[str]:
    """Paths such as `exact/rounding.py`. NAME stands for a file that the reader is going to write."""
    return [path for path in re.findall(r"`([^`\s]+\.py)`", text) if "NAME" not in path]


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_modules_that_pages_name_exist(page):
    named = modules_named(page.read_text(encoding="utf-8"))
    assert [path for path in named if not any((ROOT / home / path).is_file() for home in HOMES)] == []


def test_modules_are_found_in_pages():
    text = "see `exact/rounding.py` and `curator/promise.py`, then write `queries/NAME.py`; run `x.py --fast`"
    assert modules_named(text) == ["exact/rounding.py", "curator/promise.py"]
    assert any(modules_named(page.read_text(encoding="utf-8")) for page in GUIDES)


def test_pictures_are_up_to_date():
    for file, svg in runpy.run_path(str(ROOT / "docs/pictures/make.py"))["pictures"]().items():
        assert (ROOT / "docs/pictures" / file).read_text(encoding="utf-8") == svg


@pytest.mark.parametrize("source", SOURCES, ids=name)
def test_sources_lead_somewhere(source):
    for page, anchor in re.findall(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?", source.read_text(encoding="utf-8")):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert not anchor or f'id="{anchor}"' in text, f"{page}#{anchor}"
