"""What people ask, what was measured as an answer, and where it stands."""
