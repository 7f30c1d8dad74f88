"""Draw the pictures of the documentation: python docs/pictures/make.py. A test checks that they are up to date."""

from __future__ import annotations

from fractions import Fraction
from math import log2, log10
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import noiseless as nl
from noiseless.curator.audit.page import classes_picture
from noiseless.curator.microdata.utility_page import histogram_picture

INK, BATCH, TREE, PAPER = "#1b2631", "#1f618d", "#b03a2e", "#7d6608"


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    return {
        "reach.svg": nl.calibrate(nl.Mean(n=300, low=0, high=60), bits=2).picture(),
        "batch_and_sequence.svg": batch_and_sequence(),
        "cost_of_means.svg": cost_of_means(),
        "guarded_bins.svg": guarded_bins(),
        "trial.svg": trial(),
        "bands.svg": bands(),
        "epsilon_against_error.svg": epsilon_against_error(),
        "regions_mean.svg": nl.optimal_quantizer(PAIR, error="0.625").regions(),
        "regions_bowl.svg": nl.optimal_quantizer(bowl, error="0.5", against="maximin", box=SQUARE).regions(),
        "trade_off.svg": nl.trade_off(PAIR, [Fraction(k, 50) for k in range(5, 76)]).picture(),
        "estimate.svg": estimate(),
        "leakage_by_people.svg": leakage_by_people(),
        "released_heights.svg": released_heights(),
        "audited_classes.svg": audited_classes(),
    }


def svg(width: int, height: int, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img"><rect width="{width}" height="{height}" fill="white"/>'
        + "".join(parts)
        + "</svg>\n"
    )


def text(x: float, y: float, words: str, colour: str = INK, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = INK, dash: str = "") -> str:
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="2"{style}/>'


def batch_and_sequence() -> str:
    """Left: three cuts declared together leave four pieces. Right: three chosen in turn leave eight."""
    parts = [text(20, 24, "Declared together: 3 cuts of one value leave 4 pieces", BATCH)]
    parts.append(line(20, 110, 320, 110))
    for place, share in enumerate((0.2, 0.5, 0.8)):
        x = 20 + 300 * share
        parts += [line(x, 60, x, 130, BATCH), text(x, 54, f"question {place + 1}", BATCH, "middle")]
    for left, right, name in ((0, 0.2, "1"), (0.2, 0.5, "2"), (0.5, 0.8, "3"), (0.8, 1, "4")):
        parts.append(text(20 + 150 * (left + right), 104, name, INK, "middle"))
    parts.append(text(20, 200, "The cuts are the same whatever the answers are."))
    parts.append(text(360, 24, "Chosen one after another: the cut follows the answer", TREE))
    for step in range(3):
        y, pieces = 60 + 45 * step, 2**step
        for piece in range(pieces):
            left, right = 360 + 300 * piece / pieces, 360 + 300 * (piece + 1) / pieces
            middle = (left + right) / 2
            parts += [line(left, y + 20, right, y + 20), line(middle, y, middle, y + 32, TREE)]
        parts.append(text(664, y + 24, f"{2 * pieces}", INK))
    parts.append(text(360, 200, "Each answer moves the next cut: 2, 4, 8 transcripts."))
    return svg(700, 220, parts)


def cost_of_means() -> str:
    """Bits for k one-bit means of one column: the papers' rule, one by one, and as a batch."""
    top, column = 600, "kWh"
    question = nl.PlainSum(column, width=top, rows=1000, top=top)
    sequence, one_by_one, batch = nl.Sequence.start({column: top + 1}, bits=1000), [0.0], [0.0]
    for means in range(1, 101):
        sequence = sequence.ask(question).after
        one_by_one.append(log2(sequence.spent()))
        batch.append(nl.Batch([nl.Release((column,), 2) for _ in range(means)]).account().bits)
    parts = [line(60, 20, 60, 220), line(60, 220, 560, 220)]
    parts += [text(60 + 5 * k, 238, str(k), INK, "middle") for k in range(0, 101, 20)]
    parts += [text(52, 224 - 2 * b, str(b), INK, "end") for b in range(0, 101, 20)]
    parts.append(text(310, 256, "number of one-bit means of one column", INK, "middle"))
    parts.append(text(66, 16, "bits"))
    for values, colour, dash in ((list(range(101)), PAPER, "6 5"), (one_by_one, TREE, "2 4"), (batch, BATCH, "")):
        points = " ".join(f"{60 + 5 * k:.1f},{220 - 2 * bits:.1f}" for k, bits in enumerate(values))
        style = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{style}/>')
    parts.append(text(566, 24, "the papers' rule, and", PAPER))
    parts.append(text(566, 40, f"one by one: {one_by_one[-1]:.0f}", TREE))
    parts.append(text(566, 212, f"as a batch: {batch[-1]:.2f}", BATCH))
    return svg(700, 264, parts)


