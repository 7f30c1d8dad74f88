"""A question on its way: read, resolved to releases, given bins, priced, computed, finished."""
