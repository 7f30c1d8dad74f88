"""Databases that keep codes and add them up: one file each."""
