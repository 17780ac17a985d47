"""Is this the same address, and may it be a trap? Canonical URLs, their keys, and the rules that refuse them."""
