"""TensorFlow beside its past: what it prints, raises, records and runs."""
