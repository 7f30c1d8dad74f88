"""One plain language: phrases that read as translated are refused in messages, docstrings and docs.

What to write instead is in docs/glossary.md, and the rules are in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/noiseless"

# Folders and files that are rewritten separately. Empty this when they are done.
EXEMPT: tuple[str, ...] = ()

# Public names that happen to hold a banned word; they cannot change without a new format.
NAMES = ("rows told exactly",)

TERMS = (
    *(
        "adversary",
        "answer",
        "asker",
        "batch",
        "bin",
        "budget",
        "centre",
        "certificate",
        "charge",
        "code",
        "copy",
        "count",
    ),
    *("derived column", "function of a row", "grid", "look-up", "public table", "view"),
    *("cross table", "dataset", "level", "stable", "stage", "step of a question"),
    *(
        "dearest",
        "entry",
        "error",
        "export",
        "frozen",
        "guarantee",
        "guard",
        "hold",
        "interval",
        "leakage",
        "ledger",
        "left",
        "loud",
        "mechanism",
        "request",
    ),
    *("outcome", "policy", "preview", "price", "private column", "public cell", "public column", "query", "quiet"),
    *("quota", "refine", "release", "reserve", "row", "settle", "snapshot", "step", "unit (person)"),
)
"""One word for one thing: every term of docs/glossary.md."""

NOUNS = r"(?:answer|letter|member|number|other|order|parameter|server|user)\b"
"""They end like comparatives, as in 'is no larger'."""

CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")
"""What a template computes."""

BANNED = {
    rf"(?<![Tt]here )\bis no\b(?! (?:longer|more|less|better|worse|(?!{NOUNS})\w+er)\b)": "say 'is not a …'",
    r"\b[Ss]o many\b": "name the number",
    r"(?<![Nn]one )(?<!request )\bfor nothing\b": "say 'for free'",
    r"\boutside of\b": "use 'outside'",
    r"\bsomething else than\b": "use 'something other than'",
    r"\bwhich is the rule for\b": "say 'default for …'",
    r"\btold\b": "use 'revealed', 'said' or 'known'",
    r"\blets us in\b": "say 'cannot connect to …'",
    r"\bat the (?:least|most)\b": "use 'at least' or 'at most' before the number",
    r"\bof nobody\b": "say 'over zero rows'",
    r"\b[Ww]ho(?:ever)? asks\b": "say 'the analyst'",
    r"\b[Ww]hoever\b": "name the person, or say 'anyone who'",
    r"\b[Aa]nybody\b": "use 'anyone', or name the person",
    r"\b[Bb]eforehand\b": "use 'first' or 'in advance'",
    r"\bof (?:its|our|their|your) own(?=\W*$|[.,;:)]| (?:and|as|by|for|in|of|or|to|with)\b)": "use 'its own …'",
    r"\b[Ll]et(?:s|ting)? go of\b": "use 'close', 'release' or 'drop'",
    r"\bvalues (?:are )?apart\b": "say 'missing values are kept separate'",
    r"\bas many as\b": "name the number",
    r"\b[Aa]new\b": "use 'again'",
    r"\b[Ii]nside of\b": "use 'inside'",
    r"\b[Nn]othing of (?:the|it)\b": "say 'none of the …', 'nothing about …' or 'no private data'",
    r"\bthe own\b": "say 'your own', 'its own' and the like",
    r"\b[Rr]eplac\w+ (?:\w+ ){1,3}by\b": "use 'replace … with'",
    r"(?:^|[.:;] )[Ww]ho (?:trusts|pins|pinned|wants|needs|fears)\b": "say 'anyone who …'",
}

BAD = (
    "'x' is no key of 'region'",
    "the server sent something that is no answer",
    "the first so many rows",
    "a whole workload is answered for nothing",
    "dates outside of the calendar",
    "the server sent something else than JSON",
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
    "the mean is guessed anew",
    "needs ORDER BY inside of OVER",
    "nothing of the data was read",
    "more of the own quota",
    "replace the key by a new one",
    "Not the other way round. Who trusts the old key can trust the new one.",
)

GOOD = (
    "the ledger is no longer needed",
    "there is no key at this path; make one with noiseless keys new",
    "the interval is no wider than before",
    "the count is no more than 4",
    "'x' is not a key of 'region'; use one of its keys",
    "One person's data can change this among at most 2 answers.",
    'Write missing = "apart" to keep missing values separate.',
    "Replace the key with a new one.",
    "nothing about the data was said",
)


def faults(line: str, after: str = "") -> list[str]:
    """The banned phrases that begin in a line, with what to write instead; `after` is the line after it."""
    for name in NAMES:
        line = line.replace(name, "")
    found = [(re.search(pattern, f"{line} {after}"), advice) for pattern, advice in BANNED.items()]
    return [f"{match[0]!r}: {advice}" for match, advice in found if match and match.start() < len(line)]


def pages() -> list[Path]:
    listed = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(page for page in listed if "decisions" not in page.parts and page.name != "CHANGELOG.md")


def templates() -> list[Path]:
    return sorted(SOURCE.rglob("*.html"))


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if not name(path).startswith(EXEMPT))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines(text: str) -> list[tuple[str, str]]:
    """Every line with the one after it, so that a phrase broken by a line end is found too."""
    stripped = [line.strip() for line in text.split("\n")]
    return list(zip(stripped, [*stripped[1:], ""], strict=True))


def faults_of_module(module: str) -> list[tuple[int, str]]:
    """The faults in every string literal, with their lines: docstrings and the texts of f-strings are among them."""
    nodes = [node for node in ast.walk(ast.parse(module)) if isinstance(node, ast.Constant)]
    texts = [(node.lineno, node.value) for node in nodes if isinstance(node.value, str)]
    return sorted(
        (start + offset, fault)
        for start, text in texts
        for offset, (line, after) in enumerate(lines(text))
        for fault in faults(line, after)
    )


@pytest.mark.parametrize("path", [*pages(), *templates()], ids=name)
def test_pages_are_in_plain_english(path):
    written = CODE.sub("", path.read_text(encoding="utf-8"))
    numbered = enumerate(lines(written), start=1)
    wrong = [f"{name(path)}:{number}: {fault}" for number, pair in numbered for fault in faults(*pair)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", modules(), ids=name)
def test_messages_and_docstrings_are_in_plain_english(path):
    found = faults_of_module(path.read_text(encoding="utf-8"))
    assert not found, "\n".join(f"{name(path)}:{line}: {fault}" for line, fault in found)


@pytest.mark.parametrize("sentence", BAD)
def test_bad_sentences_are_caught(sentence):
    assert faults(sentence)


def test_every_phrase_has_a_bad_sentence():
    assert [pattern for pattern in BANNED if not any(re.search(pattern, sentence) for sentence in BAD)] == []


@pytest.mark.parametrize("sentence", GOOD)
def test_good_sentences_pass(sentence):
    assert faults(sentence) == []


def test_faults_are_found_with_their_lines():
    module = '"""One."""\nx = f"{1} is no key"\ny = "a" + str("told")\n"""a\nis\nno key"""\n'
    assert [line for line, _ in faults_of_module(module)] == [2, 3, 5]


def test_the_glossary_explains_every_term_in_one_line():
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    terms = [term for term, _ in rows if term not in ("term", "---")]
    assert len(terms) == len(set(terms))
    assert sorted(TERMS) == sorted(terms)


def test_what_is_exempt_exists():
    assert [path for path in EXEMPT if not (ROOT / path).exists()] == []
