"""What to release so that a whole workload of questions is answered for nothing: designed before anything is spent."""
