"""The roles that a token can have."""

from typing import Literal

Role = Literal["custodian", "analyst", "auditor"]
ROLES: tuple[Role, ...] = ("custodian", "analyst", "auditor")
ANY = "*"
"""Stands for every dataset."""
