"""Have we seen this text before? Exact digests, fingerprints, and the comparison that decides."""
