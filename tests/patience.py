"""How long tests wait for what is certain to come."""

PATIENCE = 300.0
"""Seconds. What has not come by then never comes, however much else the machine has to do. It costs only tests that fail."""
