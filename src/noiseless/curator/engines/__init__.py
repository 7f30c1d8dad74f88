"""Where codes are kept and added up: one file per database."""
