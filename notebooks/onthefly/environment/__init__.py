"""What works here: libraries and devices, their faults and repairs."""
