"""An independent check of certificates. It imports nothing from the curator or from anything that the curator uses.

Every count, interval, name and word is computed again from the plan, the public cells and what was released. The
formulas are those of theory §6, deliberately written a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from noiseless.curator.certificate.checker.answers import check_answer
from noiseless.curator.certificate.checker.copies import check_copy
from noiseless.curator.certificate.checker.deductions import check_deduction
from noiseless.curator.certificate.checker.format_1 import check_answer_1, check_copy_1
from noiseless.curator.certificate.checker.shape import check_id, check_shape
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

__all__ = ["WrongCertificateError", "check_counts", "check_file"]
CHECKS: dict[str, Callable[[Mapping[str, Any]], int]] = {
    "noiseless certificate 1": check_answer_1,
    "noiseless microdata certificate 1": check_copy_1,
    "noiseless certificate 2": check_answer,
    "noiseless microdata certificate 2": check_copy,
    "noiseless deduction certificate 1": check_deduction,
}
"""Every format so far."""


def check_counts(content: Mapping[str, Any]) -> int:
    """The count that the content needs, computed again. The error names the first thing that is wrong."""
    return _strictly(lambda: _check(content))


def check_file(content: Mapping[str, Any], file: Path) -> int:
    """Check that the certificate allows every value of a released file. Returns its number of rows."""
    from noiseless.curator.certificate.checker.files import check_values

    return _strictly(lambda: check_values(content, file))


def _check(content: Mapping[str, Any]) -> int:
    check_shape(content)
    known = content.get("format")
    require(isinstance(known, str) and known in CHECKS, "the format is unknown")
    count = CHECKS[str(known)](content)
    if "id" in content:
        check_id(content)
    return count


def _strictly(check: Callable[[], int]) -> int:
    """Run a check. Any failure to read the certificate means that it is wrong."""
    try:
        return check()
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError) as wrong:
        raise WrongCertificateError(
            f"a field is missing or is not what it should be ({type(wrong).__name__})"
        ) from None
