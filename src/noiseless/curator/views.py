"""Views with one row for each person: each is a dataset with its part of the budget.

Someone who sees answers about the table and about its views can see at most B₁·B₂·… transcripts, one factor for each of
them, so that their parts of the budget in bits add up to the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from noiseless.curator.dataset.snapshot import changed_error
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger.grants import Grants
from noiseless.curator.plan.person import PerPerson
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.per_person import per_person
from noiseless.errors import BudgetError, SchemaError
from noiseless.exact.number import exact_number, shown
from noiseless.privacy.composition.sequence import Sequence


def with_views(request: Request) -> tuple[Request, list[Request]]:
    """The request for the table itself, with its part of the budget, and those for its views."""
    schema, budget, declared = request.schema, request.budget, request.per_person
    if declared is None and request.shares is not None:
        raise SchemaError("[shares] divides the budget among views, and there are none; declare [per_person.NAME]")
    if declared is None or not isinstance(schema, Schema) or budget is None:
        return request, []
    if not isinstance(declared, Mapping):
        raise SchemaError('per_person= must name views with their columns; write {"homes": {"total": "SUM(kwh)"}}')
    views = [per_person(name, said, schema) for name, said in declared.items()]
    taken = [request.name.lower(), *(name.lower() for name in request.public or ())]
    for view in views:
        if view.name.lower() in taken:
            raise SchemaError(f"view {view.name!r} has the name of another table of this dataset; rename it")
        taken.append(view.name.lower())
    whole = exact_number(budget, "budget")
    parts = _parts(whole, [view.name for view in views], request.shares)
    own = whole - sum(parts.values())
    asked = [_of_view(request, view, parts[view.name], parts[view.name] / whole) for view in views]
    plain = replace(request, budget=own, quotas=_quotas(request, own / whole), per_person=None, shares=None)
    plain = replace(plain, grants=_grants(request, own / whole))
    return plain, asked


def _parts(whole: Fraction, names: list[str], given: Any) -> dict[str, Fraction]:
    """The bits of each view: as given, and equal parts for the table and all others."""
    if given is not None and not isinstance(given, Mapping):
        raise SchemaError("[shares] must give the bits of each view; write homes = 6")
    shares = {name: exact_number(bits, f"share of {name}") for name, bits in (given or {}).items()}
    if unknown := [name for name in shares if name not in names]:
        raise SchemaError(f"[shares] names {shown(unknown[0])}, which is not a view; name {', '.join(names)}")
    left = whole - sum(shares.values())
    if left <= 0 or any(bits <= 0 for bits in shares.values()):
        raise BudgetError("[shares] must be above 0 and leave bits of the budget for the table; give the views less")
    others = [name for name in names if name not in shares]
    return shares | dict.fromkeys(others, left / (len(others) + 1))


def _of_view(request: Request, view: PerPerson, budget: Fraction, part: Fraction) -> Request:
    return replace(
        request,
        schema=view.schema,
        budget=budget,
        store=_store(request, view.name),
        quotas=_quotas(request, part),
        grants=_grants(request, part),
        policy=_policy(request.policy, view),
        public=None,
        per_person=None,
        shares=None,
        view=view,
    )


def _store(request: Request, name: str) -> str | Path | None:
    """A file beside that of the table. In a database the name of the table is made longer: see `Request.kept_as`."""
    if request.store is None or not request.from_file or str(request.store) == ":memory:":
        return request.store
    store = Path(request.store)
    return store.with_suffix(f".{name}{store.suffix}")


def _quotas(request: Request, part: Fraction) -> Mapping[str, Any] | None:
    """The quotas for a view: the same part of each quota as the view has of the budget."""
    if not isinstance(request.quotas, Mapping):
        return request.quotas
    return {name: exact_number(bits, f"quota of {name}") * part for name, bits in request.quotas.items()}


def _grants(request: Request, part: Fraction) -> Grants:
    """The grants for a view: the same part of each quota that is granted while the dataset is open."""
    return lambda: [grant.part(part) for grant in request.grants()]


def _policy(policy: Mapping[str, Any] | None, view: PerPerson) -> Mapping[str, Any] | None:
    """The rules for a view: those of the table. A column that is computed from a forbidden one is forbidden, too."""
    if not isinstance(policy, Mapping) or not isinstance(policy.get("no_conditions"), list):
        return policy
    forbidden = set(policy["no_conditions"])
    named = [each.label for each in view.measures if each.column is not None and forbidden & set(each.column.reads)]
    return {**policy, "no_conditions": named}


def check_share(spent: Sequence, request: Request) -> None:
    """Refuse views if more was spent on the table, before there were any, than their parts leave of the budget."""
    if spent.spent() > spent.budget:
        raise changed_error(
            f"more was spent on {request.name!r} already than its views leave of the budget",
            "give the views less with [shares], or leave them out",
        )
