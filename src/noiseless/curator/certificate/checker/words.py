"""The question in SQL, made from the plan alone."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.stage_words import with_stages

FUNCTIONS = {"sum": "SUM", "avg": "AVG", "var_pop": "VAR_POP", "stddev_pop": "STDDEV_POP", "count": "COUNT"}
FUNCTIONS |= {"var_samp": "VAR_SAMP", "stddev_samp": "STDDEV_SAMP", "corr": "CORR", "covar_pop": "COVAR_POP"}
FUNCTIONS |= {"covar_samp": "COVAR_SAMP", "regr_slope": "REGR_SLOPE", "regr_intercept": "REGR_INTERCEPT"}
FUNCTIONS |= {"regr_r2": "REGR_R2"}
RANKS = {"0": "MIN", "1": "MAX", "1/2": "MEDIAN"}


def question_of(plan: Mapping[str, Any], table: str) -> str:
    """SELECT … FROM … for a plan that was already read."""
    if "united" in plan:
        return " UNION ALL ".join("(" + question_of(each, table) + ")" for each in plan["united"]) + _ordered(plan)
    groups = {label: tree for name in ("groups", "public_groups") for label, tree, _ in plan.get(name, [])}
    plan = {**plan, **{part: _ungrouped(plan[part], groups) for part in ("items", "having", "order")}}
    text = "SELECT " + ", ".join(f"{_expression(tree)} AS {_name(label)}" for label, tree in plan["items"])
    text += f" FROM {_name(table)}"
    if plan["where"] != ["every"]:
        text += f" WHERE {_condition(plan['where'])}"
    if plan["keys"]:
        named = {name: _function(groups.get(name, ["column", name])) for name in plan["keys"]}
        levels = ["(" + ", ".join(named[name] for name in level) + ")" for level in plan.get("levels", [])]
        text += " GROUP BY " + (f"GROUPING SETS ({', '.join(levels)})" if levels else ", ".join(named.values()))
    if plan["having"] is not None:
        text += f" HAVING {_test(plan['having'])}"
    return with_stages(text + _ordered(plan), plan.get("stages", []), _expression, _name)


def _ordered(plan: Mapping[str, Any]) -> str:
    """The ORDER BY and LIMIT clauses."""
    text = ""
    if plan["order"]:
        directions = {"ascending": "", "descending": " DESC"}
        text = " ORDER BY " + ", ".join(_expression(tree) + directions[way] for tree, way in plan["order"])
    return text if plan["limit"] is None else f"{text} LIMIT {plan['limit']}"


def _ungrouped(node: Any, groups: Mapping[str, Any]) -> Any:
    """The tree, in which the labels of groups are replaced with their functions."""
    if isinstance(node, list) and len(node) == 2 and node[0] == "key" and node[1] in groups:
        return ["key", groups[node[1]]]
    return [_ungrouped(part, groups) for part in node] if isinstance(node, list) else node


def _expression(tree: Any) -> str:
    kind, *parts = tree
    match kind:
        case "count" if not parts:
            return "COUNT(*)"
        case "filter":
            return f"{_expression(parts[0])} FILTER (WHERE {_condition(parts[1])})"
        case "kth":
            named = RANKS.get(parts[1])
            return f"{named}({_about(parts[0])})" if named else f"QUANTILE({_about(parts[0])}, {_number(parts[1])})"
        case "key":
            return _name(parts[0]) if isinstance(parts[0], str) else _function(parts[0])
        case "number":
            return _number(parts[0])
        case "+" | "-" | "*" | "/":
            return f"({_expression(parts[0])} {kind} {_expression(parts[1])})"
        case "text" | "truth" | "date":
            return _constant(parts[0], kind)
        case "percentile_cont":
            return f"QUANTILE_CONT({_about(parts[0])}, {_number(parts[1])})"
        case "count_distinct":
            return f"COUNT(DISTINCT {_about(parts[0])})"
    return f"{FUNCTIONS[kind]}({', '.join(map(_about, parts))})"


def _about(tree: Any) -> str:
    return _name(tree[1]) if tree[0] == "column" else _function(tree[1])


def _function(tree: Any) -> str:
    """A function of the row."""
    if isinstance(tree, str):  # a step, a base or an exponent
        return _number(tree)
    kind, *parts = tree
    match kind:
        case "column":
            return _name(parts[0])
        case "null":
            return "NULL"
        case "number" | "text" | "truth" | "date":
            return _expression(tree)
        case "+" | "-" | "*" | "/":
            return f"({_function(parts[0])} {kind} {_function(parts[1])})"
        case "case":
            cases = "".join(f" WHEN {_condition(test)} THEN {_function(value)}" for test, value in parts[:-1])
            return f"CASE{cases} ELSE {_function(parts[-1])} END"
        case "extract":
            return f"EXTRACT({parts[0].upper()} FROM {_function(parts[1])})"
        case "date_trunc":
            return f"DATE_TRUNC('{parts[0]}', {_function(parts[1])})"
    return f"{kind.upper()}({', '.join(map(_function, parts))})"


def _constant(value: Any, kind: str) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list):
        return _number(value[1])
    quoted = "'" + value.replace("'", "''") + "'"
    return f"DATE {quoted}" if kind == "date" else quoted


def _test(tree: Any) -> str:
    kind, *parts = tree
    if kind == "not":
        return f"NOT {_test(parts[0])}"
    if kind in ("and", "or"):
        return "(" + f" {kind.upper()} ".join(map(_test, parts)) + ")"
    return f"({_expression(parts[0])} {kind} {_expression(parts[1])})"


def _condition(node: Any) -> str:
    kind, *parts = node
    match kind:
        case "every" | "some":
            joined = (" AND " if kind == "every" else " OR ").join(map(_condition, parts))
            return f"({joined})" if parts else "TRUE" if kind == "every" else "FALSE"
        case "not":
            return f"NOT {_condition(parts[0])}"
        case "missing" | "absent":
            return f"({_function(parts[0])} IS NULL)"
        case "compared":
            return f"({_function(parts[1])} {parts[0]} {_function(parts[2])})"
        case "in":
            return f"({_name(parts[0][1])} IN ({', '.join(_constant(key, 'text') for key in parts[1])}))"
    name, ranges = _name(parts[0][1]), parts[1]
    return "(" + " OR ".join(_between(name, *pair) for pair in ranges) + ")" if ranges else f"({name} IN ())"


def _between(name: str, first: str, last: str) -> str:
    if first == last:
        return f"{name} = {_value(first)}"
    return f"{name} BETWEEN {_value(first)} AND {_value(last)}"


def _value(text: str) -> str:
    return f"DATE '{text}'" if text.count("-") == 2 else _number(text)


def _number(text: str) -> str:
    """A decimal if there is a short one."""
    number = Fraction(text)
    scaled = number * 10**12
    if number.denominator == 1 or scaled.denominator != 1:
        return text
    digits = f"{abs(scaled.numerator):013d}"
    return ("-" if number < 0 else "") + f"{digits[:-12]}.{digits[-12:]}".rstrip("0")


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
