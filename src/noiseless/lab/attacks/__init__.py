"""Adversaries, each behind one small interface: what it chooses, what it observes, what it guesses."""
