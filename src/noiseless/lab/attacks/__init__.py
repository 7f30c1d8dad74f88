"""Adversaries with one small interface: what each chooses, observes and guesses."""
