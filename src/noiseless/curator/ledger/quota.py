"""What an analyst may still spend: their own share of the budget, or the share of all others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from noiseless.privacy.composition.weights import Product, raised

EVERYBODY_ELSE = "*"
"""The quota shared by all analysts without their own quota."""


def quota_left(quotas: Mapping[str, int] | None, spent: Mapping[str, Product], analyst: str) -> Fraction | None:
    """The largest price that the quota of an analyst allows. None if there are no quotas, 0 if there is none for them.

    >>> quota_left({"ada": 8}, {"ada": 2, "bob": 4}, "ada"), quota_left({"ada": 8}, {}, "bob")
    (Fraction(4, 1), Fraction(0, 1))
    """
    if quotas is None:
        return None
    quota = quotas.get(analyst, quotas.get(EVERYBODY_ELSE))
    if quota is None:
        return Fraction(0)
    sharing = [analyst] if analyst in quotas else sorted(each for each in spent if each not in quotas)
    used: Product = 1
    for each in sharing:
        used = raised(used, spent.get(each, 1))
    return Fraction(quota) / used
