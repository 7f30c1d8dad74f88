"""Carry out a design by the ordinary paths: ask, or release a copy. Nothing new is in the ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from noiseless.curator import inner_steps
from noiseless.curator.answer.answer import Answer
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.microdata.copy import Microdata, copied_rows, release_copy
from noiseless.curator.microdata.plan import CopyPlan, Wanted, plan_copy
from noiseless.curator.terms import Terms
from noiseless.errors import BudgetError, BudgetExceededError, SourceError
from noiseless.exact.plural import plural
from noiseless.exact.readable import bits_left_shown, bits_shown
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.weights import Product

if TYPE_CHECKING:
    from noiseless.curator.designing.designed import Design


@dataclass(frozen=True, slots=True, repr=False)
class Published:
    """What was released: the base table, the answers, and the questions that the bits no longer allowed.

    `factor` is what was charged in all.
    """

    base: Answer | Microdata | None
    answers: tuple[Answer, ...]
    refused: tuple[str, ...]
    factor: Product
    remaining: float

    @property
    def cost(self) -> float:
        """What was charged, in bits, rounded up."""
        return bits_up(self.factor)

    def __repr__(self) -> str:
        base = "no base table" if self.base is None else "the base table"
        asked = f" and {plural(len(self.answers), 'answer')}" if self.answers else ""
        lost = f"; {plural(len(self.refused), 'question')} refused after a loud answer" if self.refused else ""
        left = bits_left_shown(self.remaining)
        return f"published {base}{asked}{lost}; charged {bits_shown(self.factor)}, {left} left; the workload is deduced"


def publish(design: Design, to: str | Path | None, analyst: str | None) -> Published:
    """The base table at the announced price or not at all, then one question after another."""
    base = _base(design, to, analyst)
    factor, answers, refused = Fraction(1 if base is None else base.factor), list[Answer](), list[str]()
    for each in design.asked:
        assert each.asked is not None
        terms = replace(each.asked, analyst=analyst)
        try:
            answers.append(inner_steps.ask(design.asking, each.wish.text, terms))
            factor *= Fraction(answers[-1].factor)
        except (BudgetExceededError, BudgetError):
            refused.append(each.wish.text)
    return Published(base, tuple(answers), tuple(refused), factor, design.asking.account.bits_left)


def _base(design: Design, to: str | Path | None, analyst: str | None) -> Answer | Microdata | None:
    asking = design.asking
    if to is not None and not design.copied:
        raise SourceError("this design has no copy to write; make it with copy=True, or leave to= out")
    if not design.base.divisions:
        return None
    plan = plan_copy(asking.dataset, Wanted(**design.copy)) if design.copied else None
    _check_price(design, plan)
    if plan is None:
        return inner_steps.ask(asking, design.question, Terms(analyst=analyst))
    if to is None:
        raise SourceError("the design has a copy; name the parquet or csv file to write it to with to=")
    name = asking.name_of(analyst)
    return release_copy(plan, asking.dataset, asking.account, str(to), name, None, asking.key)


def _check_price(design: Design, plan: CopyPlan | None) -> None:
    """Refuse if the ledger has moved on and the base table now costs more than was announced."""
    asking = design.asking
    if plan is not None:
        purchases = [Purchase.of_copy(copied_rows(plan, asking.dataset))]
    else:
        purchases = [Purchase.of_questions([step]) for step in asking.planning.steps(design.question, Terms())]
    price = asking.account.quote_steps(purchases)
    if not price.affordable or price.factor > design.price:
        raise BudgetExceededError(
            f"the base table would now cost {bits_shown(price.factor)}, and {bits_shown(design.price)} was announced, "
            f"because other questions came first; nothing was charged: design again"
        )
