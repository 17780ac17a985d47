"""A web whose truth we know: made from a seed, any page on demand, served on loopback with its own DNS.

Imports nothing of the rest of the program, so that it can judge it.
"""
