"""The trusted agent as a server: the curator over HTTP, for people and programs with a token."""
