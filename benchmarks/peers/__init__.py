"""One bounded grouped mean by several libraries, each in an environment of its own. Run: make bench-peers."""
