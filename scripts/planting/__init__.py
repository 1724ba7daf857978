"""Faults, planted on purpose: what a user may meet, and what must hold.

`registry` keeps them, `every` knows their modules; the others plant them, in
small books and copies that are thrown away.
"""
