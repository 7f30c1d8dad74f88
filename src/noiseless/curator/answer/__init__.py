"""What an analyst gets, as rows, tables and pictures."""
