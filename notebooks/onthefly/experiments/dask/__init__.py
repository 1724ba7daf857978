"""Tasks of Dask, and libraries under its threads."""
