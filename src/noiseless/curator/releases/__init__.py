"""What can be released of some rows: one file each, with its count, its bins, its interval and its place in the ledger.

Every number is an integer that the engine computes from codes; what leaves is the bin it lies in. The counts are those
of theory §6, the integer model: docs/sql.md says which SQL function becomes which release.
"""
