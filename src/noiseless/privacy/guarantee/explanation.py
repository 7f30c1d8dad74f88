"""A guarantee in words that need no mathematics."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from noiseless.exact.number import written
from noiseless.exact.readable import bits_shown

if TYPE_CHECKING:
    from noiseless.privacy.guarantee.guarantee import Guarantee


def explain(guarantee: Guarantee) -> str:
    """The promise, its basis, what follows, what does not; one line each."""
    parts = [("Promise", [_promise(guarantee)]), ("Rests on", [guarantee.statement, *guarantee.assumptions])]
    parts += [("Implies", _implied(guarantee)), ("Does not imply", _not_implied(guarantee))]
    return "\n".join(f"{title}:\n" + "\n".join(f"  - {line}" for line in lines) for title, lines in parts)


def explain_html(guarantee: Guarantee) -> str:
    """The same as HTML."""
    sections = [
        f"<dt><b>{title}</b></dt>" + "".join(f"<dd>{escape(line)}</dd>" for line in lines)
        for title, lines in (
            ("Promise", [_promise(guarantee)]),
            ("Rests on", [guarantee.statement, *guarantee.assumptions]),
            ("Implies", _implied(guarantee)),
            ("Does not imply", _not_implied(guarantee)),
        )
    ]
    return f"<dl>{''.join(sections)}</dl>"


def _promise(guarantee: Guarantee) -> str:
    size = "1 answer" if guarantee.count == 1 else f"{written(guarantee.count)} different answers"
    tight = "and some data do cause that many" if guarantee.exact else "possibly fewer"
    if guarantee.count == 1:
        tight = "so the answer says nothing about any one person"
    return (
        f"{guarantee.definition}: whatever everybody else's data are, changing one person's data to anything else "
        f"leads to at most {size} ({bits_shown(guarantee.count)}), {tight}."
    )


def _implied(guarantee: Guarantee) -> list[str]:
    bits, count = bits_shown(guarantee.count), written(guarantee.count)
    groups = "group" if guarantee.count == 1 else "groups"
    lines = [
        f"anybody who knows everybody else's data learns at most which of {count} {groups} of values one "
        f"person's value is in (maximin information and zero-error capacity at most {bits})",
        f"whatever is believed beforehand, the chance to guess anything about one person right grows at most "
        f"{count}-fold (maximal leakage at most {bits})",
        "no function computed from the answer says more than the answer",
    ]
    if guarantee.count == 1:
        lines.append("no test can tell any value of one person from any other")
    else:
        lines.append("a test of one value of a person against another has at most 2 telling answers (1 bit)")
    if not guarantee.discrete and guarantee.columns == 1:
        error = guarantee.estimation_error(1, 1 / guarantee.domain_size)
        lines.append(
            f"somebody who believes a person's value equally likely anywhere in its range of {guarantee.domain_size} "
            f"still errs by {error:.4g} on average, at the least"
        )
    if guarantee.spread is not None and guarantee.width is not None:
        lines.append(f"2 people together cause at most {guarantee.group(2)} answers, 10 at most {guarantee.group(10)}")
    return lines


def _not_implied(guarantee: Guarantee) -> list[str]:
    lines = ["it is not differential privacy, and adds no randomness"]
    if guarantee.count > 1:
        pinned = guarantee.smallest_cell <= guarantee.discrete
        cell = "a single value" if pinned else f"a part of size {guarantee.smallest_cell} of {guarantee.domain_size}"
        lines.append(
            f"the count limits how many answers there are, not how much one says: an unlucky answer can narrow one "
            f"person's value down to {cell} for whoever knows everybody else's data "
            f"(leakage {guarantee.leakage.bits:.4g} bits)"
        )
    if guarantee.spread is None:
        lines.append("nothing is promised for two or more people taken together")
    lines.append("where people's data depend on each other, what others' data say about a person is not covered")
    return lines
