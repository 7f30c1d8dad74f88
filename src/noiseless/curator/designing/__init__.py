"""What to release so that a whole workload of questions becomes free: designed before anything is spent."""
