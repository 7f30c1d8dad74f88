"""How far one has to walk through the code to follow a price, a preview, an ask, a copy and an attack.

    python -m benchmarks.walk

For each: how many files run at all, and how many calls go from one room of the house to another. A room is a folder of
a floor; a file that stands on a floor itself is a room of its own. Imports go down only, so a call goes up only by way
of a function that was handed down; these are listed by name, unless the function was written where it is handed down.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import noiseless as nl
from noiseless.curator.question.price import Prices
from noiseless.curator.terms import Terms

HOME = Path(nl.__file__).parent
SQL = "SELECT region, AVG(height) FROM people WHERE age >= 40 GROUP BY region"


def room(path: str) -> str:
    """The folder of a floor that a file is in."""
    return "/".join(Path(path).relative_to(HOME).with_suffix("").parts[:2])


def heights() -> dict[str, int]:
    """How far down each room of the curator is, by the contract in pyproject.toml."""
    settings = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["noiseless.curator"])
    return {f"curator/{name.strip()}": depth for depth, names in enumerate(layers) for name in names.split(":")}


class Walk:
    """Listens to every call of a function of ours."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.jumps: Counter[tuple[str, str]] = Counter()
        self.up: set[str] = set()
        self._depth = heights()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(str(HOME)):
            return
        self.files.add(frame.f_code.co_filename)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(str(HOME)):
            caller = caller.f_back
        if caller is not None:
            pair = room(caller.f_code.co_filename), room(frame.f_code.co_filename)
            if pair[0] != pair[1]:
                self.jumps[pair] += 1
                called = frame.f_code.co_qualname
                caller_depth, depth = (self._depth.get(each) for each in pair)
                if depth is not None and caller_depth is not None and depth < caller_depth and "<" not in called:
                    self.up.add(f"{called} from {pair[0]}")


def walked(run: Callable[[], object]) -> Walk:
    """What runs when `run` does, the second time: what is loaded once does not count."""
    walk = Walk()
    sys.setprofile(walk)
    try:
        run()
    finally:
        sys.setprofile(None)
    return walk


def main() -> None:
    """Five walks, a line each."""
    import pandas

    regions = ["north", "south", "north", "south"]
    people = pandas.DataFrame({"height": [171.0, 164.5, 180.2, 175.0], "age": [30, 45, 61, 50], "region": regions})
    schema = nl.Schema(height=nl.Real(100, 250, step="0.1"), age=nl.Integer(0, 120), region=nl.Public("north", "south"))
    with tempfile.TemporaryDirectory() as folder:
        curator = nl.Curator.open(people, schema, budget=40, table="people")
        curator.ask("SELECT AVG(height) FROM people", bits=2)
        beside = nl.Curator.open(people, schema, budget=40, table="people")  # whose reading the preview does not know
        [question] = beside._asking.planning.steps(SQL, Terms(bits=3))
        prices = Prices(beside._dataset)
        walks: dict[str, Callable[[], object]] = {
            "price": lambda: prices.count(question.widths),
            "preview": lambda: curator.preview(SQL, bits=3),
            "ask": lambda: curator.ask(SQL, bits=3),
            "copy": lambda: curator.release(Path(folder) / "copy.csv", bits={"height": 2, "age": 1}),
            "attack": lambda: nl.attack("trips", "twin", bits=[4]),
        }
        for name, run in walks.items():
            walk = walked(run)
            rooms = {room(file) for file in walk.files}
            back = [
                f"{first} and {second}"
                for first, second in walk.jumps
                if first < second and (second, first) in walk.jumps
            ]
            print(
                f"{name}: {len(walk.files)} files, {len(rooms)} rooms, {len(walk.jumps)} ways between rooms, "
                f"{sum(walk.jumps.values())} calls along them; both ways: {', '.join(back) or 'none'}; "
                f"up: {', '.join(sorted(walk.up)) or 'none'}"
            )


if __name__ == "__main__":
    main()
