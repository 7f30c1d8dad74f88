"""The refusal if a condition keeps too few rows for the error: only the count of these rows is known, and charged."""

from __future__ import annotations

from noiseless.curator.question.past import Past
from noiseless.curator.question.question import Question
from noiseless.errors import BudgetError
from noiseless.exact.rounding import decimal_outward


def too_few_error(question: Question, past: Past, charged: str) -> BudgetError:
    """Why there is no number, what is `charged`, and what to ask instead."""
    errors = {} if question.errors is None else question.errors.by_name
    error = " or ".join(decimal_outward(each, 9, up=True) for each in dict.fromkeys(errors.values()))
    counts = [release for release in question.widths if release.is_count]
    if not question.centred:
        why = "the divisor may be 0, or cannot be known well enough"
    else:
        least, most = min((past.between(count) for count in counts), key=lambda ends: ends[1])
        why = f"the condition keeps {least if least == most else f'{least} to {most}'} rows, too few"
    return BudgetError(f"{why} for error={error}; {charged}: ask for a larger error, or give bits= instead")
