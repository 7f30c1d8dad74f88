"""Synthetic twins of the data sets: realistic structure from a fixed seed, without a download."""

from __future__ import annotations

import numpy as np

from noiseless.errors import InputError
from noiseless.lab.datasets.appliances import House
from noiseless.lab.datasets.meter_files import SLOTS
from noiseless.lab.datasets.panel import Panel
from noiseless.lab.datasets.people import Bodies, Measured
from noiseless.lab.datasets.trips import EAST, NORTH, Trips

SEED = 2019
APPLIANCES = {
    "fridge": ((6, 190), (250, 500)),
    "microwave": ((4, 1520), (1200, 40)),
    "dish_washer": ((0, 200, 1100), (5000, 300)),
    "washer_dryer": ((0, 2700), (9000, 700)),
    "light": ((0, 60, 120), (3000, 1500)),
    "heater": ((0, 800), (8000, 400)),
}
"""Watts of each state, and for how many samples an appliance stays off and on."""


def twin_meters(homes: int = 81, days: int = 365, seed: int = SEED) -> Panel:
    """Daily shapes with a morning and an evening peak, a level per home, weekends, seasons and noise."""
    if homes < 2 or days < 1:
        raise InputError(f"homes={homes} or days={days} is too small; use at least 2 homes and 1 day")
    draw = np.random.default_rng(seed)
    hour = np.arange(SLOTS) / 2

    def peak(at: float, wide: float) -> np.ndarray:
        return np.exp(-(((hour - at + 12) % 24 - 12) ** 2) / (2 * wide**2))

    readings = np.empty((homes, days * SLOTS))
    season = 1 + 0.3 * np.cos(2 * np.pi * np.arange(days) / 365)
    for home in range(homes):
        level = draw.lognormal(-1.5, 0.5)
        morning, evening = draw.normal(7.5, 1), draw.normal(19, 1.2)
        shape = 0.4 + draw.uniform(0.3, 1) * peak(morning, 1.2) + draw.uniform(0.8, 2) * peak(evening, 2)
        weekend = np.where(np.arange(days) % 7 >= 5, draw.uniform(0.9, 1.3), 1.0)
        daily = np.outer(season ** draw.uniform(0, 2) * weekend * draw.lognormal(0, 0.2, days), shape)
        readings[home] = (level * daily * draw.lognormal(0, 0.5, daily.shape)).ravel()
    return Panel(readings.round(3), f"synthetic meters: {homes} homes, {days} days, seed {seed}")


def twin_survey(people: int = 1000, seed: int = SEED) -> Bodies:
    """Heights of two groups, and weights that depend on the height."""
    draw = np.random.default_rng(seed)
    tall = draw.random(people) < 0.41
    height = np.where(tall, draw.normal(181, 7, people), draw.normal(168, 6, people)).round()
    weight = (22 * (height / 100) ** 2 * draw.lognormal(0, 0.13, people)).round()
    return Bodies(height, weight, f"synthetic survey: {people} people, seed {seed}")


def twin_grouped(people: int = 1000, seed: int = SEED) -> Measured:
    """The same people with ages, most of them from 17 to 23, and eight public groups."""
    bodies, draw = twin_survey(people, seed), np.random.default_rng((seed, 1))
    ages = (15 + draw.gamma(3.5, 1.6, people)).clip(15, 30).round()
    groups = (draw.random((3, people)) < np.array([[0.41], [0.7], [0.25]])).T @ (1, 2, 4)
    return Measured({**bodies.columns, "age": ages, "region": groups.astype(float)}, bodies.origin)


def twin_taxi(trips: int = 200_000, seed: int = SEED) -> Trips:
    """Trips between hot spots, most of them short."""
    draw = np.random.default_rng(seed)
    spots = np.stack([draw.normal(40.75, 0.03, 40), draw.normal(-73.98, 0.03, 40)], axis=1)
    popular = draw.dirichlet(np.full(40, 0.5))
    begin = spots[draw.choice(40, trips, p=popular)] + draw.normal(0, 0.004, (trips, 2))
    near = begin + draw.normal(0, 0.012, (trips, 2))
    far = spots[draw.choice(40, trips, p=popular)] + draw.normal(0, 0.004, (trips, 2))
    end = np.where(draw.random((trips, 1)) < 0.6, near, far)
    low, high = np.array([NORTH[0], EAST[0]]), np.array([NORTH[1], EAST[1]])
    points = np.concatenate([begin.clip(low, high), end.clip(low, high)], axis=1).round(6)
    return Trips(points, f"synthetic taxi: {trips} trips, seed {seed}")


def twin_house(samples: int = 300_000, seed: int = SEED) -> House:
    """Appliances whose states last for some time, a base load, and power that no meter of an appliance shows."""
    draw = np.random.default_rng(seed)
    appliances = {}
    for name, (watts, (off, on)) in APPLIANCES.items():
        state = np.zeros(samples, dtype=np.int64)
        at, now = 0, 0
        while at < samples:
            stay = 1 + int(draw.exponential(off if now == 0 else on))
            state[at : at + stay] = now
            at += stay
            now = int(draw.integers(1, len(watts))) if now == 0 else 0
        level = np.array(watts, dtype=float)[state]
        appliances[name] = (level + draw.normal(0, 1 + 0.02 * level)).clip(0).round(1)
    base = 90 + 20 * np.sin(np.arange(samples) / 9000) + draw.normal(0, 5, samples).clip(-20, 20)
    mains = (np.sum([*appliances.values()], axis=0) + base).round(1)
    return House(mains, appliances, f"synthetic house: {samples} samples, seed {seed}")
