"""What confirm.py does: what is asked, the measurement, and the report."""
