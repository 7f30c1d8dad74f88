"""The permanent record of what was asked and what it cost: a chain of entries, and the budget computed from them."""
