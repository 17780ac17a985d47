"""The two databases behind one interface: schema, connections, dialects, and the one writing thread."""
