"""Experiments: how a question is put to the machine, one folder a subject."""
