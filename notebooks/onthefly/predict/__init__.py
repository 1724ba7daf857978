"""Which method to choose: whose measurements tell; the answer in words."""
