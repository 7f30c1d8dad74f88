"""What the names and types of columns suggest. No value is read, so no person's data can change a guess."""

from __future__ import annotations

import re
from typing import Any

PERSON = (
    r"(.*_)?(uu|gu)?id(_.*)?|(.*_)?(patient|person|household|customer|client|member|user|subject|account|meter|respondent|"
    r"employee|student|participant|citizen|insured)_?(id|no|nr|num|number|key|code)?|ssn|nin|nino|nhs.*|email|e_mail|"
    r"phone|passport.*|(full_?)?name|surname|pseudonym|(patient|person|user|customer|client|member|subject)id"
)
ORDER = (
    r"(.*_)?(date|day|time|timestamp|datetime|at|month|week|visit|wave|round|seq|sequence|period|year|quarter)(_.*)?"
)
KINDS = {
    "boolean": r"(is|has|had|was|did|can)_.*|.*_(flag|yn)",
    "date": r"(.*_)?(date|day|dob|birthday|timestamp|datetime|born|died)|date_.*|.*_(at|on)",
    "text": r"(.*_)?(sex|gender|status|type|class|category|level|race|ethnicity|education|occupation|job|workclass|"
    r"region|country|state|city|town|district|diagnosis|illness|disease|relationship|language|colour|color|group|name)",
    "integer": r"(.*_)?(age|year|count|children|siblings|visits|rooms|persons|num)(_.*)?|(n|number|number_of)_.*",
    "real": r"(.*_)?(height|weight|income|salary|pay|wage|price|amount|cost|kwh|kw|temperature|rate|score|bmi|length|"
    r"width|distance|duration|hours|balance|pressure|glucose|share|percent|ratio)(_.*)?",
}


def kind_of(name: str, given: Any) -> str:
    """real, integer, date, boolean, text or unknown; `given` is the type of the column, None in a text file.

    >>> kind_of("is_smoker", None), kind_of("Birth date", None), kind_of("x", None)
    ('boolean', 'date', 'unknown')
    """
    if given is None:
        return next((kind for kind, pattern in KINDS.items() if _fits(name, pattern)), "unknown")
    if given.is_boolean():
        return "boolean"
    if given.is_integer():
        return "integer"
    if given.is_numeric():
        return "real"
    return "date" if given.is_date() or given.is_timestamp() else "text"


def people_keys(columns: dict[str, Any]) -> list[str]:
    """Columns that may identify a person.

    >>> people_keys({"PatientID": None, "age": None, "household": None})
    ['PatientID', 'household']
    """
    fits = {name for name in columns if _fits(name, PERSON)}
    return [name for name, given in columns.items() if name in fits and (given is None or _names_people(given))]


def orders(columns: dict[str, Any]) -> list[str]:
    """Columns that may order the rows of a person."""
    return [name for name, given in columns.items() if _fits(name, ORDER) or (given is not None and _is_time(given))]


def _names_people(given: Any) -> bool:
    return not (given.is_floating() or given.is_boolean() or _is_time(given))


def _is_time(given: Any) -> bool:
    return bool(given.is_date() or given.is_timestamp())


def _fits(name: str, pattern: str) -> bool:
    """By words in lower case: PatientID, patient-id and "patient id" are patient_id."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^0-9A-Za-z]+", "_", name.strip()).strip("_").lower()
    return re.fullmatch(pattern, words) is not None
