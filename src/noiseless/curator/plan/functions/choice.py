"""CASE, and what is written with it: IF, COALESCE and NULLIF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.curator.plan import condition as conditions
from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.span import Codes, Span, common, hull
from noiseless.curator.plan.functions.term import Term, Writer, over, ratio

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition

Case = tuple["Condition", Function]
ONE = Constant(Fraction(1))


@dataclass(frozen=True, slots=True)
class Choice(Function):
    """The value of the first case whose condition holds, or the value otherwise."""

    cases: tuple[Case, ...]
    otherwise: Function = NOTHING
    columns: tuple[ColumnOf, ...] = field(default=(), compare=False, repr=False)
    """The columns that its conditions read."""
    never_0: bool = field(default=False, compare=False, repr=False)
    """Whether it is NULLIF(value, 0)."""

    @property
    def kind(self) -> Kind:
        """The kind of its values."""
        return next((part.kind for part in self.parts if part != NOTHING), "number")

    @property
    def parts(self) -> tuple[Function, ...]:
        """All values."""
        return *(value for _, value in self.cases), self.otherwise

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions."""
        return tuple(condition for condition, _ in self.cases)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The cases that are left."""
        if self.never_0:
            return without_0(self.otherwise.given(keys))
        left: list[Case] = []
        for condition, value in self.cases:
            test = conditions.given_public(condition, keys)
            if test == conditions.TRUE:
                return choice(left, value.given(keys), self.columns)
            if test != conditions.FALSE:  # the value of a case that never holds may not be computable
                left.append((test, value.given(keys)))
        return choice(left, self.otherwise.given(keys), self.columns)

    def value(self, row: Row) -> Value:
        """The value of the first case that holds."""
        found = (value for condition, value in self.cases if conditions.holds_for(condition, row))
        return next(found, self.otherwise).value(row)

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """All values that any case can have where its condition holds."""
        found = [value.span(where) for value, where in self._reached(codes) if value != NOTHING]
        every = hull(*found)
        nullable = every.nullable or NOTHING in self.parts
        return replace(every, nullable=nullable, nonzero=every.nonzero or self.never_0)

    def _reached(self, codes: Codes) -> Iterable[tuple[Function, Codes]]:
        """Every value, with the codes that its columns can have where it is chosen."""
        for condition, value in self.cases:
            yield value, conditions.narrowed(condition, codes)
            codes = conditions.narrowed(conditions.negation(condition), codes)
        yield self.otherwise, codes

    def term(self, writer: Writer) -> Term:
        """CASE of whole numbers on a common grid; of quotients, a quotient of two."""
        tests = [conditions.statement(condition, writer) for condition in self.conditions]
        terms = [None if value == NOTHING else value.term(writer) for value in self.parts]
        known = [term for term in terms if term is not None]
        if all(term.under is None for term in known):
            start = known[0].start
            pitch = common(*(abs(each) for term in known for each in (term.pitch, term.start - start))) or Fraction(1)
            *values, last = [None if term is None else term.whole(writer, start, pitch) for term in terms]
            return Term(start, pitch, writer.chosen(list(zip(tests, values, strict=True)), last))
        ratios = [None if term is None else ratio(writer, term) for term in terms]
        sides = []
        for side in (0, 1):
            *values, last = [None if each is None else each[side] for each in ratios]
            sides.append(writer.chosen(list(zip(tests, values, strict=True)), last))
        top, bottom = (Term(Fraction(0), Fraction(1), side) for side in sides)
        return over(writer, top, bottom)

    def absent(self) -> Condition:
        """Where the chosen value is absent."""
        present = [_presence(value) for _, value in self.cases]
        # COALESCE: the last value always exists where it is chosen, because a case catches the rows where it does not
        last = ONE if self.otherwise.absent() in self.conditions else _presence(self.otherwise)
        if {*present, last} == {ONE}:
            return conditions.FALSE
        made = choice(zip(self.conditions, present, strict=True), last, self.columns)
        return conditions.FALSE if made == ONE else conditions.Absent(made)

    def tree(self, write: Write) -> Tree:
        """Pairs of a condition and a value, then the value otherwise."""
        return [
            "case",
            *([write(condition), value.tree(write)] for condition, value in self.cases),
            self.otherwise.tree(write),
        ]

    def __str__(self) -> str:
        if self.never_0:
            return f"NULLIF({self.otherwise}, 0)"
        cases = " ".join(f"WHEN {conditions.in_words(condition)} THEN {value}" for condition, value in self.cases)
        return f"CASE {cases}{'' if self.otherwise == NOTHING else f' ELSE {self.otherwise}'} END"


def _presence(value: Function) -> Function:
    """1 where a function has a value."""
    return choice([(value.absent(), NOTHING)], ONE, columns_in(value))


def choice(cases: Iterable[Case], otherwise: Function = NOTHING, columns: Iterable[ColumnOf] = ()) -> Function:
    """CASE without cases that never or always hold. `columns` are those that its conditions read, or more."""
    kept: list[Case] = []
    for test, value in cases:
        condition = conditions.settled(test, False)
        if condition == conditions.TRUE:
            otherwise = value
            break
        if condition != conditions.FALSE:
            kept.append((condition, value))
    while kept and kept[-1][1] == otherwise:
        kept.pop()
    read = frozenset[str]().union(*(conditions.columns_read(test) for test, _ in kept))
    left = tuple(each for each in dict.fromkeys(columns) if each.name in read)
    return Choice(tuple(kept), otherwise, left) if kept else otherwise


def without_0(part: Function) -> Function:
    """NULLIF(value, 0), which can be a divisor."""
    from noiseless.curator.plan.compare import compared

    if isinstance(part, Constant):
        return NOTHING if part.number == 0 else part
    condition = compared("=", part, Constant(Fraction(0)))
    return Choice(((condition, NOTHING),), part, columns_in(part), never_0=True)


def first_known(listed: Iterable[Function]) -> Function:
    """COALESCE: the first that has a value."""
    *rest, last = listed
    for part in reversed(rest):
        last = choice([(part.absent(), last)], part, columns_in(part))
    return last


def as_choice(way: str, listed: tuple[Function, ...]) -> Function:
    """LEAST or GREATEST written as CASE."""
    best, *rest = listed
    for other in rest:
        better = conditions.Compared("<=" if way == "LEAST" else ">=", best, other)
        columns = columns_in(best, other)
        best = choice([(best.absent(), other), (other.absent(), best), (better, best)], other, columns)
    return best
