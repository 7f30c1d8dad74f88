"""What single appliances of a house use, beside its mains: REDD's folders, or a table with one column for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.source import identifier, quoted
from noiseless.errors import SourceError
from noiseless.lab.datasets.files import found, names_in, number, select

Floats = NDArray[np.float64]
MAINS = ("main", "mains", "aggregate")
APART = ("house", "segment", "t", "time", "timestamp", "datetime")
USUAL = "redd/redd_house1_clean.parquet"
"""In the folder of data."""
WHERE_FROM = "REDD, the Reference Energy Disaggregation Data Set (low_freq)"


@dataclass(frozen=True, eq=False)
class House:
    """Watts of the mains and of each appliance at the same moments."""

    mains: Floats
    appliances: dict[str, Floats]
    origin: str

    @property
    def samples(self) -> int:
        """How many moments."""
        return len(self.mains)

    def split(self, share: float) -> tuple[House, House]:
        """What came before and after: a training period and the rest."""
        at = int(share * self.samples)
        return self._part(slice(0, at)), self._part(slice(at, None))

    def _part(self, rows: slice) -> House:
        return House(self.mains[rows], {name: watts[rows] for name, watts in self.appliances.items()}, self.origin)


def house(path: str | Path | None = None, appliances: Sequence[str] | None = None) -> House:
    """A house of REDD: its folder of channels and labels, or a table of mains and appliances."""
    where = found(path, USUAL, WHERE_FROM)
    mains, channels = _folder(where) if where.is_dir() else _table(where)
    if appliances is not None:
        if absent := [name for name in appliances if name not in channels]:
            raise SourceError(f"{where.name!r} has no appliance {absent[0]!r}; it has {', '.join(channels)}")
        channels = {name: channels[name] for name in appliances}
    return House(mains, channels, f"{where.name}: {len(mains)} samples of {', '.join(channels)}")


def _table(file: Path) -> tuple[Floats, dict[str, Floats]]:
    names = names_in(file)
    mains = next((name for name in names if name.lower() in MAINS), None)
    channels = [name for name in names if name != mains and name.lower() not in APART]
    if mains is None or not channels:
        raise SourceError(f"{file.name!r} needs a column of mains ({', '.join(MAINS)}) and one for each appliance")
    columns = ", ".join(f"{number(file, name)} AS {identifier(name)}" for name in [mains, *channels])
    made = {name: np.ma.filled(np.ma.asarray(values), np.nan) for name, values in select(file, columns).items()}
    whole = np.isfinite(np.stack([*made.values()])).all(axis=0)
    return made[mains][whole], {name: made[name][whole] for name in channels}


def _folder(folder: Path) -> tuple[Floats, dict[str, Floats]]:
    """channel_N.dat with a second and watts in each line, labels.dat with what each is; the moments that all have."""
    labels = folder / "labels.dat"
    if not labels.is_file():
        raise SourceError(f"{str(folder)!r} has no labels.dat; it should be a house of REDD, such as low_freq/house_1")
    numbered = [line.split() for line in labels.read_text(encoding="utf-8").splitlines() if line.strip()]
    found_channels = {}
    for channel, name, *_ in numbered:
        file = folder / f"channel_{channel}.dat"
        if not file.is_file():
            raise SourceError(f"{str(folder)!r} has no {file.name}, which labels.dat names")
        source = (
            f"read_csv({quoted(str(file))}, delim = ' ', header = false, columns = {{'s': 'BIGINT', 'w': 'DOUBLE'}})"
        )
        made = select(file, "s, w", "ORDER BY s", source)
        found_channels[f"{name}_{channel}"] = (np.asarray(made["s"]), np.asarray(made["w"]))
    appliances = {name: each for name, each in found_channels.items() if not name.startswith("mains_")}
    mains = [each for name, each in found_channels.items() if name.startswith("mains_")]
    if not mains or not appliances:
        raise SourceError(f"labels.dat of {str(folder)!r} names no mains, or no appliance")
    seconds = next(iter(appliances.values()))[0]
    for when, _ in (*appliances.values(), *mains):
        seconds = np.intersect1d(seconds, when)
    total = np.sum([watts[np.searchsorted(when, seconds)] for when, watts in mains], axis=0)
    return total, {name: watts[np.searchsorted(when, seconds)] for name, (when, watts) in appliances.items()}
