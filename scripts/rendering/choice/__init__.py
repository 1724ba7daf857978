"""The page "Which one should I choose?": its parts, from results alone."""
