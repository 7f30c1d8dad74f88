"""The question that a certificate shows: SQL made from the written plan, not from the analyst's words.

The checker writes the same text with its own code. If you change it here, change it there too, or make a new format.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.stage_wording import around
from noiseless.curator.plan.trees import Tree

SHARES = {"0": "MIN", "1": "MAX", "1/2": "MEDIAN"}
DIGITS = 12
"""A number with more decimals than this is written as a quotient."""


def question_text(plan: Mapping[str, Any], table: str) -> str:
    """The statement with its clauses.

    >>> plan = {"items": [["n", ["count"]]], "where": ["within", ["column", "age"], [["65", "131/2"]]], "keys": []}
    >>> question_text({**plan, "having": None, "order": [], "limit": "3"}, "people")
    'SELECT COUNT(*) AS "n" FROM "people" WHERE ("age" BETWEEN 65 AND 65.5) LIMIT 3'
    """
    if "united" in plan:
        selects = (f"({question_text(each, table)})" for each in plan["united"])
        return " ".join([" UNION ALL ".join(selects), *_last(plan)])
    plan = _with_groups(plan)
    items = ", ".join(f"{_expression(tree)} AS {_quoted(label)}" for label, tree in plan["items"])
    clauses = [f"SELECT {items} FROM {_quoted(table)}"]
    clauses += [f"WHERE {_condition(plan['where'])}"] if plan["where"] != ["every"] else []
    clauses += [f"GROUP BY {_grouping(plan)}"] if plan["keys"] else []
    clauses += [f"HAVING {_test(plan['having'])}"] if plan["having"] is not None else []
    return around(" ".join([*clauses, *_last(plan)]), plan.get("stages", []), _expression, _quoted)


def _last(plan: Mapping[str, Any]) -> list[str]:
    """The ORDER BY and LIMIT clauses."""
    order = [f"{_expression(tree)}{' DESC' if way == 'descending' else ''}" for tree, way in plan["order"]]
    clauses = [f"ORDER BY {', '.join(order)}"] if order else []
    return clauses + ([f"LIMIT {plan['limit']}"] if plan["limit"] is not None else [])


def _with_groups(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plan, in which the labels of groups are replaced with their functions."""
    groups = [*plan.get("groups", ()), *plan.get("public_groups", ())]
    functions = {label: ["grouped", tree] for label, tree, _ in groups}

    def named(tree: Any) -> Any:
        if not isinstance(tree, list):
            return tree
        return functions.get(tree[1], tree) if tree[:1] == ["key"] else [named(part) for part in tree]

    parts = {name: named(plan[name]) for name in ("items", "having", "order")}
    levels = [[named(["key", name]) for name in level] for level in plan.get("levels", ())]
    return {**plan, **parts, "keys": [named(["key", name]) for name in plan["keys"]], "levels": levels}


def _grouping(plan: Mapping[str, Any]) -> str:
    """The GROUP BY clause: what rows are grouped by, at one level or at each of several."""
    if not plan["levels"]:
        return ", ".join(map(_expression, plan["keys"]))
    levels = [f"({', '.join(map(_expression, level))})" for level in plan["levels"]]
    return f"GROUPING SETS ({', '.join(levels)})"


def _expression(tree: Tree) -> str:
    match tree:
        case ["grouped", function]:
            return function_text(function)
        case ["count"]:
            return "COUNT(*)"
        case ["filter", aggregate, condition]:
            return f"{_expression(aggregate)} FILTER (WHERE {_condition(condition)})"
        case ["key", name]:
            return _quoted(name)
        case ["number", text]:
            return _number(text)
        case ["date", text]:
            return f"DATE {_text(text)}"
        case [("text" | "truth"), value]:
            return _key(value)
        case [("+" | "-" | "*" | "/") as operation, left, right]:
            return f"({_expression(left)} {operation} {_expression(right)})"
    return _aggregate(tree)


