"""How precise each number of a question is to be, or what it may cost: one amount for all of them, or by name.

A name is a label of the answer, or a function as SQL writes it. "*" is every other number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.plan import Aggregate, Constant, Expression, Item, KeyOf, Plan
from noiseless.curator.sql.example import written
from noiseless.curator.sql.read import read
from noiseless.errors import BudgetError, NoiselessError
from noiseless.exact.number import Number, exact_number, shown

Amount = Number | Mapping[str, Number]
"""`error=` or `bits=`: one for all numbers, or one for each name."""
OTHERS = "*"
MOST_NAMES = 1000


def amounts_by_name(given: Amount, what: str) -> dict[str, Number]:
    """The amount of every name; "*" if there is one for all. Refused unless they are names and numbers."""
    if not isinstance(given, Mapping):
        return {OTHERS: given}
    if not 0 < len(given) <= MOST_NAMES or not all(isinstance(name, str) for name in given):
        raise BudgetError(f"{what}= by name needs functions and numbers, such as {what}={{'AVG(age)': 1, '*': 2}}")
    for name, number in given.items():
        if isinstance(number, Mapping):
            raise BudgetError(f"{what}= of {shown(name)} must be one number; write {what}={{{shown(name)}: 1}}")
        exact_number(number, f"{what} of {shown(name)}")
    return dict(given)


def below_one(bits: Amount | None) -> Number | None:
    """What the quiet answers of a question may cost together: the bits if they are one amount, or the sum below one."""
    if not isinstance(bits, Mapping):
        return bits
    small = [each for each in (exact_number(number, "bits") for number in bits.values()) if each < 1]
    return sum(small, Fraction(0)) if small else None


@dataclass(frozen=True, slots=True)
class Amounts:
    """Which number of a question gets which amount. A number without one must be exact.

    `names` are the names of functions and calculated columns. The name of a function goes before that of a column that
    is calculated from it.
    """

    plan: Plan
    given: Mapping[str, Number]
    by_name: Mapping[str, Fraction]
    names: Mapping[Expression, str]
    known: dict[Hashable, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls, plan: Plan, given: Amount, what: str, dataset: Dataset, checked: Callable[[Number], Fraction]
    ) -> Amounts:
        """The amounts for a plan. Names of other questions are left out. `checked` refuses an impossible amount."""
        by_name = amounts_by_name(given, what)
        found = {name: _checked(name, number, checked) for name, number in by_name.items()}
        names = _named(plan, [name for name in found if name != OTHERS], what, dataset)
        return cls(plan, by_name, found, names)

    def name(self, expression: Expression) -> str | None:
        """The name under which a function or a calculated column gets its amount. None if it gets none."""
        return self.names.get(expression, OTHERS if OTHERS in self.by_name else None)

    def of_item(self, expression: Expression) -> Fraction | None:
        """The amount of a calculated column itself. None if one of its parts has its own."""
        name = self.name(expression)
        if name is None or any(part in self.names for part in _parts(expression)):
            return None
        return self.by_name[name]

    def names_of(self, aggregate: Aggregate, items: Iterable[Item] | None = None) -> tuple[str, ...]:
        """The names under which a function gets amounts: its own, or the names of calculated columns that need it."""
        if not self.names or aggregate in self.names:
            name = self.name(aggregate)
            return () if name is None else (name,)
        given = self.plan.all_items if items is None else tuple(items)
        key = aggregate, tuple(item.label for item in given)
        if key not in self.known:
            users = [item.expression for item in given if aggregate in _parts(item.expression)]
            names = dict.fromkeys(map(self.name, users or [aggregate]))
            self.known[key] = tuple(name for name in names if name is not None)
        return self.known[key]

    def of_function(self, aggregate: Aggregate, items: Iterable[Item] | None = None) -> Fraction | None:
        """The amount of a function: the smallest, if it is needed for several columns."""
        return min((self.by_name[name] for name in self.names_of(aggregate, items)), default=None)

    def label(self, aggregate: Aggregate) -> str:
        """What the answer calls a function, or the column that it is needed for."""
        used = [item for item in self.plan.all_items if aggregate in _parts(item.expression)]
        alone = [item for item in used if item.expression == aggregate]
        return next((item.label for item in [*alone, *used]), aggregate.function)


def _checked(name: str, number: Number, checked: Callable[[Number], Fraction]) -> Fraction:
    """The amount. A refusal says which number it belongs to."""
    try:
        return checked(number)
    except BudgetError as wrong:
        raise wrong if name == OTHERS else BudgetError(f"for {shown(name)}, {wrong}") from None


def check_names(given: Amount | None, what: str, texts: Iterable[str], dataset: Dataset) -> None:
    """Refuse a name that no question has."""
    if not isinstance(given, Mapping):
        return
    names = [name for name in amounts_by_name(given, what) if name != OTHERS]
    plans = [read(text, dataset.schema, dataset.name, dataset.public_tables) for text in texts] if names else []
    for name in names:
        if not any(_meant(name, plan, dataset) for plan in plans):
            labels = dict.fromkeys(item.label for plan in plans for item in _numbers(plan))
            raise BudgetError(
                f"{what}= names {shown(name)}, which the question does not have; name {', '.join(map(repr, labels))}, "
                f"or '*' for all others"
            )


def meant_by(name: str, texts: Iterable[str], dataset: Dataset) -> bool:
    """Whether one of the questions has a number with this name."""
    plans = (read(text, dataset.schema, dataset.name, dataset.public_tables) for text in texts)
    return any(_meant(name, plan, dataset) for plan in plans)


def _named(plan: Plan, names: list[str], what: str, dataset: Dataset) -> dict[Expression, str]:
    found: dict[Expression, str] = {}
    for name in names:
        for expression in _meant(name, plan, dataset):
            if expression in found:
                raise BudgetError(
                    f"{what}= names one number twice, as {shown(found[expression])} and as {shown(name)}; keep one"
                )
            found[expression] = name
    return found


def _meant(name: str, plan: Plan, dataset: Dataset) -> list[Expression]:
    """The function or the calculated column with a name: exactly as written, in other case, or as SQL reads it."""
    items = _numbers(plan)
    for alike in (str, _plainly):
        if found := [item.expression for item in items if alike(item.label) == alike(name)]:
            return list(dict.fromkeys(found))
    try:
        meant = read(f"SELECT {name} FROM {written(dataset.name)}", dataset.schema, dataset.name)
    except NoiselessError:
        return []
    if meant != Plan(meant.items) or len(meant.items) != 1:
        return []
    expression = meant.items[0].expression
    return [expression] if expression in {*plan.aggregates(), *(item.expression for item in items)} else []


def _numbers(plan: Plan) -> list[Item]:
    """The columns of the answer that are numbers."""
    return [item for item in plan.all_items if not isinstance(item.expression, (KeyOf, Constant))]


def _plainly(text: str) -> str:
    return "".join(text.split()).replace('"', "").casefold()


def _parts(expression: Expression) -> tuple[Aggregate, ...]:
    """The functions that an expression is made of."""
    return Plan((Item("", expression),)).aggregates()
