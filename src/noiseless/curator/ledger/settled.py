"""What an entry with a reserve was charged in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from noiseless.curator.ledger.reserve import Reserve, ReservedUnit
from noiseless.privacy.composition.weights import Product

Units = tuple[tuple[ReservedUnit, Fraction], ...]
"""Numbers that were charged together, each with its price."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What an entry was charged in the end: the largest price of any account, by which answer, and whether loud.

    If the schema changed before the answer, the dearest price stays charged, and no unit has a price by its outcome.
    """

    factor: Product
    answer: int
    loud: bool | None
    louds: tuple[bool, ...] = ()
    """Whether each unit was loud."""
    units: Units | None = field(default=None, compare=False)
    """The units with their prices. None after a checkpoint: they follow from the entry, see `State.units`."""


def prices_of(reserve: Reserve, louds: tuple[bool, ...]) -> Units:
    """The units of a reserve with their prices, if it is known which of them were loud."""
    if not louds:  # a change of the schema closed it
        return ()
    return tuple((unit, unit.weights.price(loud)) for unit, loud in zip(reserve.units, louds, strict=True))
