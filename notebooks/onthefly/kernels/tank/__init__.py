"""A tank that fills and runs empty: a loop with a condition."""
