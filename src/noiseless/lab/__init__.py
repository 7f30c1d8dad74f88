"""How it is attacked: adversaries, data sets, figures."""
