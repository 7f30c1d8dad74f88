"""Draw the pictures of the documentation: python docs/pictures/make.py. A test checks that they are up to date."""

from __future__ import annotations

from math import log2
from pathlib import Path

import noiseless as nl

INK, BATCH, TREE, PAPER = "#1b2631", "#1f618d", "#b03a2e", "#7d6608"


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    return {
        "reach.svg": nl.calibrate(nl.Mean(n=300, low=0, high=60), bits=2).picture(),
        "batch_and_sequence.svg": batch_and_sequence(),
        "cost_of_means.svg": cost_of_means(),
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


if __name__ == "__main__":
    for name, drawing in pictures().items():
        Path(__file__).with_name(name).write_text(drawing, encoding="utf-8")
