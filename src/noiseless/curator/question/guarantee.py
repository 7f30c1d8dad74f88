"""The guarantee of a question, as a `Guarantee` of the library."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from noiseless.curator.question.price import Prices
from noiseless.curator.question.reading import LONGEST_REMEMBERED, concluded
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Release
from noiseless.privacy.guarantee.assumptions import UNRELATED
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.quantizers.ladder import Ladder

PUBLIC = "the number of rows, the public columns row by row and the schema are public"


def rule(widths: Widths, prices: Prices) -> str:
    """How the count was found, in words."""
    kinds = dict.fromkeys(type(release) for release in widths)
    parts = [_dearest(kind, widths, prices.rows) for kind in kinds] or ["only public numbers: one answer"]
    groups = len({release.part.cells for release in widths})
    if prices.rows > 1 and widths:
        parts.append(f"a person's rows, at most {prices.rows}, divided among the groups in the worst way")
    elif groups > 1:
        parts.append("everybody is in one public group (rule E)")
    if len(widths) > groups:
        parts.append("asked together: jumps of one column add, columns multiply (rules A, D, G)")
    if prices.by_signatures(widths):
        parts.append("one answer for each way in which the conditions can be true of a row, and what sums add (rule H)")
    return "; ".join(parts)


def _dearest(kind: type[Release], widths: Widths, rows: int) -> str:
    """The rule of one kind of release, with the numbers of the release that has the most answers."""
    stated = {
        release.stated(width, rows): release.answers(width, rows)
        for release, width in widths.items()
        if type(release) is kind
    }
    dearest = max(stated, key=lambda words: stated[words])
    return dearest if len(stated) == 1 else f"{dearest} (the largest of {len(stated)} such releases)"


def guarantee(widths: Widths, prices: Prices, per_row: bool = False, promise: int = 1) -> Guarantee:
    """What the whole question promises to a person or, if `per_row`, to a person with one row: at least `promise`."""
    counted = prices.of_one_row() if per_row else prices
    if len(widths) > LONGEST_REMEMBERED:
        return _promised(widths, counted, promise)
    key = tuple(widths.items()), counted.rows, promise
    return concluded(prices.dataset, key, len(widths), lambda: _promised(widths, counted, promise))


def _promised(widths: Widths, counted: Prices, promise: int) -> Guarantee:
    read = sorted({name for release in widths for name in release.reads})
    values = counted.values()
    domain = prod(values[name] for name in read)
    people = "a person is one row" if counted.rows == 1 else f"a person has at most {counted.rows} rows"
    alone = next(iter(widths)) if len(widths) == 1 else None
    bound = None if alone is None else alone.group_bound(widths[alone], counted.rows)
    levels = None if alone is None else alone.levels(widths[alone])
    count = max(promise, counted.count(widths))
    return Guarantee(
        definition="noiseless privacy",
        count=count,
        exact=alone is not None and alone.attained and counted.rows == 1,
        statement=rule(widths, counted),
        assumptions=(UNRELATED, PUBLIC, people),
        levels=count if levels is None else levels,
        smallest_cell=Fraction(1),
        domain_size=Fraction(domain),
        discrete=True,
        spread=bound[0] if bound else None,
        width=bound[1] if bound else None,
        columns=max(1, len(read)),
        stable=bool(widths) and all(isinstance(width, Ladder) for width in widths.values()),
    )
