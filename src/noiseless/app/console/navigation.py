"""The pages of a dataset, in the order of the menu, with the roles that see them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from noiseless.app.service.roles import ROLES, Role

ASKERS: tuple[Role, ...] = ("analyst", "custodian")


@dataclass(frozen=True, slots=True)
class Place:
    """A page: its path below that of the dataset, its name, and who sees it."""

    path: str
    words: str
    roles: tuple[Role, ...] = ROLES


MENU = (
    Place("", "Ask", ASKERS),
    Place("/basket", "Basket", ASKERS),
    Place("/ledger", "Ledger"),
    Place("/about", "About the data"),
    Place("/published", "Published"),
    Place("/keeping", "Custody", ("custodian",)),
)


def menu(role: Role, dataset: str) -> list[tuple[str, str]]:
    """The address and the name of every page of a dataset that a role sees."""
    home = f"/console/d/{quote(dataset)}"
    return [(f"{home}{each.path}", each.words) for each in MENU if role in each.roles]
