"""The same kernels under one version of a library after another."""
