"""What do others get of a crawl? Its pages as records: which of them, in which format, to which place."""
