"""Which waiting URL is fetched next? Each order strategy is a module; all implement one protocol."""
