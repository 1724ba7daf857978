"""Reports of commands as single HTML pages, in the look of the book."""
