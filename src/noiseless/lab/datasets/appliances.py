"""The power of the appliances of a house and of its mains: from REDD's folders, or a table with a column for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.sources.quoting import identifier, literal, quoted
from noiseless.errors import SourceError
from noiseless.lab.datasets.files import found, names_in, number, one_of, select

Floats = NDArray[np.float64]
MAINS = re.compile(r"(mains?|aggregate|total)(_?\d+)?")
"""Names of the mains. If there are several mains, they are added up."""
APART = ("", "column0", "unnamed: 0", "index", "house", "segment", "t", "time", "timestamp", "datetime", "date", "day")
"""Columns that are not appliances."""
USUAL = ("redd/redd_house1_clean.parquet", "redd/low_freq/house_1", "low_freq/house_1")
"""Its path in the data folder."""
WHERE_FROM = "REDD, the Reference Energy Disaggregation Data Set (redd.csail.mit.edu, low_freq)"


@dataclass(frozen=True, eq=False)
class House:
    """Watts of the mains and of each appliance at the same moments."""

    mains: Floats
    appliances: dict[str, Floats]
    origin: str

    @property
    def samples(self) -> int:
        """The number of moments."""
        return len(self.mains)

    def split(self, share: float) -> tuple[House, House]:
        """Split in time: a training period and the rest."""
        at = int(share * self.samples)
        return self._part(slice(0, at)), self._part(slice(at, None))

    def _part(self, rows: slice) -> House:
        return House(self.mains[rows], {name: watts[rows] for name, watts in self.appliances.items()}, self.origin)


def house(path: str | Path | None = None, appliances: Sequence[str] | None = None) -> House:
    """A house of REDD: its folder of channels and labels, or a table of mains and appliances.

    Only moments with readings of the mains and all appliances count.
    """
    where = found(path, USUAL, WHERE_FROM)
    channels = _folder(where) if where.is_dir() else _table(where)
    mains = [watts for name, watts in channels.items() if _is_mains(name)]
    chosen = {name: watts for name, watts in channels.items() if not _is_mains(name)}
    if not mains or not chosen:
        raise SourceError(
            f"{where.name!r} has no mains or no appliances; name a column main, mains, aggregate or total, and add "
            f"at least one appliance"
        )
    if appliances is not None:
        called = {name: one_of([*chosen], [name]) for name in appliances}
        if absent := [name for name, there in called.items() if there is None]:
            raise SourceError(f"{where.name!r} has no appliance {absent[0]!r}; use some of {', '.join(chosen)}")
        chosen = {there: chosen[there] for there in called.values() if there is not None}
    read = np.stack([*mains, *chosen.values()])
    whole = np.isfinite(read).all(axis=0)
    if not whole.any():
        raise SourceError(
            f"{where.name!r} has no moment with readings of the mains and all of {', '.join(chosen)}; choose fewer "
            f"appliances"
        )
    origin = f"{where.name}: {int(whole.sum())} samples of {', '.join(chosen)}"
    return House(np.sum(mains, axis=0)[whole], {name: watts[whole] for name, watts in chosen.items()}, origin)


def _is_mains(name: str) -> bool:
    return MAINS.fullmatch(name.strip().lower()) is not None


def _table(file: Path) -> dict[str, Floats]:
    """Every column of numbers; columns without numbers (times, names) are not appliances."""
    names = [name for name in names_in(file) if name.strip().lower() not in APART]
    if not names:
        return {}
    columns = ", ".join(f"{number(file, name)} AS {identifier(name)}" for name in names)
    made = {name: np.ma.filled(np.ma.asarray(values), np.nan) for name, values in select(file, columns).items()}
    return {name: watts for name, watts in made.items() if np.isfinite(watts).any()}


def _folder(folder: Path) -> dict[str, Floats]:
    """A house of REDD. channel_N.dat has a second and watts in each line, and labels.dat names each channel.

    Only moments that all channels have are kept.
    """
    labels = folder / "labels.dat"
    if not labels.is_file():
        raise SourceError(f"{str(folder)!r} has no labels.dat; give a house folder of REDD, such as low_freq/house_1")
    read = {}
    for line in labels.read_text(encoding="utf-8").splitlines():
        channel, _, name = line.strip().partition(" ")
        if not channel:
            continue
        file = folder / f"channel_{channel}.dat"
        if not name or not file.is_file():
            raise SourceError(
                f"labels.dat of {str(folder)!r} is malformed; name a channel_N.dat in each line, as in: 3 oven"
            )
        read[f"{name.strip()}_{channel}"] = _channel(file)
    return _at_the_same_time(read)


def _channel(file: Path) -> tuple[Floats, Floats]:
    source = (
        f"read_csv({quoted(literal(file))}, delim = ' ', header = false, columns = {{'s': 'BIGINT', 'w': 'DOUBLE'}})"
    )
    made = select(file, "s, w", "WHERE s IS NOT NULL ORDER BY s", source)
    return np.asarray(made["s"]), np.ma.filled(np.ma.asarray(made["w"]), np.nan)


def _at_the_same_time(read: Mapping[str, tuple[Floats, Floats]]) -> dict[str, Floats]:
    if not read:
        return {}
    seconds = next(iter(read.values()))[0]
    for when, _ in read.values():
        seconds = np.intersect1d(seconds, when)
    return {name: watts[np.searchsorted(when, seconds)] for name, (when, watts) in read.items()}
