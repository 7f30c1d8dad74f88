"""The client of a server: the methods of a curator, over HTTP."""
