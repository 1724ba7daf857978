"""Real faults, planted for tests: what the project says that it stands."""
