"""The same functions under one version of a library after another."""
