"""Running the chapters: request, repeats, key, job, engine, display."""
