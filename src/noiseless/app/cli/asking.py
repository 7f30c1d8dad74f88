"""preview, ask, deduce, batch and refine: the commands of an analyst."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noiseless.app.cli.printing import check_place, keep_imports, plainly, show, show_json
from noiseless.app.cli.questions import questions_in
from noiseless.app.fields import answer_fields, answers_fields, compared_fields, preview_fields

if TYPE_CHECKING:
    from noiseless import Answer, Answers, Curator

Schema = Annotated[Path, typer.Argument(help="The schema file, such as people.toml.")]
Sql = Annotated[str, typer.Argument(help="The question, such as 'SELECT AVG(age) FROM people'.")]
Bits = Annotated[
    list[str] | None,
    typer.Option(
        help="The price that the question may have by itself, in bits. Below 1, such as 0.1, it is the price of a "
        "quiet answer; a loud one costs more. May be repeated: 'AVG(age)=2' sets it for one number, 3 for all others."
    ),
]
Error = Annotated[
    list[str] | None,
    typer.Option(
        help="The largest error you accept: half the width of the interval. The question is charged by the answer if "
        "that is cheaper on average. May be repeated: 'AVG(age)=0.1' sets it for one number, 1 for all others."
    ),
]
MaxBits = Annotated[
    str | None, typer.Option(help="Refuse the question if its dearest answer would be charged more than this, in bits.")
]
Dialect = Annotated[str, typer.Option(help="The SQL of the question: duckdb, postgres or spark.")]
Stable = Annotated[
    bool,
    typer.Option(
        "--stable",
        help="Give every number as precisely as possible without any one person's data deciding it. Needs --error.",
    ),
]
Analyst = Annotated[str | None, typer.Option(help="The name of the analyst. Default: your user name.")]
Key = Annotated[Path | None, typer.Option(help="The custodian's key file. Default: your own key, if you have one.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Report = Annotated[Path | None, typer.Option(help="Write an HTML page with pictures to this file.")]
Save = Annotated[Path | None, typer.Option("--certificate", help="Save the certificate to this file.")]


@contextmanager
def curator_of(
    schema: Path, analyst: str | None = None, key: Path | None = None, new: bool = False, plain: bool = True
) -> Iterator[Curator]:
    """The curator of a schema file, with the default key if there is one; `plain` prints errors in one line."""
    from noiseless.curator.certificate.keys import default_path
    from noiseless.curator.curator import Curator

    keep_imports()
    usual = default_path()
    signing = key or (usual if _is_file(usual) else None)
    who = _user() if analyst is None else analyst
    with plainly() if plain else nullcontext(), Curator.open(schema, analyst=who, key=signing, new=new) as curator:
        yield curator


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _user() -> str:
    """The name of the user who runs the command; empty if the system has none, as in many containers."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):
        return ""


def preview(
    schema: Schema,
    sql: Sql,
    bits: Bits = None,
    error: Error = None,
    stable: Stable = False,
    dialect: Dialect = "duckdb",
    as_json: Json = False,
) -> None:
    """Show the price of a question and the error of its answer. Free."""
    with curator_of(schema) as curator:
        given: Any = {"bits": by_name(bits, "bits"), "error": by_name(error, "error")}
        price = curator.preview(sql, **given, stable=stable, dialect=dialect)
        if not as_json:
            show(price)
            return
        rows = [{**row["keys"], **{label: str(error) for label, error in row["errors"].items()}} for row in price.rows]
        show_json({**preview_fields(price), "errors": rows})


