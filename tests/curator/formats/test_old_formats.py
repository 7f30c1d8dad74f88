"""What every earlier version wrote is opened, repeated, continued and verified. README.md says what the formats are."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.curator.ledger.entry import CHARGED
from noiseless.curator.ledger.verify import verify_ledger
from tests.curator.formats import make

HERE = Path(__file__).parent
FORMATS = sorted((folder for folder in HERE.iterdir() if folder.name.isdigit()), key=lambda folder: int(folder.name))
WRITTEN = [(folder, file.name.split(".")[0]) for folder in FORMATS for file in sorted(folder.glob("*.asked.json"))]
NEW = {
    "people": ("SELECT COUNT(*) FROM people WHERE age < 33", {}),
    "visits": ("SELECT COUNT(*) FROM visits WHERE cost < 33", {}),
    "flight": ("SELECT COUNT(*) FROM flight WHERE age < 33", {}),
    "sizes": ("SELECT MEDIAN(height) FROM sizes", {"bits": 1, "analyst": "alice"}),
    "groups": ("SELECT COUNT(*) FROM groups WHERE illness <> 'flu'", {}),
}
"""Questions that no version was asked."""


def named(written) -> str:
    folder, name = written
    return f"{folder.name}-{name}"


def same_or_narrower(rows, before) -> bool:
    """The same numbers; up to format 9 whole numbers of a csv file had room for a rounding that they never had."""

    def inside(new, old) -> bool:
        if new == old or not isinstance(old, dict):
            return new == old
        ends = [Fraction(each[end]) for each in (old, new) for end in ("lower", "upper")]
        return ends[0] <= ends[2] <= ends[3] <= ends[1]

    return len(rows) == len(before) and all(
        new.keys() == old.keys() and all(inside(new[name], old[name]) for name in old)
        for new, old in zip(rows, before, strict=True)
    )


def values_in(path: Path) -> list[tuple]:
    """The rows of a csv file, however it writes numbers and texts."""
    with path.open(newline="") as file:
        return sorted(tuple(_value(field) for field in row) for row in csv.reader(file))


def _value(field: str) -> str:
    try:
        return repr(float(field))
    except ValueError:
        return field


@pytest.fixture(params=WRITTEN, ids=named)
def old(request, tmp_path):
    """A table of a format: its TOML, with ledger and store beside it, and what was asked."""
    folder, name = request.param
    toml = make.restore(name, folder, tmp_path)
    asked = json.loads((folder / f"{name}.asked.json").read_text(encoding="utf-8"))
    return folder, name, toml, asked


def test_every_format_is_here():
    told = [
        line.split("|")[1].strip()
        for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines()[8:]
        if line.startswith("| ")
    ]
    assert told == [folder.name for folder in FORMATS]
    assert {name for folder, name in WRITTEN if folder == FORMATS[-1]} == set(make.STEPS) == set(NEW)
    for name in make.STEPS:
        for end in ("toml", "csv"):
            latest = (FORMATS[-1] / f"{name}.{end}").read_bytes()
            assert latest == (make.TABLES / f"{name}.{end}").read_bytes(), "make the last format anew"


def test_it_opens_with_what_was_left(old):
    _, name, toml, asked = old
    with nl.Curator.open(toml) as curator:
        assert repr(curator.remaining) == asked["remaining"]
        assert verify_ledger(curator.entries()) == len(curator.entries())
        assert curator.name == name
        assert curator.check() is not None


def test_an_old_ledger_notes_its_cells_once(old):
    """Later charges count cells by their places in what was noted, so a later schema must not move them."""
    folder, _, toml, _ = old
    for _ in range(2):
        with nl.Curator.open(toml) as curator:
            changes = [entry.body for entry in curator.entries() if entry.kind == "change"]
            assert [list(curator.sequence.cells)] * (int(folder.name) < 10) == [each["cells"] for each in changes]


def test_what_was_asked_is_free_and_the_same(old, tmp_path):
    _, _, toml, asked = old
    with nl.Curator.open(toml) as curator:
        answers = []
        for how, what, options, told in asked["steps"]:
            if how in ("fail", "release"):
                answers.append([])
                continue
            answers.append(make.take(curator, (how, what, options), answers, tmp_path))
            for answer, each in zip(answers[-1], told, strict=True):
                assert same_or_narrower(make.rows_of(answer), each["rows"])
            assert {answer.factor for answer in answers[-1]} == {1}
        assert repr(curator.remaining) == asked["remaining"]
        assert verify_ledger(curator.entries()) == len(curator.entries())


def test_a_copy_again_is_free(old, tmp_path):
    """Not of codes in flight, which may have changed, nor before format 9: those copies do not say what codes they had.

    They are charged again, which is the safe side.
    """
    folder, name, toml, asked = old
    again = tmp_path / "again"
    again.mkdir()
    number, copies = int(folder.name), [step for step in asked["steps"] if step[0] == "release"]
    if not copies:
        pytest.skip("this format has no copies")
    with nl.Curator.open(toml) as curator:
        for how, what, options, _ in copies:
            [copy] = make.take(curator, (how, what, options), [], again)
            rows = [values_in(path) for path in (again / what, folder / what)]
            assert rows[0] == rows[1] or (number, name) == (5, "visits")  # which left the day out
            if name != "flight" and number >= 9:
                assert copy.factor == 1
                assert repr(curator.remaining) == asked["remaining"]


def test_what_was_charged_and_never_computed_is_free(old):
    _, _, toml, asked = old
    failed = [step for step in asked["steps"] if step[0] == "fail"]
    with nl.Curator.open(toml) as curator:
        for _, what, options, _ in failed:
            answer = curator.ask(what, **options)
            assert answer.factor == 1
            assert answer.rows[0].lower <= answer.rows[0].upper
        assert repr(curator.remaining) == asked["remaining"]


def test_every_entry_is_recalled(old):
    """The first format did not keep how wide the bins of a question were."""
    folder, _, toml, asked = old
    with nl.Curator.open(toml) as curator:
        charged = [entry.number for entry in curator.entries() if entry.kind in CHARGED]
        for how, _, _, told in asked["steps"]:
            for place, each in enumerate([] if how == "release" else told):
                question = charged.index(int(each["entry"])) + 1  # old answers have the numbers of the chain
                if folder.name == "1":
                    with pytest.raises(nl.QuestionError, match="ask it again"):
                        curator.recall(question, place)
                    continue
                assert same_or_narrower(make.rows_of(curator.recall(question, place)), each["rows"])


def test_a_new_question_is_charged_on_top(old):
    _, name, toml, asked = old
    question, options = NEW[name]
    with nl.Curator.open(toml) as curator:
        before = {cell: state.product for cell, state in curator.sequence.cells.items()}
        factor = curator.preview(question, bits=options.get("bits")).factor
        answer = curator.ask(question, **options)
        after = {cell: state.product for cell, state in curator.sequence.cells.items()}
        assert answer.factor == factor > 1
        assert max(after[cell] // before[cell] for cell in before) == factor
        assert all(after[cell] % before[cell] == 0 for cell in before)
        assert verify_ledger(curator.entries()) == len(curator.entries())
        left = curator.remaining
        assert left <= float(asked["remaining"])
    with nl.Curator.open(toml) as again:
        assert again.remaining == left
        assert make.rows_of(again.ask(question, **options)) == make.rows_of(answer)


def test_the_budget_ends_where_it_did(old):
    """No more than was left can be spent, whoever wrote what was."""
    _, name, toml, _ = old
    with nl.Curator.open(toml) as curator:
        spent, budget = curator.sequence.spent(), curator.sequence.budget
        question = NEW[name][0]
        with pytest.raises(nl.BudgetExceededError):
            curator.ask(question.replace("33", "34"), bits=NEW[name][1].get("bits"), max_bits=0)
        assert (curator.sequence.spent(), curator.sequence.budget) == (spent, budget)


def test_certificates_hold(old):
    folder, name, _, asked = old
    certificates = json.loads((folder / f"{name}.certificates.json").read_text(encoding="utf-8"))
    assert not nl.verify(json.dumps(certificates.pop("unsigned"), ensure_ascii=False)).trusted
    for place, written in certificates.items():
        how, what, _, _ = asked["steps"][int(place.split(".")[0])]
        text = json.dumps(written, ensure_ascii=False)
        checked = nl.verify(text, key=asked["key"], file=folder / what if how == "release" else None)
        assert checked.trusted
        claimed = int(written["content"]["count"])
        assert checked.count == claimed or (checked.count, claimed) == (3, 4)  # multiplied before rule H
        with pytest.raises(nl.CertificateError):
            nl.verify(text.replace('"rows": "', '"rows": "1'), key=asked["key"])


def test_the_commands_show_it(old):
    _, _, toml, _ = old
    shown = CliRunner().invoke(app, ["ledger", str(toml)], catch_exceptions=False)
    assert shown.exit_code == 0
    rows = [line.split("│")[1].strip() for line in shown.output.splitlines() if line.startswith("│")]
    with nl.Curator.open(toml) as curator:
        charged = sum(entry.kind in CHARGED for entry in curator.entries())
    assert [int(number) for number in rows if number] == [*range(1, charged + 1)]
