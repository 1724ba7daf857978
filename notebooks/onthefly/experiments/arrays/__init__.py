"""Arrays in place of a loop, and in place of lists."""
