"""The readers of the book's files: notebooks, table of contents, text."""
