"""The audit as one HTML page."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from noiseless.curator.page import page, paragraph, table_of
from noiseless.privacy.pictures.svg import svg

if TYPE_CHECKING:
    from noiseless.curator.audit.audit import Audit, Sensitive

WIDTH, HEIGHT, LEFT = 680, 220, 60
SAFE, KNOWN = "#7fb3d5", "#b03a2e"


def audit_page(found: Audit) -> str:
    """The verdict, the figures, pictures, and the classes that reveal a value."""
    figures = [("rows", found.rows), ("classes", found.classes), ("k (fewest rows in a class)", found.k)]
    figures.append(("unique rows", found.unique))
    sections = [("Verdict", paragraph(found.verdict)), ("Classes", table_of(["measure", "value"], figures))]
    for each in found.sensitive:
        measures = [
            ("distinct ℓ (fewest values in a class)", each.distinct_l),
            ("entropy ℓ", f"{each.entropy_l:.4g}"),
            ("t (largest distance from the whole table)", f"{each.t:.4g}"),
            ("rows known with certainty", each.known_rows),
        ]
        section = classes_picture(each) + table_of(["measure", "value"], measures)
        if each.breaches:
            section += paragraph("Homogeneous classes: all their rows have the same value.")
            rows = [[*breach["class"].values(), breach["rows"]] for breach in each.breaches]
            section += table_of([*each.breaches[0]["class"], "rows"], rows)
        sections.append((f"What is revealed about {each.name}", section))
    if found.against is not None:
        measures = [
            ("L0(original; release), bits", f"{found.against.leakage.bits:.5g}"),
            ("I⋆, bits", f"{found.against.maximin.bits:.5g}"),
            ("fewest originals behind a record", found.against.smallest_cell),
            ("rows revealed exactly", found.against.exactly_told),
        ]
        sections.append(("Compared with the original", table_of(["measure", "value"], measures)))
    return page(f"Audit of {found.table}", sections)


def classes_picture(each: Sensitive) -> str:
    """Rows by the number of values that remain possible; rows with a single one in red."""
    remaining = each.remaining
    edges = [*(edge for edge in (1, 2, 3, 4, 5, 10, 20, 50, 100) if edge <= max(remaining)), max(remaining) + 1]
    values, rows = np.array([*remaining]), np.array([*remaining.values()])
    bars = [(low, high - 1, int(rows[(values >= low) & (values < high)].sum())) for low, high in pairwise(edges)]
    tallest, total = max(bar[2] for bar in bars), int(rows.sum())
    wide = (WIDTH - LEFT - 20) / len(bars)
    title = f"rows by the number of values of {each.name} still possible"
    parts = [f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}</text>']
    for place, (low, high, number) in enumerate(bars):
        tall, left = 140 * number / tallest, LEFT + place * wide
        middle = left + wide / 2 - 3
        colour, name = (KNOWN, "1") if low == 1 else (SAFE, str(low) if low == high else f"{low}–{high}")
        parts.append(
            f'<rect x="{left:.1f}" y="{180 - tall:.1f}" width="{wide - 6:.1f}" height="{tall:.1f}" fill="{colour}"/>'
            f'<text x="{middle:.1f}" y="198" text-anchor="middle">{name}</text>'
            f'<text x="{middle:.1f}" y="{174 - tall:.1f}" text-anchor="middle">{100 * number / total:.3g}%</text>'
        )
    return svg(WIDTH, HEIGHT, parts)
