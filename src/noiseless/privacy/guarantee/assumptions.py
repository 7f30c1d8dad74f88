"""The assumptions of guarantees, in words."""

from __future__ import annotations

UNRELATED = "people's data are unrelated: any value of one can go with any values of the others"
PUBLIC = "the number of people and the declared domain are public"
CLAMPED = "what falls outside the quantizer is reported as its first or last bin"
