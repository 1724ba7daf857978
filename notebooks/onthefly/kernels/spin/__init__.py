"""A kernel that keeps a device busy."""
