"""What a function's source and its arguments say: rewritings and advice.

`rewrites` changes the source so that Numba takes it, or shares its loop out,
`conversions` the arguments; `routines` finds the library's routine that a
loop spells out; `advice` says in sentences what to change.
"""
