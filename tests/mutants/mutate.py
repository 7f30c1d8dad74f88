"""Small mistakes, one at a time, made in the syntax tree of a module."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CALCULATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
CALLED = {"min": "max", "max": "min", "ceil": "floor", "floor": "ceil", "all": "any", "any": "all"}
CALLED |= {"float_down": "float_up", "float_up": "float_down"}
TRUE, FALSE = ast.Constant(True), ast.Constant(False)


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, what was there and what is there now, and the whole module with it."""

    module: str
    function: str
    line: int
    statement: int
    """The line where the innermost statement around it begins."""
    before: str
    after: str
    tree: ast.Module

    @property
    def key(self) -> str:
        """What it is known by, wherever it moves to."""
        return f"{self.module} | {self.function} | {self.before} → {self.after}"


def mutants(module: str, path: Path) -> Iterator[Mutant]:
    """All mistakes in the functions of a module, in the order of the text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function, place in _functions(tree):
        for steps, node in _inside(place):
            for changed in _changes(node):
                whole = copy.deepcopy(tree)
                _put(whole, steps, changed)
                ast.fix_missing_locations(whole)
                shown = steps[:-1] if isinstance(node, ast.Constant) else steps  # a number says little by itself
                texts = _text(_at(tree, shown)), _text(_at(whole, shown))
                yield Mutant(module, function, getattr(node, "lineno", 0), _statement(tree, steps), *texts, whole)


class _Watched(ast.NodeTransformer):
    """Says of every statement in a function that it is reached."""

    def __init__(self, call: str) -> None:
        self.call = call

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        for each in ast.walk(node):
            for field, value in ast.iter_fields(each):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    setattr(each, field, [said for one in value for said in (self._said(one), one)])
        return node

    def _said(self, one: ast.stmt) -> ast.stmt:
        return ast.copy_location(
            ast.Expr(ast.Call(ast.Name(self.call, ast.Load()), [ast.Constant(one.lineno)], [])), one
        )


def watched(path: Path, call: str) -> ast.Module:
    """A module that calls `call` with the line of every statement of a function before it is run."""
    return ast.fix_missing_locations(_Watched(call).visit(ast.parse(path.read_text(encoding="utf-8"))))


Steps = tuple[tuple[str, int | None], ...]


def _functions(tree: ast.AST, steps: Steps = (), name: str = "") -> Iterator[tuple[str, tuple[Steps, ast.AST]]]:
    """Every function that is not inside another, by its qualified name."""
    for step, child in _children(tree):
        if isinstance(child, ast.FunctionDef):
            yield f"{name}{child.name}", ((*steps, step), child)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*steps, step), f"{name}{child.name}.")


def _children(node: ast.AST) -> Iterator[tuple[tuple[str, int | None], ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield (field, None), value
        elif isinstance(value, list):
            yield from (((field, place), each) for place, each in enumerate(value) if isinstance(each, ast.AST))


def _inside(place: tuple[Steps, ast.AST]) -> Iterator[tuple[Steps, ast.AST]]:
    """The nodes of a function that are no words: no texts of errors, annotations, decorators or narrowing for mypy."""
    steps, node = place
    for step, child in _children(node):
        if step[0] in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        if isinstance(child, (ast.Raise, ast.Assert, ast.JoinedStr)):
            continue
        below = ((*steps, step), child)
        yield below
        yield from _inside(below)


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.Constant(value) if type(value) is int:
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.BinOp():
            yield from _calculated(node)
        case ast.BoolOp() | ast.UnaryOp(ast.Not()) | ast.IfExp() | ast.If() | ast.While():
            yield from _decided(node)
        case ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), inner), ast.FloorDiv(), right)):
            yield ast.BinOp(inner, ast.FloorDiv(), right)
        case ast.Call(ast.Name(name)) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, node.keywords)
        case ast.Expr(ast.Call(ast.Name(name) | ast.Attribute(attr=name))) if "check" in name:
            yield ast.Pass()


def _decided(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.BoolOp(other, node.values)
            for place in range(len(node.values)):
                kept = node.values[:place] + node.values[place + 1 :]
                yield kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)
        case ast.UnaryOp():
            yield node.operand
        case ast.IfExp():
            yield node.body
            yield node.orelse
        case ast.If() | ast.While():
            yield from _branches(node)


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for place, kind in enumerate(map(type, node.ops)):
        yield ast.Compare(node.left, [*node.ops[:place], COMPARED[kind](), *node.ops[place + 1 :]], node.comparators)


def _calculated(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in CALCULATED:
        yield ast.BinOp(node.left, CALCULATED[type(node.op)](), node.right)
    if isinstance(node.op, (ast.Add, ast.Sub)):
        yield node.left
    if isinstance(node.op, ast.Add):
        yield node.right


def _branches(node: ast.If | ast.While) -> Iterator[ast.AST]:
    """What is refused is let pass; the other branch is taken."""
    if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise) and not node.orelse:
        yield ast.Pass()
        return
    tests = (TRUE, FALSE) if isinstance(node, ast.If) else (FALSE,)
    for test in tests:
        yield type(node)(test, node.body, node.orelse)


def _at(tree: ast.AST, steps: Steps) -> ast.AST:
    for field, place in steps:
        below = getattr(tree, field)
        tree = below if place is None else below[place]
    return tree


def _statement(tree: ast.AST, steps: Steps) -> int:
    around = (_at(tree, steps[:depth]) for depth in range(len(steps), 0, -1))
    return next(each.lineno for each in around if isinstance(each, ast.stmt))


def _put(tree: ast.AST, steps: Steps, changed: ast.AST) -> None:
    tree, (field, place) = _at(tree, steps[:-1]), steps[-1]
    if place is None:
        setattr(tree, field, copy.deepcopy(changed))
    else:
        getattr(tree, field)[place] = copy.deepcopy(changed)


def _text(node: ast.AST) -> str:
    """One line; of a branch only its test."""
    shown = copy.deepcopy(node)
    if isinstance(shown, (ast.If, ast.While)):
        shown.body, shown.orelse = [ast.Expr(ast.Constant(...))], []
    return " ".join(ast.unparse(ast.fix_missing_locations(shown)).split())[:120]
