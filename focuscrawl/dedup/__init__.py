"""Finds texts that were seen before: exact digests, fingerprints, and the comparison that decides."""
