"""The lab of *Python on the Fly*: measure, fit, judge, draw.

Modules import only from floors below::

    presets  machine  assembly             what to run, on what, in which
                                           instructions
    timings                                samples, medians, ratios
    clock  models                          measuring; fitting
    results  claims  nogil                 keeping; judging; threads
    figures  page                          drawing; what a chapter shows

``kernels`` holds one way of computing a problem a file.  Importing
``onthefly`` loads nothing heavy, so that worker processes start fast.
"""
