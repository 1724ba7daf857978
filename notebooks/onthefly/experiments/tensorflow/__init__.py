"""TensorFlow in depth: eager, training, graphs, and homes of a model."""
