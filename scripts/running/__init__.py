"""Running the chapters: here, or on the workers of a cluster."""
