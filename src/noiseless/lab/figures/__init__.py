"""Every figure of the papers, one file each, beside what is really true."""