def _aggregate(tree: Tree) -> str:
    match tree:
        case ["kth", about, share]:
            rank = SHARES.get(share)
            return f"QUANTILE({_about(about)}, {_number(share)})" if rank is None else f"{rank}({_about(about)})"
        case ["percentile_cont", about, share]:
            return f"QUANTILE_CONT({_about(about)}, {_number(share)})"
        case ["count_distinct", about]:
            return f"COUNT(DISTINCT {_about(about)})"
        case [function, *sides]:
            return f"{function.upper()}({', '.join(map(_about, sides))})"
    raise AssertionError(tree)


def _about(tree: Tree) -> str:
    """What a number is about."""
    return function_text(tree[1]) if tree[0] == "function" else _quoted(tree[1])


def function_text(tree: Tree) -> str:
    """A function of a row.

    >>> function_text(["/", ["column", "weight"], ["*", ["number", "1/100"], ["column", "height"]]])
    '("weight" / (0.01 * "height"))'
    """
    match tree:
        case ["column", name]:
            return _quoted(name)
        case ["null"]:
            return "NULL"
        case [("number" | "date" | "text" | "truth"), _]:
            return _expression(tree)
        case [("+" | "-" | "*" | "/") as sign, left, right]:
            return f"({function_text(left)} {sign} {function_text(right)})"
        case ["case", *cases, otherwise]:
            listed = " ".join(f"WHEN {_condition(test)} THEN {function_text(value)}" for test, value in cases)
            return f"CASE {listed} ELSE {function_text(otherwise)} END"
        case ["extract", what, part]:
            return f"EXTRACT({what.upper()} FROM {function_text(part)})"
        case ["date_trunc", unit, part]:
            return f"DATE_TRUNC({_text(unit)}, {function_text(part)})"
        case [name, *parts]:
            return f"{name.upper()}({', '.join(_number(p) if isinstance(p, str) else function_text(p) for p in parts)})"
    raise AssertionError(tree)


def _test(tree: Tree) -> str:
    match tree:
        case ["not", part]:
            return f"NOT {_test(part)}"
        case [("and" | "or") as word, *parts]:
            return f"({f' {word.upper()} '.join(map(_test, parts))})"
        case [sign, left, right]:
            return f"({_expression(left)} {sign} {_expression(right)})"
    raise AssertionError(tree)


def _condition(tree: Tree) -> str:
    match tree:
        case ["every"] | ["some"]:
            return "TRUE" if tree == ["every"] else "FALSE"
        case ["every", *parts]:
            return f"({' AND '.join(map(_condition, parts))})"
        case ["some", *parts]:
            return f"({' OR '.join(map(_condition, parts))})"
        case ["not", part]:
            return f"NOT {_condition(part)}"
        case ["compared", sign, left, right]:
            return f"({function_text(left)} {sign} {function_text(right)})"
        case [("absent" | "missing"), function]:
            return f"({function_text(function)} IS NULL)"
        case ["in", [_, name], keys]:
            return f"({_quoted(name)} IN ({', '.join(map(_key, keys))}))"
        case ["within", [_, name], []]:
            return f"({_quoted(name)} IN ())"
        case ["within", [_, name], pairs]:
            return f"({' OR '.join(_range(_quoted(name), *pair) for pair in pairs)})"
    raise AssertionError(tree)


def _range(name: str, first: str, last: str) -> str:
    low, high = (f"DATE {_text(end)}" if end.count("-") == 2 else _number(end) for end in (first, last))
    return f"{name} = {low}" if first == last else f"{name} BETWEEN {low} AND {high}"


def _number(text: str) -> str:
    number = Fraction(text)
    if number.denominator == 1 or 10**DIGITS % number.denominator:
        return text
    return f"{Decimal(int(number * 10**DIGITS)).scaleb(-DIGITS):f}".rstrip("0")


def _key(value: Any) -> str:
    if isinstance(value, list):
        return _number(value[1])
    return _text(value) if isinstance(value, str) else str(value).upper()


def _text(value: str) -> str:
    return "'{}'".format(value.replace("'", "''"))


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))
