"""The engine that papermill finds by its entry point (pyproject.toml)."""


class _Later:
    """An engine that is loaded when it is used.

    papermill loads its engines while it is being loaded itself, and ours
    needs papermill.
    """

    def __getattr__(self, name):
        from onthefly import prose

        return getattr(prose.Engine, name)


engine = _Later()
