"""The sixty questions about the Young People Survey with 12 bits: as designed, one by one, and in one batch.

Uses the real answers if NOISELESS_DATA names their folder, otherwise a synthetic twin.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import noiseless as nl
from benchmarks.measure import Row, seconds, shown
from noiseless.curator.designing.workload import Wish, in_file
from noiseless.errors import NoiselessError

FOLDER = Path(__file__).parent.parent / "examples" / "survey"
BITS, TENTH = 12, 0.1
PRIOR: dict[str, Any] = {
    "Age": "normal(20, 3)",
    "Height": "normal(174, 10)",
    "Weight": "normal(66, 13)",
    "Number of siblings": "exponential(1.5)",
    "Finances": "normal(3, 1)",
    "Happiness in life": "normal(3.5, 1)",
    "Gender": {"female": "0.55", "male": "0.44"},
    "Village - town": {"village": "0.3", "city": "0.69"},
    "Only child": {"no": "0.75", "yes": "0.24"},
    "Smoking": {"missing": "0.01"},
}
"""What is known of people of 15 to 30 years, written before the answers were looked at."""


@contextmanager
def opened() -> Iterator[nl.Curator]:
    """The survey, freshly opened, with its 12 bits."""
    with TemporaryDirectory() as folder:
        shutil.copy(FOLDER / "survey.toml", folder)
        given = os.environ.get("NOISELESS_DATA")
        if given:
            shutil.copy(Path(given) / "young_people_survey" / "responses.csv", folder)
        else:
            twin().to_csv(Path(folder) / "responses.csv", index=False)
        with nl.Curator.open(Path(folder) / "survey.toml") as curator:
            yield curator


def twin(people: int = 1010, seed: int = 29) -> Any:
    """Made-up answers of as many people: tall people are heavier, and most young people do not smoke."""
    import pandas

    random = np.random.default_rng(seed)
    male = random.random(people) < 0.44
    height = np.clip(np.where(male, 181, 168) + random.normal(0, 7, people), 140, 209).round()
    weight = np.clip(height - 108 + 5 * male + random.normal(0, 9, people), 40, 139).round()
    smoking = ["never smoked", "tried smoking", "former smoker", "current smoker"]
    return pandas.DataFrame(
        {
            "Age": np.clip(15 + random.gamma(4, 1.4, people), 15, 30).round().astype(int),
            "Height": height.astype(int),
            "Weight": weight.astype(int),
            "Number of siblings": random.poisson(1.3, people),
            "Finances": random.integers(1, 6, people),
            "Happiness in life": np.clip(random.normal(3.7, 0.9, people), 1, 5).round().astype(int),
            "Gender": np.where(male, "male", "female"),
            "Village - town": np.where(random.random(people) < 0.3, "village", "city"),
            "Only child": np.where(random.random(people) < 0.25, "yes", "no"),
            "Smoking": random.choice(smoking, people, p=[0.2, 0.43, 0.18, 0.19]),
        }
    )


def workload() -> list[Wish]:
    """The committed questions."""
    return in_file(FOLDER / "workload.sql")


def share_of(answer: Any, nothing: Any) -> float:
    """Half of its widest interval, as a share of the range: the interval if nothing but the schema is known."""
    largest = 0.0
    for row, before in zip(answer.rows, nothing.rows, strict=True):
        for label in answer.numbers:
            number, first = row[label], before[label]
            if hasattr(number, "upper") and hasattr(first, "upper") and first.upper > first.lower:
                largest = max(largest, float((number.upper - number.lower) / (first.upper - first.lower)) / 2)
    return largest


def nothing_known() -> list[Any]:
    """What follows about every question from the schema alone."""
    with opened() as curator:
        return [curator.deduce(wish.text) for wish in workload()]


def designed(bits: float = BITS, prior: dict[str, Any] | None = None) -> tuple[Any, list[float], list[float]]:
    """The design, the share of every question after it was published, and the seconds of every deduction."""
    with opened() as curator:
        plan = curator.design(workload(), bits=bits, prior=prior)
        bought = {answer.question: answer for answer in plan.publish().answers}
        shares, times = [], []
        for wish, nothing in zip(workload(), nothing_known(), strict=True):
            times.append(seconds(partial(curator.deduce, wish.text), 1))
            known = [curator.deduce(wish.text), *([bought[wish.text]] if wish.text in bought else [])]
            shares.append(min(share_of(each, nothing) for each in known))
        return plan, shares, times


def one_by_one() -> list[float]:
    """Each question in order, as cheaply as possible, until the budget ends: counts exactly, others for a bit."""
    with opened() as curator:
        return [_bought(curator, wish.text, nothing) for wish, nothing in zip(workload(), nothing_known(), strict=True)]


def _bought(curator: nl.Curator, text: str, nothing: Any) -> float:
    for terms in ({}, {"bits": 1}, {"bits": "1.585"}, {"bits": 2}):
        try:
            return share_of(curator.ask(text, **terms), nothing)
        except NoiselessError:
            continue
    return 0.5


def mixed(bits: float) -> tuple[list[float], float]:
    """A base table for some bits, then every question that it leaves beyond a tenth asked with that error.

    The share of every question afterwards, and the bits left.
    """
    with opened() as curator:
        curator.design(workload(), bits=bits).publish()
        before = nothing_known()
        for wish, nothing in zip(workload(), before, strict=True):
            if share_of(curator.deduce(wish.text), nothing) > TENTH:
                _sharpened(curator, wish.text, nothing)
        pairs = zip(workload(), before, strict=True)
        return [share_of(curator.deduce(wish.text), nothing) for wish, nothing in pairs], curator.remaining


def _sharpened(curator: nl.Curator, text: str, nothing: Any) -> None:
    """Ask with errors of a tenth of the ranges, if the budget allows it."""
    ranges = {label: nothing.rows[0][label] for label in nothing.numbers}
    errors = {label: (each.upper - each.lower) * Fraction(1, 10) for label, each in ranges.items()}
    with suppress(NoiselessError):
        curator.ask(text, error=errors if len(errors) > 1 else next(iter(errors.values())))


def within(shares: Sequence[float]) -> str:
    """How many are within a tenth of the range, how many say more than the schema, and the median."""
    near, some = sum(each <= TENTH for each in shares), sum(each < 0.5 for each in shares)
    return f"{near} within a tenth of the range, {some} say more than the schema; median {median(shares):.3f}"


def rows() -> list[Row]:
    """The measured figures."""
    source = "answers" if os.environ.get("NOISELESS_DATA") else "twin"
    plan, shares, times = designed()
    expecting, hoped, _ = designed(prior=PRIOR)
    bought, (both, left) = one_by_one(), mixed(10)
    count, batch = len(shares), next(way for way in plan.ways if way.name == "batch")
    assert plan.cost <= BITS
    return [
        Row(f"60 questions, 12 bits, {source}: designed for the worst table", within(shares), "", "", "median ≤ 0.1"),
        Row(
            "the same, announced before anything was spent",
            within([float(each.sure) for each in plan.served]),
            "",
            "",
            "",
        ),
        Row("designed with a prior", within(hoped), f"{expecting.cost:.3f} bits expected", "", ""),
        Row(
            "a base table of 10 bits, then what it leaves open asked to a tenth",
            within(both),
            f"{left:.2f} bits left",
            "",
            "",
        ),
        Row("one by one", within(bought), f"{count} asked", "", ""),
        Row("one batch", batch.sentence, "", "", ""),
        Row("deducing a question: median, slowest", f"{shown(median(times))}, {shown(max(times))}", "", "", "≤ 50 ms"),
    ]
