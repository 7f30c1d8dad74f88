"""What turns a private value into an answer."""
