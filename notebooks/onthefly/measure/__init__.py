"""The stopwatch: samples in turns, quantities with intervals, the machine."""
