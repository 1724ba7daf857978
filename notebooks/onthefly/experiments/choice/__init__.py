"""Which way pays: eight problems, the ways of computing each, and what each
is predicted to cost."""
