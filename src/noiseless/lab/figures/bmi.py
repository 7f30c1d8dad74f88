"""The example of NHT and CDC: everybody's weight and height, and whether the body mass index is 30 or more."""

from __future__ import annotations

from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box

PEOPLE = Box(weight=(0, 200), height=(0, 250))
"""kg and cm."""
OBESE = Boundary("weight", lambda height: 0.003 * height**2)
"""Weight ≥ 30·(height/100)²."""
