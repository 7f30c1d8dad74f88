"""Looking at a table that somebody has published: what it tells, by everybody's measures and by ours."""
