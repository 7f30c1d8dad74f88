"""Proofs that anyone can check without trusting the curator: signed files, and a checker that shares no code."""
