"""Indistinguishability: how many answers distinguish two values of one person, for any data of the others."""
