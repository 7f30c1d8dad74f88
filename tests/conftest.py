"""Settings for every test: property tests without a clock, so that a slow machine changes nothing."""

from hypothesis import settings

settings.register_profile("noiseless", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("noiseless")
