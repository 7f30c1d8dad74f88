"""Whether an analyst's quota allows what a preview states. Quotas are public, and so is what was spent of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from noiseless.curator.answer.answer import Preview
from noiseless.curator.answer.ways import BatchPreview
from noiseless.curator.asking import Asking
from noiseless.privacy.composition.weights import Product


def within_quota(asking: Asking, preview: Preview, analyst: str | None) -> Preview:
    """The preview, marked as not affordable if the quota does not allow it."""
    account = asking.account
    if _allows(account.quota_left(asking.name_of(analyst)), preview.dearest):
        return preview
    return replace(preview, affordable=False, taken=0.0, remaining=account.bits_left)


def ways_within_quota(asking: Asking, compared: BatchPreview, analyst: str | None) -> BatchPreview:
    """The ways to ask several questions, each marked like a preview. Those that can be afforded come first."""
    left = asking.account.quota_left(asking.name_of(analyst))
    allowed = [way if _allows(left, way.dearest) else replace(way, affordable=False) for way in compared.ways]
    return replace(compared, ways=tuple(sorted(allowed, key=lambda way: not way.affordable)))


def _allows(left: Fraction | None, dearest: Product) -> bool:
    return left is None or dearest == 1 or dearest <= left
