"""What happened, and why? Plain data for terminal, HTML and JSON."""
