"""What many releases together reveal about one person."""
