"""The console: the service in a browser, for people who do not program."""
