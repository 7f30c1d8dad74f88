"""How people use it: command line, service, reports."""
