"""What the custodian declares: the kinds of columns, whose rows they are, and where the table is."""
