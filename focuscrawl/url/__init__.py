"""Canonical URLs, their keys, and the rules that refuse URLs, among them those against spider traps."""
