"""Recording results as a machine's: what is refused, and the archive."""
