"""Training, and what it is fed with: TensorFlow then and now."""
