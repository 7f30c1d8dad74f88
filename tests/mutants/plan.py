"""Which modules are tried, and which tests must notice: the quickest first, the next only if those were content."""

from __future__ import annotations

LAWS, CURATOR = "tests/laws", "tests/curator"
COMPOSED = [
    ["tests/privacy/composition/test_edges.py", "tests/privacy/composition/test_sequence.py"],
    [f"{LAWS}/test_several_rows_laws.py", f"{LAWS}/test_sequence_laws.py", f"{LAWS}/test_wrong_charges.py"],
]
WEIGHTED = [
    ["tests/privacy/composition/test_weights.py", "tests/privacy/quantizers/test_guarded.py"],
    [f"{LAWS}/test_weighted_laws.py"],
]
RELEASED = [
    [f"{CURATOR}/releases"],
    [f"{CURATOR}/question/test_price.py", f"{CURATOR}/question/test_null_facts.py"],
    [f"{CURATOR}/answer/test_answers.py", f"{CURATOR}/test_curator.py"],
    [f"{LAWS}/test_curator_laws.py"],
]
COPIED = [
    [f"{CURATOR}/microdata/test_{name}.py" for name in ("columns", "plan", "cuts")],
    [f"{CURATOR}/microdata/test_policies.py"],
    [f"{CURATOR}/microdata/test_copies.py", f"{CURATOR}/test_hostile_arguments.py"],
    [f"{LAWS}/test_copy_laws.py"],
]
KEPT = [
    [f"{CURATOR}/ledger/test_account.py", f"{CURATOR}/ledger/test_compact.py", f"{CURATOR}/ledger/test_state.py"],
    [
        f"{CURATOR}/ledger/test_edges_of_budgets.py",
        f"{CURATOR}/ledger/test_size.py",
        f"{CURATOR}/ledger/test_continued.py",
    ],
    [
        f"{CURATOR}/question/test_null_facts.py",
        f"{CURATOR}/ledger/test_reserves.py",
        f"{CURATOR}/ledger/test_reserved_groups.py",
    ],
    [f"{CURATOR}/ledger/test_ledger.py", f"{CURATOR}/test_batch_and_refine.py", f"{CURATOR}/test_attacks.py"],
    [f"{CURATOR}/formats", f"{LAWS}/test_curator_laws.py"],
]
CERTIFIED = (
    *("test_counts", "test_reports", "test_values", "test_conditions", "test_columns", "test_small_rules"),
    *("test_plans", "test_derive", "test_rows", "test_words", "test_copies", "test_answers", "test_format_1"),
    *("test_bins", "test_ranges", "test_weights", "test_origin"),
)
CHECKED = [
    [f"{CURATOR}/certificate/checker/{name}.py" for name in CERTIFIED] + [f"{CURATOR}/certificate/test_attacks.py"],
    [f"{CURATOR}/certificate/test_questions.py", f"{CURATOR}/certificate/test_guarded.py"],
    [f"{CURATOR}/certificate"],
]
PRICED = [
    [f"{CURATOR}/question/test_price.py"],
    [f"{CURATOR}/test_batch_and_refine.py", f"{CURATOR}/answer/test_answers.py"],
    [f"{LAWS}/test_curator_several_rows_laws.py", f"{LAWS}/test_curator_laws.py"],
]
CODED = [
    [f"{CURATOR}/sources/test_codes.py", f"{CURATOR}/schema"],
    [f"{CURATOR}/test_hostile.py", f"{CURATOR}/test_truth.py"],
]
RULED = [[f"{CURATOR}/question/test_rules.py"]]
PROMISED = [[f"{CURATOR}/dataset/test_promises.py", f"{CURATOR}/sources/test_codes.py"]]
JOINED = [[f"{CURATOR}/sql/test_joins.py"], [f"{LAWS}/test_join_laws.py"], [f"{CURATOR}/dataset/test_public_tables.py"]]
VIEWED = [[f"{CURATOR}/plan/test_person.py"], [f"{CURATOR}/test_views.py"], [f"{LAWS}/test_per_person_laws.py"]]
TESTS: dict[str, list[list[str]]] = {
    "privacy.composition.sequence": [*COMPOSED, *WEIGHTED, [f"{CURATOR}/ledger/test_edges_of_budgets.py"]],
    "privacy.composition.questions": [*COMPOSED, *WEIGHTED],
    "privacy.composition.guarded": WEIGHTED,
    "privacy.composition.weighted": WEIGHTED,
    "privacy.composition.weights": WEIGHTED,
    "privacy.quantizers.guarded": WEIGHTED,
    "privacy.composition.several_rows": COMPOSED,
    "curator.question.price": PRICED,
    "curator.ledger.account": KEPT,
    "curator.ledger.followed": KEPT,
    "curator.ledger.due": KEPT,
    "curator.ledger.priced": KEPT,
    "curator.ledger.reserve": KEPT,
    "curator.ledger.state": KEPT,
    "curator.ledger.moving": KEPT,
    "curator.ledger.compact": KEPT,
    "curator.ledger.continued": KEPT,
    "curator.releases": RELEASED,
    "curator.sources.codes": CODED,
    "curator.certificate.checker": CHECKED,
    "curator.microdata.plan": COPIED,
    "curator.microdata.columns": COPIED,
    "curator.microdata.cuts": COPIED,
    "curator.question.rules": RULED,
    "curator.dataset.check": PROMISED,
    "curator.plan.functions.lookup": JOINED,
    "curator.plan.functions.reach": [[f"{CURATOR}/plan/functions/test_reach.py"]],
    "curator.sql.domains": [[f"{CURATOR}/sql/test_guarded.py"]],
    "curator.plan.person": VIEWED,
    "curator.views": VIEWED,
}
"""By module, or by package for every module in it."""
