"""Running the chapters: request, key, job, engine, display, summary."""
