"""Deliberate mistakes in the code that counts, and whether the tests notice: `make mutants`."""
