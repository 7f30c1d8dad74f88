"""Pictures and progress bars."""
