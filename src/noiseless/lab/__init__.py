"""How privacy is attacked: adversaries, data sets, figures."""
