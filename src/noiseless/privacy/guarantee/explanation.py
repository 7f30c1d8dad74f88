"""A guarantee in plain words, without mathematics."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from noiseless.exact.number import written
from noiseless.exact.readable import bits_shown, number_shown

if TYPE_CHECKING:
    from noiseless.privacy.guarantee.guarantee import Guarantee

LONG = 10**15
STABLE = "nobody's data alone could have changed the value, only how finely it is given"


def explain(guarantee: Guarantee) -> str:
    """The promise, what it rests on, what follows and what does not; one line each."""
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
    tight = "and some data do cause that number" if guarantee.exact else "possibly fewer"
    if guarantee.count == 1:
        tight = "so the answer says nothing about any one person"
    return (
        f"{guarantee.definition}: with everybody else's data fixed at anything, one person's data can cause "
        f"at most {size} ({bits_shown(guarantee.count)}), {tight}."
    )


def _implied(guarantee: Guarantee) -> list[str]:
    bits, count = bits_shown(guarantee.count), written(guarantee.count)
    groups = "group" if guarantee.count == 1 else "groups"
    lines = [
        f"an adversary who knows everybody else's data learns at most which of {count} {groups} of values one "
        f"person's value is in (maximin information and zero-error capacity at most {bits})",
        f"for any prior belief, the chance of guessing anything about one person correctly grows at most "
        f"{count}-fold (maximal leakage at most {bits})",
        "no function of the answer reveals more than the answer",
    ]
    if guarantee.stable:
        lines.insert(0, STABLE)
    if guarantee.count == 1:
        lines.append("no test can distinguish one value of a person from another")
    else:
        lines.append("a test of one value of a person against another has at most 2 telling answers (1 bit)")
    if not guarantee.discrete and guarantee.columns == 1 and guarantee.domain_size is not None:
        error = guarantee.estimation_error(1, 1 / guarantee.domain_size)
        lines.append(
            f"an adversary whose prior is uniform over a person's range of {_size(guarantee.domain_size)} "
            f"still errs by at "
            f"least "
            f"{error:.4g} on average"
        )
    if guarantee.spread is not None and guarantee.width is not None:
        lines.append(
            f"2 people together can cause at most {written(guarantee.group(2))} answers, 10 people at most "
            f"{written(guarantee.group(10))}"
        )
    return lines


def _not_implied(guarantee: Guarantee) -> list[str]:
    lines = ["it is not differential privacy and adds no randomness"]
    if guarantee.count > 1:
        pinned = guarantee.smallest_cell <= guarantee.discrete
        cell = "a single value"
        if guarantee.domain_size is not None:
            if not pinned:
                cell = f"a part of size {_size(guarantee.smallest_cell)} of {_size(guarantee.domain_size)}"
            cell += f" (leakage {guarantee.leakage.bits:.4g} bits)"
        lines.append(
            f"the count limits the number of answers, not how much one answer reveals: to an adversary who knows "
            f"everybody "
            f"else's data, an unlucky answer can narrow one person's value down to {cell}"
        )
    if guarantee.spread is None:
        lines.append("nothing is promised about two or more people together")
    lines.append("if people's data depend on each other, what the others' data reveal about a person is not covered")
    return lines


def _size(number: Fraction) -> str:
    """A size, exactly if that is short."""
    return str(number) if max(number.numerator, number.denominator) < LONG else number_shown(number)
