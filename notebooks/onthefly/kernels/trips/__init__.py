"""Trips around TensorFlow's loop."""
