"""Known URLs and their hosts: discovery, leases, pace, partitions, and what operators change."""
