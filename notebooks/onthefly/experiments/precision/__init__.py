"""What rounding does to a result."""
