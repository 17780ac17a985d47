"""What is a link worth by its words, and how far are links followed through irrelevant pages? Estimators only."""
