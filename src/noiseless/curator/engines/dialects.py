"""How each engine writes whole numbers of functions: types, quotients, look-ups and parts of dates."""

from __future__ import annotations

from collections.abc import Sequence


def _listed(numbers: Sequence[int | None]) -> str:
    return ", ".join("NULL" if number is None else str(number) for number in numbers)


def _type(numbers: Sequence[int | None], wide: str) -> str:
    """The type that holds all of them."""
    return wide if any(number is not None and abs(number) >= 1 << 63 for number in numbers) else "BIGINT"


class InDuckDB:
    """How DuckDB writes them."""

    wide = "HUGEINT"
    double = "DOUBLE"

    def quotient(self, top: str, bottom: str, wide: bool) -> str:
        """The whole part of a quotient of numbers that are not negative."""
        return f"({top} // {bottom})"

    def element(self, numbers: Sequence[int | None], place: str) -> str:
        """The number at a place, counted from 0."""
        return f"([{_listed(numbers)}]::{_type(numbers, self.wide)}[])[CAST({place} AS BIGINT) + 1]"

    def calendar(self, part: str, days: str) -> str:
        """A part of a date, or the day on which a period of it starts."""
        day = f"(DATE '1970-01-01' + CAST({days} AS INTEGER))"
        if part.startswith("start of "):
            return f"(CAST(date_trunc('{part[9:]}', {day}) AS DATE) - DATE '1970-01-01')"
        return f"date_part('{part}', {day})"


class InPostgres:
    """How Postgres writes them."""

    wide = "NUMERIC"
    double = "DOUBLE PRECISION"

    def quotient(self, top: str, bottom: str, wide: bool) -> str:
        """The whole part of a quotient of numbers that are not negative."""
        return f"div({top}, {bottom})" if wide else f"({top} / {bottom})"

    def element(self, numbers: Sequence[int | None], place: str) -> str:
        """The number at a place, counted from 0."""
        return f"(ARRAY[{_listed(numbers)}]::{_type(numbers, self.wide)}[])[CAST({place} AS INTEGER) + 1]"

    def calendar(self, part: str, days: str) -> str:
        """A part of a date, or the day on which a period of it starts."""
        day = f"(DATE '1970-01-01' + CAST({days} AS INTEGER))"
        if part.startswith("start of "):
            return f"(CAST(date_trunc('{part[9:]}', CAST({day} AS TIMESTAMP)) AS DATE) - DATE '1970-01-01')"
        return f"CAST(EXTRACT({part} FROM {day}) AS BIGINT)"


class InSpark:
    """How Spark writes them."""

    wide = "DECIMAL(38, 0)"
    double = "DOUBLE"

    def quotient(self, top: str, bottom: str, wide: bool) -> str:
        """The whole part of a quotient of numbers that are not negative."""
        return f"({top} div {bottom})"

    def element(self, numbers: Sequence[int | None], place: str) -> str:
        """The number at a place, counted from 0. Rows that are left out may have places where there is none."""
        return f"get(array({_listed(numbers)}), CAST({place} AS INT))"

    def calendar(self, part: str, days: str) -> str:
        """A part of a date, or the day on which a period of it starts."""
        day = f"date_add(DATE'1970-01-01', CAST({days} AS INT))"
        if part.startswith("start of "):
            return f"datediff(CAST(date_trunc('{part[9:]}', {day}) AS DATE), DATE'1970-01-01')"
        named = {"dow": f"(dayofweek({day}) - 1)", "isodow": f"(weekday({day}) + 1)", "doy": f"dayofyear({day})"}
        return named.get(part, f"{part}({day})")
