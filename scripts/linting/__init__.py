"""What tidy.py checks in notebooks, beside what ruff does."""
