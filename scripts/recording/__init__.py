"""Keeping results as a machine's: what is refused, and the shelf."""
