"""What many releases together tell about one person."""
