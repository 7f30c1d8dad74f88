"""Definitions of privacy, each with its own calibrate and certify."""
