"""Spreading the chapters over the machines of a Dask cluster."""
