"""The promise, and the promise in words."""
