"""Copies within a device's memory."""
