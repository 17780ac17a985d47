"""Which waiting URL is fetched next? One order strategy a module, behind one protocol."""
