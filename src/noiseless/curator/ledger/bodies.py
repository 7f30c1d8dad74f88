"""The bodies of entries for questions and copies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from noiseless.curator.ledger.accounts import charged_fields
from noiseless.curator.ledger.alike import paid_columns
from noiseless.curator.ledger.column import AS, PAID
from noiseless.curator.ledger.compact import of_releases, paid_fields, shapes_of, unrepeated, widths_paid
from noiseless.curator.ledger.formats import FORMAT
from noiseless.curator.ledger.priced import Priced
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.ledger.reserve import reserved_fields
from noiseless.curator.ledger.state import State
from noiseless.curator.releases.release import Paid

Body = dict[str, Any]


def ask_body(state: State, priced: Priced, purchase: Purchase, unpaid: Iterable[Paid]) -> Body:
    """A question or a copy: what it pays for, what that is charged finally, and what is reserved for the rest."""
    step = priced.step
    body: Body = {
        "questions": list(purchase.written),
        "factor": str(priced.counted),
        "paid": paid_columns(purchase.groups, unpaid) if purchase.groups else paid_fields(of_releases(unpaid)),
        "charged": [] if step is None else charged_fields(state.sequence, step.after, step.factors, state.names),
    }
    body |= {"reserved": reserved_fields(priced.weighed)} if priced.weighed else {}
    body |= _step(state, purchase)
    return _short(body) if purchase.groups is not None else body


def _short(body: Body) -> Body:
    """Leave out the bins of a question of very many groups if they are those that it pays for."""
    [question] = body["questions"]
    if isinstance(question["widths"], list) or list(map(str, widths_paid(body))) != unrepeated(question["widths"]):
        return body
    return body | {"questions": [question | {"widths": {AS: PAID}}]}


def closing_body(state: State, purchase: Purchase) -> Body | None:
    """The body of an entry that ends a question whose last step is free, so that it can be recalled with all its bins.

    None if there is nothing to end.
    """
    step = _step(state, purchase)
    if purchase.more or "after" not in step:
        return None
    return {"questions": list(purchase.written), "factor": "1", "paid": [], "charged": []} | step


def upgrade_body(state: State, schema: str) -> Body:
    """The ledger of an earlier format continues in this one, so that earlier versions refuse to read it."""
    same = {"before": state.names, "cells": state.names, "from": [], "altered": []}
    return {"format": FORMAT, "budget": state.facts["budget"], "schema": schema, **same}


def _step(state: State, purchase: Purchase) -> Body:
    """The fields of a step: whether further steps follow, and which step of the same questions came before."""
    shapes = shapes_of(purchase.written)
    before = [number for number, asked in state.unfinished.items() if asked == shapes]
    return ({"after": str(max(before))} if before else {}) | ({"more": True} if purchase.more else {})
