"""What the custodian declares: the columns, who a person is, and where the table is."""
