"""Documents that are no HTML: which format is it, and what does it say? Read in the process with limits."""