def guarded_bins() -> str:
    """Wide bins with guards between them, and windows of V = 8 sums that one person's data can cause."""
    window, enough, narrow = 8, nl.Bins(24, 7), nl.Bins(24, 5)
    parts = [text(20, 24, "Wide bins are quiet (blue), and the guards between them are loud (red).")]
    parts.append(text(20, 150, "Black: the V sums that one person's data can cause, with everybody else's data fixed."))
    rows = [
        (54, enough, 2, "always the same wide bin"),
        (54, enough, 21, "this wide bin or this guard"),
        (54, enough, 54, "never more than one of each"),
        (184, narrow, 23, "guards below V − 1 are too narrow: one person can cause two different quiet answers"),
    ]
    for top, bins in dict(row[:2] for row in rows).items():
        for first, last, guard in ((*bins.ends(place), bins.is_guard(place)) for place in range(5)):
            colour, words, x, width = (
                TREE if guard else BATCH,
                "guard" if guard else "wide bin",
                20 + 9 * first,
                9 * (last + 1 - first),
            )
            parts.append(f'<rect x="{x}" y="{top}" width="{width}" height="30" fill="{colour}" stroke="{colour}" ')
            parts += [f'fill-opacity="{0.5 if guard else 0.2}"/>', text(x + width / 2, top + 20, words, INK, "middle")]
    for top, _, start, words in rows:
        x1, x2, y = 20 + 9 * start, 20 + 9 * (start + window), top + 46
        parts += [line(x1, y, x2, y), line(x1, y - 6, x1, y + 6), line(x2, y - 6, x2, y + 6)]
        parts.append(text(x1, top + 70, words))
    return svg(860, 270, parts)


def trial() -> str:
    """The two ranges of NHT Example 2 and where they overlap."""
    person = nl.Box(height=(100, 250), mistake=(-10, 10))
    made = nl.Trial(person, lambda height, mistake: height + mistake, person.where(height="(150, 250]"))
    x = lambda at: 20 + 3.4 * (float(at) - 85)  # noqa: E731
    parts = [text(20, 22, "What can be reported by the short, and by the tall")]
    rows = ((60, made.ranges[0], BATCH, "at most 150 cm"), (100, made.ranges[1], TREE, "taller"))
    for y, found, colour, name in (*rows, (140, made.overlap, PAPER, "both: the report tells nothing")):
        parts.append(
            f'<rect x="{x(found.low):.1f}" y="{y - 12}" width="{x(found.high) - x(found.low):.1f}" height="18" '
        )
        parts.append(f'fill="{colour}" fill-opacity="0.35" stroke="{colour}"/>')
        parts.append(text(x(found.high) + 8, y + 2, name, colour))
    parts += [text(x(at), 178, f"{at}", INK, "middle") for at in (90, 140, 160, 260)]
    parts += [line(x(at), 44, x(at), 162, INK, "2 4") for at in (90, 140, 160, 260)]
    return svg(800, 190, parts)


PEOPLE, OBESE = nl.Box(weight=(0, 200), height=(0, 250)), nl.Boundary("weight", lambda height: 0.003 * height**2)


