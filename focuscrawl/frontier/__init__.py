"""Which URL next? The states of a URL, the outcomes of a fetch, stop rules, partitions. Pure: the tables are in the store."""
