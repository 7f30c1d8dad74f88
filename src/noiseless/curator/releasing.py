"""What a curator does about copies: plan one, release it, and say how useful it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.curator.asking import Asking
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.schema.plain import why_no_path
from noiseless.errors import QuestionError, SourceError
from noiseless.exact.number import Number

if TYPE_CHECKING:
    from noiseless.curator.microdata.copy import CopyPreview, Microdata
    from noiseless.curator.microdata.plan import Hierarchies
    from noiseless.curator.microdata.utility import Utility
    from noiseless.privacy.definitions.hypothesis.policy import Policy


class Releasing:
    """Copies of the rows with coarser values, charged to the same budget as answers."""

    _dataset: Dataset
    _account: Account
    _asking: Asking

    def preview_release(
        self,
        *,
        bits: Number | Mapping[Any, Number] | None = None,
        error: Mapping[str, Number] | None = None,
        hierarchies: Hierarchies | None = None,
        levels: Mapping[str, int] | None = None,
        columns: Iterable[str] | None = None,
        grids: Iterable[tuple[str, str]] = (),
        together: Iterable[tuple[str, ...]] = (),
        policies: Iterable[Policy] = (),
        intervals: bool = False,
        sort: bool = True,
        cuts: Mapping[str, Iterable[Any]] | None = None,
        constant: bool = False,
        prior: Mapping[str, Any] | None = None,
        weights: Mapping[str, Number] | None = None,
    ) -> CopyPreview:
        """The counts, errors and price of the copy that `release` would write. Free: no private data are read."""
        from noiseless.curator.microdata.copy import preview_copy
        from noiseless.curator.microdata.plan import Wanted, plan_copy

        wanted = Wanted(
            bits,
            error,
            hierarchies,
            levels,
            columns,
            grids,
            together,
            policies,
            intervals,
            sort,
            cuts,
            constant,
            prior,
            weights,
        )
        return preview_copy(plan_copy(self._dataset, wanted), self._dataset, self._account)

    def release(
        self,
        to: str | Path,
        *,
        bits: Number | Mapping[Any, Number] | None = None,
        error: Mapping[str, Number] | None = None,
        hierarchies: Hierarchies | None = None,
        levels: Mapping[str, int] | None = None,
        columns: Iterable[str] | None = None,
        grids: Iterable[tuple[str, str]] = (),
        together: Iterable[tuple[str, ...]] = (),
        policies: Iterable[Policy] = (),
        intervals: bool = False,
        sort: bool = True,
        cuts: Mapping[str, Iterable[Any]] | None = None,
        constant: bool = False,
        prior: Mapping[str, Any] | None = None,
        weights: Mapping[str, Number] | None = None,
        max_bits: Number | None = None,
        analyst: str | None = None,
    ) -> Microdata:
        """Write a copy of the table with coarser values, charged to the same budget as answers.

        - `to`: a parquet or csv file, a table of the database, or a folder for Spark.
        - `bits`: for each column, or a total for a person. A total is split so that the errors are equal shares of the
          ranges.
        - `error`: for each column of numbers.
        - `cuts`: cut points for each column of numbers or dates instead, such as {"age": [18, 65]}.
        - `hierarchies`: the groups above each value of a category. Without them, values are kept.
        - `levels`: the level of each hierarchy. By default the finest level that the bits allow.
        - `columns`: the private columns to release, by default all. Public columns are always released.
        - `grids`: pairs of columns that make a map. They can have bits as one: "north+east".
        - `together`: groups of columns that belong together. The certificate names them and the grids.
        - `policies`: Collapse, Stretch or Shift, applied to the columns of their boundaries instead of cells. They
          promise an epsilon and no count, and are charged as if the columns were revealed exactly.
        - `intervals`: True writes the ends of its interval beside every number.
        - `sort`: rows are ordered by what is released about them. With False the order of the table may show through,
          and the certificate says so.
        - `constant`: a total of bits that leaves a single cell for some column is refused, unless True confirms it.
        - `prior`: what you expect of columns, from public knowledge and never from the data, such as
          {"age": "normal(40, 15)"}. Cells are then small where much is expected, and hold the mean of the prior.
        - `weights`: how a total of bits is divided: a column of weight 2 gets twice as many cells as one of weight 1.
        - `max_bits`: refuse the copy if it would be charged more.
        - `analyst`: whose quota pays.
        """
        from noiseless.curator.microdata.copy import release_copy
        from noiseless.curator.microdata.plan import Wanted, check_constant, plan_copy

        if wrong := why_no_path(to):
            raise SourceError(f"to= {wrong}; name a parquet or csv file, or a table")
        wanted = Wanted(
            bits,
            error,
            hierarchies,
            levels,
            columns,
            grids,
            together,
            policies,
            intervals,
            sort,
            cuts,
            constant,
            prior,
            weights,
        )
        plan = plan_copy(self._dataset, wanted)
        check_constant(plan, wanted)
        name, key = self._asking.name_of(analyst), self._asking.key
        return release_copy(plan, self._dataset, self._account, str(to), name, max_bits, key)

    def utility(self, released: CopyPreview) -> Utility:
        """How useful a released copy is: errors, means, histograms, correlations. For the custodian only."""
        from noiseless.curator.microdata.copy import CopyPreview
        from noiseless.curator.microdata.utility import utility_of

        if not isinstance(released, CopyPreview):
            raise QuestionError("utility() needs a copy; give it the result of release() or preview_release()")
        return utility_of(released.plan, self._dataset)
