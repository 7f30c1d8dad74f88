"""Indistinguishability: how many answers tell two values of one person apart, whatever the others' data are."""
