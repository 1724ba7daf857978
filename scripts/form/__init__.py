"""The form of notebooks: what is canonical, and the rules beside it."""
