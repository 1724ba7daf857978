"""TensorFlow in depth: eager execution, training, and homes of a model."""
