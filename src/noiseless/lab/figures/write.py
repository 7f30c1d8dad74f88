"""Write figures into a folder: png, svg, and the numbers as csv. The same numbers always give the same svg."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any

from noiseless.errors import InputError, MissingExtraError, NoiselessError, SourceError
from noiseless.exact.plural import plural
from noiseless.lab.figures.catalogue import FIGURES
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import SETTINGS, with_words
from noiseless.privacy.pictures.progress import progress, without_bars

PLACES = 6
"""Digits of the place of an axis, which is between 0 and 1."""
DOTS = 160
"""Pixels per inch of a png."""


@dataclass(frozen=True, slots=True)
class Made:
    """A figure that was made: its files, its data, and how long it took."""

    name: str
    files: tuple[Path, ...]
    data: str
    seconds: float


def figures(
    out: str | Path, only: Iterable[str] | None = None, data: str | Path | None = None, quick: bool = False
) -> list[Made]:
    """Make every figure of the papers, or `only` some, into the folder `out`: png, svg and csv of each.

    `data` is a folder with the real data sets; the default is NOISELESS_DATA. Synthetic twins replace missing files,
    and all files in `quick` mode. Each caption names its data.
    """
    chosen = _chosen(only)
    material = Material(None if data is None else Path(data), quick)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"out={str(folder)!r} is a file; name a folder, new or existing")
    _drawing()
    folder.mkdir(parents=True, exist_ok=True)
    made, failed = [], []
    for each in progress(chosen, "figures"):
        try:
            made.append(_make(each, material, folder))
        except NoiselessError as reason:  # the other figures do not depend on it
            failed.append(f"{each.name}: {reason}")
    if failed:
        raise SourceError(f"{plural(len(made), 'figure')} made, in {str(folder)!r}; not made: {'; '.join(failed)}")
    return made


def _chosen(only: Iterable[str] | None) -> list[Figure]:
    if only is None:
        return [*FIGURES.values()]
    wanted = [only] if isinstance(only, str) else list(only)
    if not wanted:
        raise InputError(f"no figure is named; use some of {', '.join(FIGURES)}")
    if unknown := [name for name in wanted if name not in FIGURES]:
        raise InputError(f"figure {unknown[0]!r} does not exist; use some of {', '.join(FIGURES)}")
    return [FIGURES[name] for name in FIGURES if name in wanted]


def _make(figure: Figure, material: Material, folder: Path) -> Made:
    started = monotonic()
    with without_bars():
        numbers = figure.numbers(material)
    if not numbers.rows:
        raise SourceError(f"there is nothing to draw in {numbers.data}; give other data")
    contents = {**_pictures(figure, numbers), "csv": numbers.csv().encode()}
    files = [folder / f"{figure.name}.{kind}" for kind in contents]
    for file, content in zip(files, contents.values(), strict=True):
        file.write_bytes(content)
    return Made(figure.name, tuple(files), numbers.data, monotonic() - started)


def _pictures(figure: Figure, numbers: Numbers) -> dict[str, bytes]:
    """As png and as svg."""
    matplotlib = _drawing()
    from matplotlib.figure import Figure as Canvas

    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # ignore the user's settings, so that a figure is the same everywhere
        matplotlib.rcParams.update(SETTINGS)
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(numbers, canvas)
        source = "" if figure.paper == "ours" else f"{figure.paper}. "
        with_words(canvas, figure.title, f"{source}{numbers.caption} Data: {numbers.data}.")
        _settle(canvas)
        made = {}
        for kind, undated in (("png", {"Software": None}), ("svg", {"Date": None, "Creator": None})):
            buffer = BytesIO()
            canvas.savefig(buffer, format=kind, dpi=DOTS, metadata=undated)
            made[kind] = buffer.getvalue()
        return made


def _settle(canvas: Any) -> None:
    """Lay the figure out once, at rounded places: the last digits of a layout differ from run to run."""
    canvas.draw_without_rendering()
    canvas.set_layout_engine("none")
    for axes in canvas.axes:
        axes.set_position([round(end, PLACES) for end in axes.get_position().bounds])


def _drawing() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("figures need matplotlib; run pip install 'noiseless[figures]'") from None
    return matplotlib
