"""Names of columns and tables, as questions and terminals need them."""

import json


def quoted(name: str) -> str:
    """The name of a column or table, quoted for a question."""
    return '"' + name.replace('"', '""') + '"'


def shown_name(name: str) -> str:
    """A name for the terminal, with control characters escaped."""
    return name if name.isprintable() else json.dumps(name)
