"""From the custodian's files, dataframes and tables to one code per value."""
