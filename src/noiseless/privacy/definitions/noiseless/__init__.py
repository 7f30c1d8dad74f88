"""Noiseless privacy: one person's data cause at most K different answers (NP Def 1)."""
