"""What can be released about some rows. Each kind of release has a file: its count, bins, interval and ledger entry.

Every number is an integer that the engine computes from codes. Only the bin of this integer is released. The counts are
those of theory §6, the integer model. docs/sql.md says which SQL function becomes which release.
"""
