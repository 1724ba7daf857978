"""TensorFlow in depth: eager execution, training, graphs, deployment."""
