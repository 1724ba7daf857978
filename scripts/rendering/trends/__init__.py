"""The page of trends: the headline ratio of each page, run by run."""
