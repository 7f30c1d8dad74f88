"""The demo itself: questions, answers beside the truth, a refusal, a repeat, a certificate, a report."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import noiseless as nl
from noiseless.app.demo.people import BUDGET, People
from noiseless.curator.answer.drawn import LONGEST
from noiseless.curator.answer.pictures import Axis, place
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.page import page, paragraph
from noiseless.curator.releases.reported import Reported
from noiseless.exact.readable import bits_shown, number_shown
from noiseless.privacy.composition.weights import Product

GROUPS = "SELECT region, AVG(income) AS income FROM people GROUP BY region"
COUNT = "SELECT COUNT(*) AS n FROM people WHERE smoker = 'yes' AND age >= 65"
CROSSED = "SELECT FLOOR(age / 20) * 20 AS from_age, smoker, COUNT(*) FROM people GROUP BY from_age, smoker"
MEDIAN = "SELECT MEDIAN(age) AS age FROM people"
BATCH = [
    "SELECT AVG(age) AS age FROM people",
    "SELECT AVG(height) AS height FROM people",
    "SELECT region, AVG(age) AS age FROM people GROUP BY region",
]
WIDE = 120
"""The width of a terminal that has room to draw the intervals."""


@dataclass(frozen=True)
class Line:
    """One row of the table: the question, the reported number, the truth and the charge."""

    question: str
    number: Reported
    truth: float
    cost: str
    left: str

    @property
    def inside(self) -> bool:
        """Whether the truth is in the interval, up to float rounding."""
        return place(self.number.lower) <= self.truth + 1e-9 and self.truth - 1e-9 <= place(self.number.upper)


def run(people: int, out: Path | None) -> None:
    """Run the whole demo. Its folder stays, so that you can look at the files."""
    console = Console()
    folder = Path(tempfile.mkdtemp(prefix="noiseless-demo-")) if out is None else out
    folder.mkdir(parents=True, exist_ok=True)
    key_file = folder / "key.pem"
    key = PrivateKey.read(key_file) if key_file.exists() else PrivateKey.new(key_file)
    with console.status(f"making {people:,} synthetic people"):
        made = People.made(people)
        schema = made.write(folder)
    console.print(f"{people:,} synthetic people in [bold]{folder}[/bold], {BUDGET} bits per person for all questions\n")
    with nl.Curator.open(schema, analyst="demo", key=key_file) as curator:
        console.print("[bold]A preview, free:[/bold] what would the mean income of each region cost?")
        console.print(curator.preview(GROUPS, bits=2))
        lines, certificate = _questions(curator, made)
        right = sum(line.inside for line in lines)
        console.print("\n[bold]Five questions[/bold], compared with the truth:", end=" ")
        console.print(f"{right} of {len(lines)} intervals contain it")
        console.print(_printed(lines, console.width >= WIDE))
        crossed = curator.ask(CROSSED)
        console.print(
            "\n[bold]A cross table:[/bold] each person is in one cell only, so all cells together cost little"
        )
        console.print(crossed)
        refusal = _refused(curator)
        console.print(f"\n[bold]A refusal:[/bold] {refusal}")
        repeat = curator.ask(COUNT)
        console.print(f"[bold]A repeat:[/bold] the same count again costs {bits_shown(repeat.factor)}")
        verified = _certificate(certificate, key, folder)
        console.print(verified)
        report = folder / "report.html"
        report.write_text(_report(curator, people, lines, refusal, verified), encoding="utf-8")
    console.print(f"\nThe report: [bold]{report}[/bold]")
    console.print(f"Go on: noiseless plan {schema}; noiseless ledger {schema}")
    console.print(f"This table in your browser: noiseless serve {schema} --key {key_file} --open", soft_wrap=True)


def _questions(curator: nl.Curator, made: People) -> tuple[list[Line], nl.Certificate]:
    lines: list[Line] = []

    def note(question: str, number: Any, truth: float, factor: Product) -> None:
        lines.append(Line(question, number, truth, bits_shown(factor), f"{curator.remaining:.4g} bits"))

    groups = curator.ask(GROUPS, bits=2)
    for row in groups.rows:
        region = str(row["region"])
        note(f"income, {region}", row["income"], made.mean("income", region), groups.factor)
    count = curator.ask(COUNT)
    note("smokers over 64", count.rows[0]["n"], made.old_smokers(), count.factor)
    median = curator.ask(MEDIAN, error=1)
    note("median age", median.rows[0]["age"], made.median_age(), median.factor)
    batch = curator.batch(BATCH, bits=1)
    note("batch: age", batch[0].rows[0]["age"], made.mean("age"), batch.factor)
    note("batch: height", batch[1].rows[0]["height"], made.mean("height"), batch.factor)
    note("batch: age, north", batch[2].rows[0]["age"], made.mean("age", "north"), batch.factor)
    finer = curator.refine(groups, error=curator.preview(GROUPS, bits=2).error * 2 / 5)
    note("refined: north", finer.rows[0]["income"], made.mean("income", "north"), finer.factor)
    return lines, groups.certificate


def _printed(lines: list[Line], wide: bool) -> Table:
    table = Table(
        "question", "answer", "certainly in", *([""] if wide else []), "truth", "cost", *(["left"] if wide else [])
    )
    for line in lines:
        half = max(place(line.number.upper) - place(line.number.lower), 1e-9)
        drawn = Axis(place(line.number.lower) - half / 2, place(line.number.upper) + half / 2).text(
            line.number, LONGEST
        )
        mark = "[green]✓[/green]" if line.inside else "[red]✗[/red]"
        cells = [
            line.question,
            number_shown(line.number.value),
            line.number.interval,
            *([drawn] if wide else []),
        ]
        table.add_row(*cells, f"{line.truth:.6g} {mark}", line.cost, *([line.left] if wide else []))
    return table


def _refused(curator: nl.Curator) -> str:
    try:
        curator.ask("SELECT MAX(income) FROM people", error=1)
    except nl.BudgetExceededError as refusal:
        return str(refusal)
    raise AssertionError("the budget of the demo must not allow this question")


def _certificate(certificate: nl.Certificate, key: PrivateKey, folder: Path) -> str:
    """Verify the certificate, then change one number in it and see it rejected."""
    path = folder / "certificate.json"
    certificate.save(path)
    found = nl.verify(path, key.public)
    forged = json.loads(certificate.to_json())
    forged["content"]["answer"][0]["income"]["value"] = "171"
    (folder / "tampered.json").write_text(json.dumps(forged), encoding="utf-8")
    try:
        nl.verify(folder / "tampered.json", key.public)
    except nl.CertificateError as wrong:
        return f"A certificate: verified, at most {found.count} answers. One number changed: {wrong}"
    raise AssertionError("a tampered certificate must not verify")


def _report(curator: nl.Curator, people: int, lines: list[Line], refusal: str, verified: str) -> str:
    rows = "".join(
        f"<tr><td>{escape(line.question)}</td><td>{escape(number_shown(line.number.value))}</td>"
        f"<td>{escape(line.number.interval)}</td><td>{line.truth:.8g} "
        f'<span class="{"yes" if line.inside else "no"}">{"✓" if line.inside else "✗"}</span></td>'
        f"<td>{escape(line.cost)}</td><td>{escape(line.left)}</td></tr>"
        for line in lines
    )
    head = "".join(f"<th>{name}</th>" for name in ("question", "answer", "certainly in", "truth", "cost", "left"))
    repeats = [curator.ask(GROUPS, bits=2), curator.ask(CROSSED), *curator.batch(BATCH, bits=1)]
    pictures = "".join(f"<p><code>{escape(a.question)}</code></p>{a._repr_html_()}" for a in repeats)
    promise = repeats[0].guarantee
    return page(
        f"{people:,} people, {BUDGET} bits",
        [
            ("What was asked", f"<table><tr>{head}</tr>{rows}</table>"),
            ("The intervals, drawn", pictures),
            ("What the first answer promises", promise._repr_html_()),
            ("A refusal", paragraph(refusal)),
            ("A certificate", paragraph(verified)),
        ],
    )
