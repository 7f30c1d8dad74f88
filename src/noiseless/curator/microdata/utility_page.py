"""The utility report as one HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from noiseless.curator.microdata.utility import WARNING
from noiseless.curator.page import page, paragraph, table_of
from noiseless.privacy.pictures.svg import svg

if TYPE_CHECKING:
    from noiseless.curator.microdata.utility import ColumnUtility, Utility

WIDTH, HEIGHT = 680, 180
BEFORE, AFTER = "#7fb3d5", "#b03a2e"


def utility_page(found: Utility) -> str:
    """The warning first, then every column, then figures about whole rows."""
    sections = [("Keep this confidential", paragraph(WARNING))]
    for each in found.columns:
        figures = [
            ("error promised", f"{each.promised:.6g}"),
            ("error measured", f"{each.measured:.6g}"),
            ("mean of the copy less the mean of the data", f"{each.mean_difference:.4g}"),
            ("Kullback–Leibler divergence of the histograms, nats", f"{each.divergence:.4g}"),
            ("total variation", f"{each.variation:.4g}"),
        ]
        sections.append((each.name, histogram_picture(each) + table_of(["figure", "value"], figures)))
    if found.generalised:
        rows = [(name, values, groups) for name, (values, groups) in found.generalised.items()]
        sections.append(("Categories", table_of(["column", "values", "groups"], rows)))
    if found.correlations:
        pairs = [(f"{a}, {b}", f"{x:.4f}", f"{y:.4f}") for (a, b), (x, y) in found.correlations.items()]
        sections.append(("Correlations", table_of(["columns", "before", "after"], pairs)))
    before, after = found.unique
    shares = [("before", f"{100 * before:.4g} %"), ("after", f"{100 * after:.4g} %")]
    sections.append(("Unique rows", table_of(["", "share"], shares)))
    if found.together:
        words = "; ".join(", ".join(group) for group in found.together)
        sections.append(("Columns that belong together", paragraph(f"{words}: an adversary reads them as one.")))
    return page("Utility of a released copy", sections)


def histogram_picture(each: ColumnUtility) -> str:
    """The data in blue, what the copy says about them as a red line."""
    before, after = each.before.tolist(), each.after.tolist()
    tallest, wide = max([*before, *after]) or 1, (WIDTH - 40) / len(before)
    parts = [f'<text x="20" y="16" font-size="13">{escape(each.name)}: data (blue), copy (red)</text>']
    line = []
    for place, (left, right) in enumerate(zip(before, after, strict=True)):
        x, tall, level = 20 + place * wide, 130 * left / tallest, 160 - 130 * right / tallest
        parts.append(f'<rect x="{x:.1f}" y="{160 - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{BEFORE}"/>')
        line.append(f"{x:.1f},{level:.1f} {x + wide:.1f},{level:.1f}")
    parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="{AFTER}" stroke-width="2"/>')
    column = each.cells.column
    parts.append(f'<text x="20" y="176">{column.show(column.low)}</text>')
    parts.append(f'<text x="{WIDTH - 20}" y="176" text-anchor="end">{column.show(column.high)}</text>')
    return svg(WIDTH, HEIGHT, parts)
