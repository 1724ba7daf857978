"""What would make a function faster, on this machine: tried and measured."""