def bands() -> str:
    """What each policy hides with an error of 10 kg, and where it reports it."""
    parts = []
    for place, policy in enumerate(
        (nl.Collapse(OBESE, error=10), nl.Stretch(OBESE, error=10), nl.Shift(OBESE, error=10))
    ):
        left = 40 + 270 * place
        x, y = (lambda height, left=left: left + 0.9 * float(height)), (lambda weight: 230 - float(weight))
        hidden, heights = policy.hidden(PEOPLE), range(0, 251, 2)
        for height in heights[:-1]:
            for part in hidden.slice(height=height + 1).components:
                top, bottom = y(part.high), y(part.low)
                parts.append(f'<rect x="{x(height):.1f}" y="{top:.1f}" width="1.9" height="{bottom - top:.1f}" ')
                parts.append(f'fill="{BATCH}" fill-opacity="0.35"/>')
        curve = " ".join(f"{x(height):.1f},{y(OBESE.at(height=height)):.1f}" for height in heights)
        parts.append(f'<polyline points="{curve}" fill="none" stroke="{TREE}" stroke-width="2"/>')
        parts += [line(left, 30, left, 230), line(left, 230, left + 225, 230)]
        found = policy.certify(PEOPLE)
        parts.append(text(left, 20, f"{type(policy).__name__}: {100 * float(found.hidden.lower):.1f} % hidden", BATCH))
        parts.append(text(left + 112, 250, "height, 0–250 cm", INK, "middle"))
        for height, weight in (
            (120, 30),
            (120, 38),
            (120, 48),
            (120, 56),
            (190, 96),
            (190, 104),
            (190, 112),
            (190, 120),
        ):
            there = policy.report(weight, OBESE.at(height=height), PEOPLE["weight"])
            parts.append(line(x(height), y(weight), x(height) + 9, y(there), INK))
            parts.append(f'<circle cx="{x(height) + 9:.1f}" cy="{y(there):.1f}" r="2.5" fill="{INK}"/>')
    parts.append(text(30, 20, "kg", INK, "end"))
    return svg(840, 262, parts)


PAIR, SQUARE = nl.Mean(n=2, low=-2, high=2), nl.Box(x1=(-2, 2), x2=(-2, 2))


def bowl(x1: Any, x2: Any) -> Any:
    return x1**2 + 2 * x2**2


def some_people() -> pandas.DataFrame:
    """Synthetic people whose illness goes with their age."""
    draw = np.random.default_rng(10)
    height = draw.normal(172, 9, 4000).clip(101, 249).round(1)
    age = draw.integers(18, 90, 4000)
    ill = np.where(draw.random(4000) < age / 150, draw.choice(["flu", "asthma", "gout", "fracture"], 4000), "none")
    return pandas.DataFrame({"age": age, "height": height, "region": draw.integers(0, 8, 4000), "ill": ill})


def released_heights() -> str:
    """Heights before and after a release of three bits."""
    schema = nl.Schema(height=nl.Real(100, 250, step="0.1"))
    with nl.Curator.open(some_people(), schema, budget=12) as curator:
        return histogram_picture(curator.utility(curator.preview_release(bits=3)).columns[0])


def audited_classes() -> str:
    """How many illnesses remain possible in the classes of a 5-anonymous table."""
    anonymous = nl.k_anonymous(some_people(), ["age", "height", "region"], k=5)
    return classes_picture(nl.audit(anonymous, ["age", "height", "region"], "ill").sensitive[0])


