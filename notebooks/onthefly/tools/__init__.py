"""What kernels and experiments stand on: processes, builds, devices."""
