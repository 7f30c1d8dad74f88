"""What an analyst may still spend: their own share of the budget, or the share of all others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from noiseless.privacy.composition.weights import Product, raised

EVERYBODY_ELSE = "*"
"""The quota shared by all analysts without their own quota."""


def quota_left(
    quotas: Mapping[str, int] | None, spent: Mapping[str, Product], analyst: str, extra: Mapping[str, int] | None = None
) -> Fraction | None:
    """The largest price that the quota of an analyst allows. None if there are no quotas, 0 if there is none for them.

    `extra` is what the custodian granted an analyst since, who spends that before anything that others share.

    >>> quota_left({"ada": 8}, {"ada": 2, "bob": 4}, "ada"), quota_left({"ada": 8}, {}, "bob")
    (Fraction(4, 1), Fraction(0, 1))
    >>> quota_left({"*": 8}, {"ada": 16}, "bob", {"ada": 4}), quota_left({"*": 8}, {"ada": 2}, "ada", {"ada": 4})
    (Fraction(2, 1), Fraction(16, 1))
    """
    if quotas is None:
        return None
    granted = extra or {}
    quota, own = quotas.get(analyst, quotas.get(EVERYBODY_ELSE)), granted.get(analyst, 1)
    if quota is None:
        return Fraction(own) / spent.get(analyst, 1) if own > 1 else Fraction(0)
    return (
        Fraction(quota)
        / shared_use(quotas, spent, analyst, granted)
        * max(Fraction(1), Fraction(own) / spent.get(analyst, 1))
    )


def shared_use(quotas: Mapping[str, int], spent: Mapping[str, Product], name: str, extra: Mapping[str, int]) -> Product:
    """What was used of a quota, or of the quota that all others share, beyond what was granted to each analyst."""
    sharing = (
        [name] if name in quotas and name != EVERYBODY_ELSE else sorted(each for each in spent if each not in quotas)
    )
    used: Product = 1
    for each in sharing:
        used = raised(used, max(Fraction(1), Fraction(spent.get(each, 1)) / extra.get(each, 1)))
    return used