def estimate() -> str:
    """The four cells of a mean of two, and the smallest ball around a corner cell and around a middle one."""
    found = nl.adversary_estimate(nl.Quantizer(-2, 2, levels=4), PAIR)
    at = lambda value: 60 + 60 * (float(value) + 2)  # noqa: E731
    down = lambda value: 300 - 60 * (float(value) + 2)  # noqa: E731
    corners = [[(-2, -2), (0, -2), (-2, 0)], [(0, -2), (2, -2), (-2, 2), (-2, 0)], [(2, -2), (2, 0), (0, 2), (-2, 2)]]
    parts = []
    for cell, shade in zip(
        (*corners, [(2, 0), (2, 2), (0, 2)]), ("#deebf7", "#9ecae1", "#4292c6", "#084594"), strict=True
    ):
        points = " ".join(f"{at(x):.1f},{down(y):.1f}" for x, y in cell)
        parts.append(f'<polygon points="{points}" fill="{shade}" stroke="white"/>')
    balls = (((-1, -1), found.d_min, TREE, ""), ((0, 0), found.d_max, PAPER, "6 5"))
    for place, ((x, y), radius, colour, dash) in enumerate(balls):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<circle cx="{at(x):.1f}" cy="{down(y):.1f}" r="{60 * float(radius):.1f}" fill="none" ')
        parts.append(f'stroke="{colour}" stroke-width="2"{style}/>')
        parts.append(f'<circle cx="{at(x):.1f}" cy="{down(y):.1f}" r="3" fill="{colour}"/>')
        what = "a mean below −1" if place == 0 else "a mean between −1 and 0"
        parts.append(text(380, 130 + 44 * place, f"{what}: the best estimate is the", colour))
        parts.append(text(380, 146 + 44 * place, f"dot, off by up to {float(radius):.3f}", colour))
    parts += [text(at(2), 318, "x1 = 2", INK, "end"), text(52, down(2) + 12, "x2 = 2", INK, "end")]
    return svg(720, 380, [f'<g transform="translate(0, 10)">{"".join(parts)}</g>'])


def leakage_by_people() -> str:
    """L0 of the quantized mean against n, at the printed number of levels, in bits."""
    parts = [line(60, 20, 60, 240), line(60, 240, 460, 240), text(60, 14, "L0(X; Y), bits")]
    parts += [text(60 + 20 * n, 258, str(n), INK, "middle") for n in range(2, 21, 3)]
    parts += [text(52, 244 - 200 * bits / 120, str(bits), INK, "end") for bits in range(0, 121, 40)]
    parts.append(text(260, 276, "number of people n", INK, "middle"))
    for bits, colour in ((2, PAPER), (3, BATCH), (4, TREE)):
        leaks = []
        for n in range(2, 21):
            mean = nl.Mean(n=n, low=0, high=1)
            leaks.append(nl.query_leakage(nl.Quantizer(0, 1, nl.theorem_5_as_printed(mean, bits)), mean).bits)
        points = " ".join(f"{60 + 20 * (k + 2)},{240 - 200 * leak / 120:.1f}" for k, leak in enumerate(leaks))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(468, 244 - 200 * leaks[-1] / 120, f"ε = {bits}", colour))
    return svg(560, 286, parts)


def epsilon_against_error() -> str:
    """ε of the three policies and the limit for any, for errors from 0.1 to 30 kg, both axes logarithmic."""
    errors = [Fraction(10) ** place * digit for place in (-1, 0, 1) for digit in (1, 2, 3, 5)][:11]
    curves = {
        "Collapse and Stretch": [nl.Collapse(OBESE, error=each).certify(PEOPLE).epsilon for each in errors],
        "Shift": [nl.Shift(OBESE, error=each).certify(PEOPLE).epsilon for each in errors],
        "limit of any policy": [nl.Shift(OBESE, error=each).certify(PEOPLE).limit for each in errors],
    }
    x = lambda error: 70 + 170 * (log10(error) + 1)  # noqa: E731
    y = lambda epsilon: 40 + 70 * (0.5 - log10(float(epsilon)))  # noqa: E731
    parts = [line(70, 30, 70, 300), line(70, 300, 500, 300), text(70, 20, "ε (pull-back)")]
    parts += [text(x(at), 318, f"{at:g}", INK, "middle") for at in (0.1, 1, 10)]
    parts += [text(62, y(at) + 4, f"{at:g}", INK, "end") for at in (0.001, 0.01, 0.1, 1)]
    parts.append(text(285, 336, "error in kg = 1/accuracy", INK, "middle"))
    for (name, values), colour in zip(curves.items(), (PAPER, BATCH, TREE), strict=True):
        points = " ".join(f"{x(float(e)):.1f},{y(v):.1f}" for e, v in zip(errors, values, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(x(float(errors[-1])) + 8, y(values[-1]) + 4, name, colour))
    return svg(660, 346, parts)


if __name__ == "__main__":
    for name, drawing in pictures().items():
        Path(__file__).with_name(name).write_text(drawing, encoding="utf-8")
