"""One file for each concept: every file has a `router`, and every route says with `allowed` who may use it."""
