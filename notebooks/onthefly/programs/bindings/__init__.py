"""One loop over two arrays, compiled and bound to Python by several tools.

``decay(x, y)`` writes a moving average of x into y: float64 arrays of one
length.
"""
