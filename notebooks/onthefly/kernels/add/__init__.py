"""TensorFlow's addition, an operation a call."""
