"""How people reach it: command line, service, reports."""
