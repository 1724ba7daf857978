"""Rendering the book: what is staged, written by the build, and published."""
