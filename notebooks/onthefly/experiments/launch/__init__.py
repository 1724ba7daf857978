"""What it costs to start a thread or a process, and what it brings."""
