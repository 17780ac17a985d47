"""Which URL next? States of a URL, outcomes of a fetch, order strategies and the cache in front of the seen-test."""
