"""What is measured, always as ratios against a named baseline in the same run. Run: make bench."""
