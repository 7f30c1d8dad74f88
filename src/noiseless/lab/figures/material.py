"""The data of the figures: real files if available, otherwise synthetic twins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from noiseless.errors import InputError, SourceError
from noiseless.lab.datasets import appliances, panel, people, trips
from noiseless.lab.datasets.appliances import House, house
from noiseless.lab.datasets.files import FOLDER, at_home
from noiseless.lab.datasets.panel import YEAR, Panel, meters
from noiseless.lab.datasets.people import Bodies, Measured, grouped, survey
from noiseless.lab.datasets.trips import Trips, taxi
from noiseless.lab.datasets.twins import twin_grouped, twin_house, twin_meters, twin_survey, twin_taxi


@dataclass(frozen=True)
class Material:
    """Data sets, each read once. `data` is a folder; the default is NOISELESS_DATA.

    A twin replaces a file that is not in the folder; `origin` of the result says which was used. In `quick` mode all
    are small twins.
    """

    data: Path | None = None
    quick: bool = False

    def __post_init__(self) -> None:
        if self.quick:
            if self.data is not None:
                raise InputError("quick figures use synthetic data only; leave out either quick or data")
            return
        folder, usual = self._folder, (panel.USUAL, people.USUAL, trips.USUAL, appliances.USUAL)
        if folder is not None and not folder.is_dir():
            raise SourceError(
                f"folder {str(folder)!r} does not exist; name a folder with data, or none for synthetic data"
            )
        if folder is not None and not any(at_home(folder, each) for each in usual):
            named = "; ".join(" or ".join(each) for each in usual)
            raise SourceError(f"{str(folder)!r} has none of {named}; name another folder, or none for synthetic data")

    @cached_property
    def meters(self) -> Panel:
        """Daily kWh of many homes, over a year."""
        file = self._file(panel.USUAL)
        if file is not None:
            return _papers_year(file).daily()
        return (twin_meters(homes=40, days=60) if self.quick else twin_meters()).daily()

    @cached_property
    def survey(self) -> Bodies:
        """Heights and weights."""
        file = self._file(people.USUAL)
        return twin_survey() if file is None else survey(file)

    @cached_property
    def grouped(self) -> Measured:
        """Heights, weights, ages and public groups of the survey."""
        file = self._file(people.USUAL)
        return twin_grouped() if file is None else grouped(file)

    @cached_property
    def taxi(self) -> Trips:
        """Where trips begin and end."""
        file = self._file(trips.USUAL)
        if file is not None:
            return taxi(file)
        return twin_taxi(20_000) if self.quick else twin_taxi()

    @cached_property
    def house(self) -> House:
        """Mains and appliances."""
        file = self._file(appliances.USUAL)
        if file is not None:
            return house(file)
        return twin_house(30_000) if self.quick else twin_house()

    @property
    def _folder(self) -> Path | None:
        named = os.environ.get(FOLDER)
        return self.data or (Path(named) if named else None)

    def _file(self, usual: Sequence[str]) -> Path | None:
        return None if self.quick or self._folder is None else at_home(self._folder, usual)


def _papers_year(file: Path) -> Panel:
    """The papers' year of a panel, or the whole panel if it has no data of that year."""
    try:
        return meters(file, start=YEAR[0], end=YEAR[1])
    except SourceError:
        return meters(file)
