"""TensorFlow's graphs: messages, servers, settings."""