def ask(
    schema: Schema,
    sql: Sql,
    bits: Bits = None,
    error: Error = None,
    max_bits: MaxBits = None,
    stable: Stable = False,
    dialect: Dialect = "duckdb",
    analyst: Analyst = None,
    key: Key = None,
    certificate: Save = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Ask a question. The true answer is always inside the reported interval. Charged to the budget."""
    with curator_of(schema, analyst, key) as curator:
        check_place(certificate, "--certificate")
        given: Any = {"bits": by_name(bits, "bits"), "error": by_name(error, "error")}
        check_place(report, "--report")
        answer = curator.ask(sql, **given, max_bits=max_bits, stable=stable, dialect=dialect)
        _tell(answer, certificate, as_json)
        _write(answer, report, curator.name)


def deduce(
    schema: Schema,
    sql: Sql,
    dialect: Dialect = "duckdb",
    key: Key = None,
    certificate: Save = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Show what already follows from earlier answers and copies. Free: no private data are read."""
    with curator_of(schema, key=key) as curator:
        check_place(certificate, "--certificate")
        check_place(report, "--report")
        answer = curator.deduce(sql, dialect=dialect)
        _tell(answer, certificate, as_json)
        _write(answer, report, curator.name)


def batch(
    schema: Schema,
    questions: Annotated[
        list[str], typer.Argument(help="The questions, one argument each, or a file such as questions.sql.")
    ],
    bits: Bits = None,
    error: Error = None,
    max_bits: MaxBits = None,
    stable: Stable = False,
    dialect: Dialect = "duckdb",
    analyst: Analyst = None,
    key: Key = None,
    only_preview: Annotated[
        bool,
        typer.Option("--preview", help="Only compare prices: one by one, as one batch, as a cross table. Free."),
    ] = False,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Ask several questions at once. They are counted together, which often costs much less."""
    with curator_of(schema, analyst, key) as curator:
        asked = questions_in(questions)
        given: Any = {
            "bits": by_name(bits, "bits"),
            "error": by_name(error, "error"),
            "stable": stable,
            "dialect": dialect,
        }
        if only_preview:
            compared = curator.preview_batch(asked, **given)
            if as_json:
                show_json(compared_fields(compared))
            else:
                show(compared)
            return
        check_place(report, "--report")
        answers = curator.batch(asked, **given, max_bits=max_bits)
        if as_json:
            show_json(answers_fields(answers))
        else:
            show(answers)
        _write(answers, report, curator.name)


def refine(
    schema: Schema,
    entry: Annotated[int, typer.Argument(help="The number of the question in the ledger.")],
    error: Annotated[list[str], typer.Option(help="The new, smaller error, or 'AVG(age)=0.1' for one number only.")],
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    certificate: Save = None,
    as_json: Json = False,
) -> None:
    """Narrow the intervals of an earlier answer. Only the difference is charged."""
    with curator_of(schema, analyst, key) as curator:
        check_place(certificate, "--certificate")
        wanted: Any = by_name(error, "error")
        _tell(curator.refine(curator.recall(entry), error=wanted, max_bits=max_bits), certificate, as_json)


def by_name(given: list[str] | None, what: str) -> str | dict[str, str] | None:
    """Read options such as --error 'AVG(age)=0.1' --error 1. A number without a name applies to all others."""
    from noiseless.errors import BudgetError

    if not given:
        return None
    found: dict[str, str] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        name = name.strip() or "*"
        if name in found:
            which = "all others" if name == "*" else repr(name)
            raise BudgetError(f"{what}= is given twice for {which}; keep one")
        found[name] = number.strip()
    return found["*"] if [*found] == ["*"] else found


def _tell(answer: Answer, certificate: Path | None, as_json: bool) -> None:
    if as_json:
        show_json(answer_fields(answer))
    else:
        show(answer)
        show(_where(answer))
    if certificate is not None:
        answer.certificate.save(certificate)


def _write(answered: Answer | Answers, report: Path | None, name: str) -> None:
    """Write an HTML page about the answers to `report`, if it is given."""
    if report is not None:
        from noiseless.curator.answer.report import report as page

        report.write_text(page(answered, f"Answers about {name}"), encoding="utf-8")


def _where(answer: Answer) -> str:
    """Where the answer can be found again."""
    if answer.entry:
        return f"question {answer.entry} of the ledger"
    if answer.facts:
        return "deduced from earlier answers: nothing was charged"
    if answer.guarantee.count == 1:
        return "only public numbers: nothing was charged"
    return "known from an earlier answer: nothing was charged"
