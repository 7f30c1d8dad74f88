"""The audit of a published table: what it reveals, by the usual measures and by non-stochastic ones."""
