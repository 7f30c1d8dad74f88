"""Draw the curves of the lab on the real data: NOISELESS_DATA=… python docs/pictures/real.py."""

from __future__ import annotations

from pathlib import Path

import noiseless as nl
from noiseless.lab.attacks.attack import attack
from noiseless.lab.attacks.household import household
from noiseless.lab.datasets.panel import meters


def main() -> None:
    homes = meters(start="2012-07-01", end="2013-07-01").daily()
    curves = {
        "lab_household": household(homes, 4, [0, 1, 2, 3, 4, 6, None], high=100, games=5000),
        "lab_disaggregation": attack("disaggregation"),
        "lab_trips": attack("trips", bits=[0, 4, 8, 10, 12, 14, 16, 20]),
        "lab_tester": attack("tester", bits=[1, 2, 5, 10, 15, 20]),
    }
    for name, curve in curves.items():
        Path(__file__).with_name(f"{name}.svg").write_text(curve.picture(), encoding="utf-8")
        print(
            name,
            [(point.setting.get("bits", point.setting.get("error")), round(point.value, 4)) for point in curve.points],
        )
    for adversary in ("correlation", "mean square", "peak"):
        for n in (4, 8):
            found = household(homes, n, [1, 2, None], high=100, adversary=adversary, games=5000)
            print(adversary, n, [(point.setting["bits"], round(point.value, 3)) for point in found.points])
        printed = household(homes, 4, [1, 2], high=100, adversary=adversary, games=5000, rule="printed")
        print(adversary, "printed", [(point.setting["bits"], round(point.value, 3)) for point in printed.points])
    print(nl.__version__)


if __name__ == "__main__":
    main()
