"""Random number generators: how fast under threads, and how random."""
