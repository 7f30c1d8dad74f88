"""Ours: what k means of one column cost together: as a batch, by the papers' rule, and one after another.

NP Theorem 6 multiplies counts. That is safe but loose: means declared together add their jumps, 1 + Σ(K − 1), and means
asked in turn, no finer than earlier ones, cost at most one bit each after the first (docs/composition.md).
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look, printed
from noiseless.privacy.composition.batch import Batch
from noiseless.privacy.composition.questions import PlainSum
from noiseless.privacy.composition.release import Release
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.domain import Codes
from noiseless.privacy.queries.linear import Sum

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

COLUMN, TOP = "kWh", 60_000
"""Codes 0 to 60000: up to 60 kWh in steps of 1 Wh."""
BITS = (1, 3)
RULES = {"papers": "the papers' rule, ∏K", "ledger": "one after another (ledger)", "batch": "declared together (batch)"}


def numbers(material: Material) -> Numbers:
    """Bits of k releases by each rule."""
    rows = []
    for bits in BITS:
        sums = [calibrate(Sum(n=1000 + place, domain=Codes(TOP)), bits=bits) for place in range(100)]
        releases = [Release.of(each, COLUMN) for each in sums]
        sequence = Sequence.start({COLUMN: TOP + 1}, bits=1000)
        for k, made in enumerate(sums, 1):
            question = PlainSum(COLUMN, width=int(made.quantizer.widest), rows=made.query.n, top=TOP)
            sequence = sequence.ask(question).after
            if k <= 10 or k % 5 == 0:
                account = Batch(releases[:k]).account()
                counts = {"papers": account.counts["P"], "ledger": sequence.spent(), "batch": account.count}
                rows += [
                    {"bits_each": bits, "k": k, "rule": rule, "count": count, "bits": log2(count)}
                    for rule, count in counts.items()
                ]
    return Numbers(
        rows,
        "What k means of one column, over k sets of 1000 to 1099 people, reveal about a person who is in all of them. "
        "Each mean has K = 2 (left) or K = 8 answers (right). The papers' rule (NP Theorem 6, dashed) is safe but "
        "loose: in turn, a mean no finer than earlier ones costs one bit; declared together, k of them have 1 + k(K − "
        "1) joint answers. Exact integers.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """A panel for each number of bits."""
    each = made.values("bits_each")
    for axes, bits in zip(canvas.subplots(1, len(each)), each, strict=True):
        for place, rule in enumerate(made.values("rule")):
            how = printed() | {"linewidth": 2.6} if rule == "papers" else look(place)
            x, y = made.column("k", bits_each=bits, rule=rule), made.column("bits", bits_each=bits, rule=rule)
            axes.plot(x, y, label=f"{RULES[rule]}: {y[-1]:.4g}", markevery=3, **how)
        axes.set(
            xlabel="number of means k", ylabel="bits, all together", title=f"means of {bits} bit{'s' * (bits > 1)} each"
        )
        axes.legend(title="bits at k = 100", title_fontsize=8)


FIGURE = Figure("composition", "What many means together reveal", "ours", numbers, draw, (8.6, 4.4))
