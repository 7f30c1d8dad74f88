"""One plain language: phrases that read as translated are refused in messages, docstrings and docs.

What to write instead is in docs/glossary.md, and the rules are in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/noiseless"

# Folders and files that are rewritten separately. Empty this when they are done.
EXEMPT = (
    "src/noiseless/curator/answer",
    "src/noiseless/curator/backup.py",
    "src/noiseless/curator/certificate",
    "src/noiseless/curator/curator.py",
    "src/noiseless/curator/ledger",
    "src/noiseless/curator/microdata",
    "src/noiseless/curator/opening.py",
    "src/noiseless/curator/question",
    "src/noiseless/curator/releases",
)

# Public names that happen to hold a banned word; they cannot change without a new format.
NAMES = ("rows told exactly",)

BANNED = {
    r"\bis no\b(?! (?:longer|more|less|better|worse|(?!other\b)\w+er)\b)": "say 'is not a …', or what it is",
    r"\bso many\b": "name the number",
    r"\bwhich is the rule for\b": "say 'default for …'",
    r"\btold\b": "use 'revealed', 'said' or 'known'",
    r"\blets us in\b": "say 'cannot connect to …'",
    r"\bat the (?:least|most)\b": "use 'at least' or 'at most' before the number",
    r"\bof nobody\b": "say 'over zero rows'",
    r"\b[Ww]ho(?:ever)? asks\b": "say 'the analyst'",
    r"\b[Ww]hoever\b": "name the person, or say 'anyone who'",
    r"\b[Aa]nybody\b": "use 'anyone', or name the person",
    r"\b[Bb]eforehand\b": "use 'first' or 'in advance'",
    r"\bof (?:its|their|our|your|his) own\b": "use 'its own …' before the noun, or leave it out",
    r"\b[Ll]et(?:s|ting)? go of\b": "use 'close', 'release' or 'drop'",
    r"\bvalues (?:are )?apart\b": "say 'missing values are kept separate'",
    r"\bas many as\b": "name the number",
}

BAD = (
    "'x' is no key of 'region'",
    "the first so many rows",
    "prepare = true, which is the rule for files",
    "what is told about a person",
    "no Postgres lets us in at db:5432",
    "what is learned at the least",
    "the SUM of nobody is 0",
    "for who asks the question",
    "whoever fills in a schema",
    "certificates that anybody can verify",
    "says the price beforehand",
    "a table of your own",
    "let go of the file",
    "missing values apart",
    "there must be as many as before",
)

GOOD = (
    "the ledger is no longer needed",
    "the interval is no wider than before",
    "the count is no more than 4",
    "'x' is not a key of 'region'; use one of its keys",
    "One person's data can change this among at most 2 answers.",
    'Write missing = "apart" to keep missing values separate.',
)


def faults(text: str) -> list[str]:
    """The banned phrases in a text, with what to write instead."""
    for name in NAMES:
        text = text.replace(name, "")
    found = [(re.search(pattern, text), advice) for pattern, advice in BANNED.items()]
    return [f"{match[0]!r}: {advice}" for match, advice in found if match]


def pages() -> list[Path]:
    listed = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(page for page in listed if "decisions" not in page.parts and page.name != "CHANGELOG.md")


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if not name(path).startswith(EXEMPT))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def literals(module: str) -> Iterator[tuple[int, str]]:
    """Every line of every string literal, docstrings and the texts of f-strings among them."""
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for offset, line in enumerate(joined(node.value)):
                yield node.lineno + offset, line


def joined(text: str) -> list[str]:
    """Lines, each with the one after it, so that a phrase broken by a line end is found too."""
    lines = text.split("\n")
    return [
        " ".join([line.strip(), *[after.strip() for after in lines[i + 1 : i + 2]]]) for i, line in enumerate(lines)
    ]


@pytest.mark.parametrize("path", pages(), ids=name)
def test_pages_are_in_plain_english(path):
    lines = enumerate(joined(path.read_text(encoding="utf-8")), start=1)
    wrong = [f"{name(path)}:{line}: {fault}" for line, text in lines for fault in faults(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", modules(), ids=name)
def test_messages_and_docstrings_are_in_plain_english(path):
    texts = literals(path.read_text(encoding="utf-8"))
    wrong = [f"{name(path)}:{line}: {fault}" for line, text in texts for fault in faults(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("sentence", BAD)
def test_bad_sentences_are_caught(sentence):
    assert faults(sentence)


def test_every_phrase_has_a_bad_sentence():
    assert [pattern for pattern in BANNED if not any(re.search(pattern, sentence) for sentence in BAD)] == []


@pytest.mark.parametrize("sentence", GOOD)
def test_good_sentences_pass(sentence):
    assert faults(sentence) == []


def test_literals_are_found_with_their_lines():
    module = '"""One."""\nx = f"{1} is no key"\ny = "a" + str("told")\n"""a\nis\nno key"""\n'
    found = sorted(line for line, text in literals(module) if faults(text))
    assert found == [2, 3, 5]


def test_what_is_exempt_exists():
    assert [path for path in EXEMPT if not (ROOT / path).exists()] == []
