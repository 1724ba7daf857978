"""How fast one core can go."""
