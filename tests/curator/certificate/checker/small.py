"""A plan to be changed in one place."""

from __future__ import annotations

COUNT = ["count"]
PLAN = {
    "items": [["n", COUNT]],
    "where": ["every"],
    "keys": [],
    "category": None,
    "having": None,
    "order": [],
    "limit": None,
}
