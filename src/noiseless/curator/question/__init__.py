"""The stages of a question: it is read, resolved to releases, given bins, priced, computed and finished."""
