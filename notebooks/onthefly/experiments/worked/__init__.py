"""The worked programs: their profiles, their memory, the word of confirm."""
