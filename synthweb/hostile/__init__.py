"""A host that does everything wrong: pages and connections that a crawler must survive, with the outcome to expect."""
