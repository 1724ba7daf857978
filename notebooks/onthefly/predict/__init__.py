"""Which way to choose: whose measurements tell, and the answer in words."""
