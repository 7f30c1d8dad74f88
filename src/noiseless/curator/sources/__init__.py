"""From what a custodian has (files, dataframes, tables) to one code for every value."""
