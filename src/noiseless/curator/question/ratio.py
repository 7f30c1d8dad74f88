"""The bins of a ratio of two sums or counts, so that the ratio itself keeps the error.

With the numerator in [a0, a1] and the denominator in [b0, b1], 0 < b0, a ratio of at most r in size is reported in an
interval of at most ((a1 − a0) + r(b1 − b0))/b0. So both are first asked coarsely, until the denominator is known not to
be 0. Then b0 and r are known, and each takes half of the error.

Source: theory §11, AVG under a condition: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from noiseless.curator.plan.plan import Aggregate, Arithmetic, Item, Plan
from noiseless.curator.question.centred import Chosen
from noiseless.curator.question.line import Asked, Known, Line
from noiseless.curator.question.past import Past
from noiseless.curator.question.precision import Amounts
from noiseless.curator.releases.release import Release, Width, as_bins
from noiseless.curator.releases.reported import Reported

COARSE = 64
"""At first both are asked with an error of this part of their range, and then of this part of what is left."""
Ratio = tuple[Asked, Asked]
Divided = tuple[list[tuple[Ratio, Fraction]], list[tuple[Asked, Fraction | None]]]
"""Ratios and other numbers, each with its error. A number without one must be exact."""


def divided(plan: Plan, line: Line, errors: Amounts, ratios: bool = True, merged: int = 1) -> Divided:
    """The ratios among the columns of the answer, and the numbers that are needed for anything else, with their errors.

    A ratio to a public number, such as a share of all rows, is the number above it in other units. Without `ratios`,
    and where parts of a ratio have their own errors, every part keeps an error. Of sums and counts, `merged` are added
    up in a subtotal, which keeps the error, too.
    """

    def own(each: Aggregate, error: Fraction | None) -> Fraction | None:
        return error if error is None or each.function == "ORDER" else error / merged

    found, shares, rest = list[tuple[Ratio, Fraction]](), list[tuple[Asked, Fraction | None]](), list[Item]()
    for item in plan.items:
        expression = item.expression
        error = errors.of_item(expression) if ratios and isinstance(expression, Arithmetic) else None
        if not isinstance(expression, Arithmetic) or error is None:
            rest.append(item)
        elif (ratio := ratio_of(expression, line.numbers)) is not None:
            found.append((ratio, error))
        elif (share := share_of(expression, line.numbers)) is not None:
            shares.append((share, error))
        else:
            rest.append(item)
    others = replace(plan, items=tuple(rest)).aggregates()
    asked = ((each, number) for each, number in line.numbers.items() if isinstance(number, Asked) and each in others)
    return found, [*shares, *((number, own(each, errors.of_function(each, rest))) for each, number in asked)]


def share_of(expression: Arithmetic, numbers: Mapping[Aggregate, Known | Asked]) -> Asked | None:
    """The number that is divided by a public number, in units of the share."""
    top, bottom = expression.left, expression.right
    if expression.operation != "/" or not isinstance(top, Aggregate) or not isinstance(bottom, Aggregate):
        return None
    above, below = numbers[top], numbers[bottom]
    if not isinstance(above, Asked) or not isinstance(below, Known) or not below.value:
        return None
    unit = Fraction(1) / below.value
    return replace(above, factor=above.factor * unit, shift=above.shift * unit)


def ratio_of(expression: Arithmetic, numbers: Mapping[Aggregate, Known | Asked]) -> Ratio | None:
    """The numerator and the denominator, if an expression is such a ratio."""
    parts = expression.left, expression.right
    if expression.operation != "/" or not all(isinstance(each, Aggregate) for each in parts):
        return None
    top, bottom = (numbers[each] for each in parts if isinstance(each, Aggregate))
    if not isinstance(top, Asked) or not isinstance(bottom, Asked) or top.beside or bottom.beside:
        return None
    summed = all(each.function in ("SUM", "COUNT") and each.release.window() is not None for each in (top, bottom))
    return (top, bottom) if summed else None


def ratio_widths(ratio: Ratio, error: Fraction, past: Past) -> Chosen:
    """The bins of both, known ones if the ratio keeps the error in them."""
    known = [_known(each, past) for each in ratio]
    (top, width_of_top), (bottom, width_of_bottom) = known
    least = min(abs(bottom.lower), abs(bottom.upper)) if bottom.lower * bottom.upper > 0 else Fraction(0)
    if not least and width_of_bottom is not None and bottom.upper - bottom.lower < 2:
        return Chosen(_kept(ratio, known), complete=True, few=True)
    if width_of_top is None or not least:
        coarse = [(now.upper - now.lower) / COARSE for now, _ in known]
        return _asked(ratio, known, coarse, past, [width_of_top is None, not least])
    corners = [a / b for a in (top.lower, top.upper) for b in (bottom.lower, bottom.upper)]
    if max(corners) - min(corners) <= 2 * error:
        return Chosen(_kept(ratio, known), complete=True)
    half, largest = error * least / 2, max(map(abs, corners))
    return _asked(ratio, known, [half, half / largest if largest else half], past, [True, True])


def _asked(
    ratio: Ratio, known: list[tuple[Reported, Width | None]], errors: list[Fraction], past: Past, again: list[bool]
) -> Chosen:
    """The parts that are asked `again` in narrower bins.

    If they are known in bins as narrow, the error cannot be kept.
    """
    bins = _kept(ratio, known)
    for each, (_, width), error, narrower in zip(ratio, known, errors, again, strict=True):
        wanted = _bins(each, error)
        if narrower and (width is None or as_bins(wanted).widest < as_bins(width).widest):
            bins[each.release] = wanted
    if all(past.found(release, width) is not None for release, width in bins.items()):
        return Chosen(_kept(ratio, known), complete=True, few=True)
    return Chosen(bins, complete=False)


def _kept(ratio: Ratio, known: list[tuple[Reported, Width | None]]) -> dict[Release, Width]:
    """The bins in which both are known, or one bin for a part that is not known."""
    pairs = zip(ratio, known, strict=True)
    return {each.release: each.release.one_bin if width is None else width for each, (_, width) in pairs}


def _known(number: Asked, past: Past) -> tuple[Reported, Width | None]:
    """The narrowest interval in which a number was released, or all that is possible."""
    release = number.release
    best, width = number.in_units(release.anything(number.function)), None
    assert best is not None
    for each in dict.fromkeys([*([1] if release.is_count else []), *past.bins(release)]):
        released = past.found(release, each)
        reported = None if released is None else number.in_units(release.report(each, released, number.function))
        if reported is not None and (width is None or reported.upper - reported.lower < best.upper - best.lower):
            best, width = reported, each
    return best, width


def _bins(number: Asked, error: Fraction) -> Width:
    """The widest bins that keep an error: guarded if these are cheaper, and the narrowest possible if none do."""
    release = number.release
    least = release.error(1, number.function) or Fraction(0)
    wanted = max(number.own_error(Fraction(error)), least)
    wide = release.guarded(wanted, number.function, release.part.rows)
    return wide or release.rounded_width(release.width_within(wanted, number.function), up=False)
