"""Quotas that come with tokens: of one analyst, or of a project whose members share it. The ledger enforces them."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from noiseless.app.service.state import State
from noiseless.curator.ledger.entry import analyst_name
from noiseless.curator.ledger.grants import Grant
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number

SET = (
    "INSERT INTO noiseless_quotas (dataset, project, name, bits) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (dataset, project, name) DO UPDATE SET bits = excluded.bits"
)
JOIN = "INSERT INTO noiseless_members (dataset, name, project) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


class Quotas:
    """The quotas of one dataset that a state holds."""

    def __init__(self, state: State, dataset: str) -> None:
        self._state, self._dataset = state, dataset

    def set_own(self, name: str, bits: Number) -> None:
        """Set what one analyst may spend."""
        self._state.rows(SET, self._dataset, "", analyst_name(name), _checked(bits, name))

    def set_shared(self, project: str, bits: Number) -> None:
        """Set what the members of a project may spend together."""
        self._state.rows(SET, self._dataset, analyst_name(project), "", _checked(bits, project))

    def join(self, name: str, project: str) -> None:
        """Make an analyst a member of a project."""
        self._state.rows(JOIN, self._dataset, analyst_name(name), analyst_name(project))

    def set_all(self, name: str, bits: Number | None, project: str | None = None, shared: Number | None = None) -> None:
        """Set an analyst's quota, project and the project's quota, where given. All are checked before any is set."""
        for what, given in ((name, bits), (project, shared)):
            if what is not None and given is not None:
                _checked(given, what)
        if bits is not None:
            self.set_own(name, bits)
        if project is not None:
            self.join(name, project)
            if shared is not None:
                self.set_shared(project, shared)

    def grants(self) -> list[Grant]:
        """All of them, as they are now."""
        members: dict[str, set[str]] = defaultdict(set)
        for name, project in self._state.rows(
            "SELECT name, project FROM noiseless_members WHERE dataset = ?", self._dataset
        ):
            members[project].add(name)
        rows = self._state.rows(
            "SELECT project, name, bits FROM noiseless_quotas WHERE dataset = ? ORDER BY project, name", self._dataset
        )
        return [_grant(project, name, Fraction(bits), members[project]) for project, name, bits in rows]

    def names(self, analyst: str) -> list[str]:
        """The names of the quotas that an analyst has, or shares with a project."""
        return [grant.name for grant in self.grants() if analyst in grant.members]


def _grant(project: str, name: str, bits: Fraction, members: set[str]) -> Grant:
    return Grant(name, bits, frozenset({name})) if name else Grant(f"project {project}", bits, frozenset(members))


def _checked(bits: Number, name: str) -> str:
    """The bits as text. Refused if they are not a quota."""
    answers_within(bits, f"quota of {name}")
    return str(exact_number(bits, f"quota of {name}"))
