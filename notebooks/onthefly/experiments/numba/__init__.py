"""What Numba compiles, then and now."""
