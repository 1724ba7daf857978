"""A CUDA device: its code, calls, copies and limits."""
