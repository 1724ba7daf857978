"""Where a call's time goes."""
