"""What OpenDP and Tumult Analytics offer for a question, by the constructs it needs.

Neither reads these texts: OpenDP has Polars expressions, Tumult Analytics a builder of queries. So this is a reading
of their documentation (OpenDP 0.16, user guide of Polars, where each construct was also tried once; Tumult Analytics
0.21, `QueryBuilder`), a line for each construct, and a question is offered as far as its hardest construct is.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import sqlglot
from sqlglot import exp


class Offer(IntEnum):
    """How far a library goes: it has the construct, its user can compute it from what it releases, or neither."""

    YES = 0
    BY_HAND = 1
    NO = 2


YES, BY_HAND, NO = Offer.YES, Offer.BY_HAND, Offer.NO
OFFERED: dict[str, tuple[Offer, Offer]] = {
    # construct: (OpenDP, Tumult Analytics)
    "counts, sums and means": (YES, YES),
    "distinct values": (YES, YES),
    "medians and quantiles": (YES, YES),
    "least and greatest": (BY_HAND, YES),  # OpenDP: the quantiles 0 and 1
    "variances": (BY_HAND, YES),  # from sums of squares, and those below from sums of products
    "correlation and regression": (BY_HAND, BY_HAND),
    "the commonest value": (BY_HAND, BY_HAND),
    "other statistics": (BY_HAND, BY_HAND),
    "arithmetic of a row": (YES, YES),
    "CASE, ROUND, curves": (NO, YES),  # Tumult maps rows with any function whose range one declares
    "buckets": (YES, YES),
    "patterns of texts": (NO, YES),
    "parts of dates": (YES, YES),
    "public tables": (YES, YES),  # OpenDP has no joins, but replaces the values of a column by others
    "one row per person": (YES, YES),  # OpenDP: group_by the identifier; Tumult: flat_map_by_id
    "rows about rows": (YES, YES),
    "results about results": (BY_HAND, BY_HAND),
    "windows": (BY_HAND, BY_HAND),
    "ROLLUP and the like": (BY_HAND, BY_HAND),
    "UNION ALL": (BY_HAND, BY_HAND),
    "a result as a constant": (BY_HAND, BY_HAND),
    "private joins": (NO, YES),
    "rows of people": (NO, NO),
}
STATISTICS: dict[type[exp.Expr], str] = {
    exp.Median: "medians and quantiles",
    exp.Quantile: "medians and quantiles",
    exp.PercentileCont: "medians and quantiles",
    exp.PercentileDisc: "medians and quantiles",
    exp.Min: "least and greatest",
    exp.Max: "least and greatest",
    exp.Stddev: "variances",
    exp.StddevPop: "variances",
    exp.StddevSamp: "variances",
    exp.Variance: "variances",
    exp.VariancePop: "variances",
    exp.Corr: "correlation and regression",
    exp.CovarPop: "correlation and regression",
    exp.CovarSamp: "correlation and regression",
    exp.RegrSlope: "correlation and regression",
    exp.RegrIntercept: "correlation and regression",
    exp.RegrR2: "correlation and regression",
    exp.Mode: "the commonest value",
    exp.Kurtosis: "other statistics",
    exp.Case: "CASE, ROUND, curves",
    exp.Abs: "CASE, ROUND, curves",
    exp.Round: "CASE, ROUND, curves",
    exp.Floor: "CASE, ROUND, curves",
    exp.IntDiv: "CASE, ROUND, curves",
    exp.Sqrt: "CASE, ROUND, curves",
    exp.Ln: "CASE, ROUND, curves",
    exp.Greatest: "CASE, ROUND, curves",
    exp.Least: "CASE, ROUND, curves",
    exp.WidthBucket: "CASE, ROUND, curves",
    exp.Like: "patterns of texts",
    exp.Left: "patterns of texts",
    exp.DateTrunc: "parts of dates",
    exp.Extract: "parts of dates",
    exp.Year: "parts of dates",
    exp.Month: "parts of dates",
    exp.Window: "windows",
    exp.Rollup: "ROLLUP and the like",
    exp.Cube: "ROLLUP and the like",
    exp.GroupingSets: "ROLLUP and the like",
    exp.Union: "UNION ALL",
}


def offers(sql: str, private: str, key: str | None, views: set[str]) -> tuple[tuple[Offer, str], tuple[Offer, str]]:
    """For each library, how far it goes and the construct that decides it.

    `private` is the private table, `key` the column of its people, `views` the tables with one row for each of them.
    """
    needed = list(dict.fromkeys(_constructs(sqlglot.parse_one(sql, dialect="duckdb"), private, key, views)))
    return _hardest(needed, 0), _hardest(needed, 1)


def _hardest(needed: list[str], library: int) -> tuple[Offer, str]:
    return max(((OFFERED[each][library], each) for each in needed), key=lambda offer: offer[0])


def _constructs(tree: exp.Expr, private: str, key: str | None, views: set[str]) -> Iterator[str]:
    yield "counts, sums and means"
    yield from (_named(node, STATISTICS[type(node)]) for node in tree.walk() if type(node) in STATISTICS)
    if any(node.this and isinstance(node.this, exp.Distinct) for node in tree.find_all(exp.Count)):
        yield "distinct values"
    tables = [table.name for table in tree.find_all(exp.Table)]
    inner = [query.unnest() for query in tree.find_all(exp.Subquery, exp.CTE) for query in [query.this]]
    joined = list(tree.find_all(exp.Join))
    if joined:
        yield "private joins" if tables.count(private) > 1 and len(set(tables)) == 1 else "public tables"
    elif set(tables) - views - {private} - {cte.alias for cte in tree.find_all(exp.CTE)}:
        yield "public tables"
    if views & set(tables) or (key and any(_by(query, key) for query in inner)):
        yield "one row per person"
    elif inner:
        yield "results about results" if any(query.find(exp.AggFunc) for query in inner) else "rows about rows"
    if any(not isinstance(query.parent, exp.From) for query in tree.find_all(exp.Subquery)):
        yield "a result as a constant"
    if (not tree.find(exp.AggFunc) and not tree.find(exp.Distinct)) or (key and _by(tree, key)):
        yield "rows of people"


def _named(node: exp.Expr, construct: str) -> str:
    """A function of results needs no privacy, and one that only makes groups makes buckets."""
    if construct != "CASE, ROUND, curves":
        return construct
    if node.find(exp.AggFunc):
        return "results about results"
    return construct if node.find_ancestor(exp.AggFunc, exp.Where) else "buckets"


def _by(query: exp.Expr, key: str) -> bool:
    """Whether a query groups by the column of people."""
    groups = query.args.get("group")
    return groups is not None and any(column.name == key for column in groups.find_all(exp.Column))
