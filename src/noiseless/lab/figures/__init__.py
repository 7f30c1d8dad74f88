"""Every figure of the papers, one file each, beside the correct result."""
