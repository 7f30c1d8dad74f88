"""The committed workload of the survey with 12 bits: announced from the schema and the number of rows alone."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.survey import FOLDER, TENTH, share_of, twin, workload

import noiseless as nl


def test_sixty_questions_with_twelve_bits():
    schema = nl.Declaration.read(FOLDER / "survey.toml").schema
    with nl.Curator.open(twin(), schema, budget=12, table="responses") as curator:
        nothing = [curator.deduce(wish.text) for wish in workload()]
        plan = curator.design(workload(), bits=12, seconds=600)
        assert len(plan.served) == 60
        assert plan.median < Fraction(1, 10)
        assert plan.answered >= 41
        assert plan.ways[0].answered == 12
        assert plan.publish().factor == plan.price <= 2**12
        pairs = zip(plan.served, nothing, strict=True)
        shares = [(share_of(curator.deduce(each.wish.text), before), float(each.sure)) for each, before in pairs]
    assert all(deduced <= announced + 1e-9 for deduced, announced in shares)
    assert sum(deduced <= TENTH for deduced, _ in shares) >= 37
