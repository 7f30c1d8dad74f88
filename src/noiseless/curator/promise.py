"""The guarantee of a question, in the words of the library below."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from noiseless.curator.price import Prices
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.total import Total
from noiseless.curator.widths import Widths
from noiseless.privacy.definitions.noiseless.certify import UNRELATED
from noiseless.privacy.guarantee import Guarantee

PUBLIC = "the number of rows, the public columns row by row and the schema are public"
RULES: dict[type, str] = {
    Total: "a sum of codes in bins of w: at most ⌈M/w⌉ + 1 answers",
    FilteredTotal: "a sum under a private condition: at most ⌈M'/w⌉ + 1 answers, 0 being a contribution too",
    FilteredMean: "how many a private condition keeps, with the sum of their codes: at most ⌈M/w⌉ + 2 joint answers",
    HeadCount: "an exact count of a private condition: 2 answers",
    TallyOfCategory: "an exact histogram: as many answers as a person can have values",
    OrderStatistic: "an order statistic: as many answers as bins, and one for nobody under a private condition",
}
VARIANCE = "a variance: at most ⌈(n−1)M²/w⌉ + 1 answers"


def rule(widths: Widths, prices: Prices) -> str:
    """How the count was found."""
    kinds = [RULES.get(type(release), VARIANCE) for release in widths]
    parts = list(dict.fromkeys(kinds)) or ["only public numbers: one answer"]
    groups = len({release.part.cells for release in widths})
    if prices.rows > 1:
        parts.append(f"up to {prices.rows} rows of a person, divided among the groups in the worst way")
    elif groups > 1:
        parts.append("everybody is in one public group (rule E)")
    if len(widths) > groups:
        parts.append("asked together: jumps of one column add, columns multiply (rules A, D, G)")
    return "; ".join(parts)


def guarantee(widths: Widths, prices: Prices, per_row: bool = False) -> Guarantee:
    """What the whole question promises to a person, or to a person with one row."""
    counted = prices.of_one_row() if per_row else prices
    read = sorted({name for release in widths for name in release.reads})
    values = prices.values()
    domain = prod(values[name] for name in read)
    people = "a person is one row" if counted.rows == 1 else f"a person has at most {counted.rows} rows"
    alone = next(iter(widths)) if len(widths) == 1 else None
    spread, width = _group_bound(alone, widths, counted.rows)
    count = counted.count(widths)
    return Guarantee(
        definition="noiseless privacy",
        count=count,
        exact=_attained(alone) and counted.rows == 1,
        statement=rule(widths, counted),
        assumptions=(UNRELATED, PUBLIC, people),
        levels=_levels(alone, widths, count),
        smallest_cell=Fraction(1),
        domain_size=Fraction(domain),
        discrete=True,
        spread=spread,
        width=width,
        columns=max(1, len(read)),
    )


def _attained(alone: Release | None) -> bool:
    """Whether some data cause as many answers: of sums, and of counts whose condition is surely no contradiction."""
    return isinstance(alone, Total) or (isinstance(alone, HeadCount) and alone.column is not None)


def _group_bound(alone: Release | None, widths: Widths, rows: int) -> tuple[Fraction | None, Fraction | None]:
    """How far one person moves a sum, and its bins: then groups of people have a bound too."""
    if isinstance(alone, Total):
        return Fraction(rows * alone.column.top), Fraction(widths[alone])
    return (Fraction(rows), Fraction(1)) if isinstance(alone, HeadCount) else (None, None)


def _levels(alone: Release | None, widths: Widths, count: int) -> int:
    """All answers there can be, where that is a plain number of bins; elsewhere at least the count."""
    if isinstance(alone, Total):
        return alone.part.size * alone.column.top // widths[alone] + 1
    return alone.part.size + 1 if isinstance(alone, HeadCount) else count
